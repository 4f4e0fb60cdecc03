"""A finding judged by labels drawn after it: what is drawn, what counts, and when it is said."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.estimates.wording.fresh_labels import fresh_sentence, fresh_verdict
from hcat.core.capabilities.findings.chapter import findings_section
from hcat.core.capabilities.findings.wording import change_text
from hcat.core.errors import HcatError
from hcat.core.estimates.fresh_labels import CONFIRMED, MORE_LABELS
from hcat.core.records.project import Finding, RunInfo
from hcat.core.types import Criterion, Label, Sample
from hcat.core.view.tree import Paragraph, Table
from hcat.core.workspace import Workspace

FEES = [f"q{k}" for k in range(20)]
ALL = [f"q{k}" for k in range(80)]


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    project = workspace.projects.create("bank")
    samples = [
        Sample(i, f"What is {i}?", "x", dimensions={"area": "fees" if i in FEES else "cards", "n": str(k % 2)})
        for k, i in enumerate(ALL)
    ]
    return workspace.runs.add(project, "v1", samples, source="x")


@pytest.fixture
def criterion(workspace: Workspace, run: RunInfo) -> Criterion:
    criterion = workspace.criteria.add("bank", Criterion("correctness"))
    labels = [Label(i, "correctness", int(i not in FEES), "ann") for i in [*FEES[:5], *ALL[20:30]]]
    workspace.labels.add(run, criterion, labels)
    return criterion


@pytest.fixture
def finding(workspace: Workspace, run: RunInfo, criterion: Criterion) -> Finding:
    frozen = workspace.findings.freeze(run, "fees", metric="m", scores=dict.fromkeys(FEES, 0.1), filter={})
    return workspace.findings.confirm(run, "Fees", selection=frozen, severity="high", author="lee")


def label(workspace: Workspace, run: RunInfo, criterion: Criterion, passes: set[str], *, most: int = 99) -> int:
    """Work through the newest queue; gives how many labels that took."""
    queue = workspace.queues.all(run, criterion)[-1]
    for done in range(most):
        item = workspace.queues.next_item(queue, "eva")
        if item is None:
            return done
        level = int(item.sample_id in passes)
        workspace.labels.record(run, criterion, item.sample_id, level, annotator="eva", item=item)
    return most


def test_only_fresh_labels_judge_and_only_when_all_are_there(
    workspace: Workspace, run: RunInfo, criterion: Criterion, finding: Finding
) -> None:
    assert workspace.confirmations.judgements(finding) == ()
    queue = workspace.confirmations.plan(finding, criterion)
    items = workspace.queues.items(queue)
    drawn = {item.sample_id for item in items}
    # 15 of the finding and 50 of the rest are not labelled: all of the first, as many of the second.
    assert len(drawn & set(FEES)) == 15 and len(drawn) == 30
    assert drawn.isdisjoint([*FEES[:5], *ALL[20:30]])
    assert workspace.confirmations.plan(finding, criterion) == queue

    label(workspace, run, criterion, set(ALL[20:]), most=29)
    (waiting,) = workspace.confirmations.judgements(finding)
    assert waiting.comparison.verdict == MORE_LABELS
    assert fresh_verdict(waiting) == "1 more label needed"
    assert "pass here" not in fresh_sentence(waiting)
    label(workspace, run, criterion, set(ALL[20:]))
    (judged,) = workspace.confirmations.judgements(finding)
    assert judged.comparison.verdict == CONFIRMED
    # None of 15 against 15 of 15: 2^-30, the largest chance of this table over all rates, at one half.
    assert judged.comparison.p == pytest.approx(2**-30)
    assert "difference −1.00" in fresh_sentence(judged) and "level 0.04" in fresh_sentence(judged)


def test_a_further_round_is_tested_at_what_is_left_and_what_is_unclear_is_said(
    workspace: Workspace, run: RunInfo, criterion: Criterion, finding: Finding
) -> None:
    queue = workspace.confirmations.plan(finding, criterion, planned=10)
    item = workspace.queues.next_item(queue, "eva")
    assert item is not None
    workspace.labels.cannot_judge(run, criterion, item.sample_id, "unclear", annotator="eva", item=item)
    label(workspace, run, criterion, set(ALL))
    (first,) = workspace.confirmations.judgements(finding)
    assert (first.comparison.verdict, first.cannot_judge, first.comparison.level) == ("not confirmed", 1, 0.04)
    assert "1 sample that nobody could judge" in fresh_sentence(first)
    again = workspace.confirmations.plan(finding, criterion)
    assert again.name == "confirming: finding 1, round 2"
    drawn = [{i.sample_id for i in workspace.queues.items(each)} for each in (queue, again)]
    assert not drawn[0] & drawn[1]
    label(workspace, run, criterion, set(ALL))
    (second,) = workspace.confirmations.judgements(finding)
    assert (second.rounds, second.comparison.level) == (2, pytest.approx(0.005))
    with pytest.raises(HcatError, match="All samples of this finding have been judged already"):
        workspace.confirmations.plan(finding, criterion)


def test_a_finding_of_before_selections_were_frozen_is_of_its_slice(
    workspace: Workspace, run: RunInfo, criterion: Criterion, finding: Finding
) -> None:
    import dataclasses

    levels = {"dimension_1": "area", "level_1": "fees", "dimension_2": "n", "level_2": "0"}
    old = dataclasses.replace(finding, frozen=None, slice=levels)
    # Ten of the pair, q0 q2 … q18; q0, q2 and q4 have labels.
    assert workspace.confirmations.sizes(old, criterion).open_in_slice == 7
    with pytest.raises(HcatError, match="names no samples"):
        workspace.confirmations.plan(dataclasses.replace(old, slice={}), criterion)


def test_a_withdrawn_finding_is_kept_and_the_report_counts_it_apart(
    workspace: Workspace, run: RunInfo, finding: Finding
) -> None:
    project = workspace.projects.get("bank")
    with pytest.raises(HcatError, match="say why"):
        workspace.findings.withdraw(finding, reason=" ", author="lee")
    withdrawn = workspace.findings.withdraw(finding, reason="the reference was wrong", author="eva")
    assert workspace.findings.all(project) == [withdrawn]
    assert workspace.findings.selection(withdrawn) == workspace.findings.selection(finding)
    evidence = workspace.reports.evidence(project)
    assert evidence.findings == ()
    assert [(x.title, x.withdrawn_by, x.reason) for x in evidence.withdrawn] == [
        ("Fees", "eva", "the reference was wrong")
    ]
    section = findings_section(evidence)
    assert isinstance(section.blocks[0], Paragraph) and section.blocks[0].text == ("Every finding was withdrawn.",)
    assert isinstance(section.blocks[1], Table)
    assert section.blocks[1].rows[0][0::5] == ("Fees", "the reference was wrong")

    back = workspace.findings.change(withdrawn, status="open", author="lee")
    assert back.withdrawal is None
    assert [change.part for change in back.history] == ["status", "reason for withdrawal", "status"]
    assert len(workspace.reports.evidence(project).findings) == 1


def test_a_rename_keeps_the_title_before(workspace: Workspace, finding: Finding) -> None:
    renamed = workspace.findings.change(finding, title="Fees are low", author="eva")
    assert (renamed.title, renamed.frozen_hash) == ("Fees are low", finding.frozen_hash)
    assert [change_text(change) for change in renamed.history] == ["title: Fees → Fees are low"]
    with pytest.raises(HcatError):
        workspace.findings.change(finding, title=" ", author="eva")
