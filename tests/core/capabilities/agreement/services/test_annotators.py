"""Adjudications in consensus, export and estimates; blindness that is lost; what each annotator's labels say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.agreement.analysis import annotator_ratings, policies
from hcat.core.capabilities.agreement.ratings import ratings
from hcat.core.importers.labels.label_file import labels_csv, read_labels
from hcat.core.labelling.consensus import consensus
from hcat.core.labelling.label_details import LabelDetails
from hcat.core.labelling.queue import QueueRules
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace

CRITERION = Criterion("correctness")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(Settings(database_url=f"sqlite:///{tmp_path / 'h.db'}", artifacts=str(tmp_path / "art")))
    opened.projects.create("bank")
    opened.criteria.add("bank", CRITERION)
    yield opened
    opened.close()


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    samples = [
        Sample(f"q{k}", f"What is {k}?", f"It is {k if k % 3 else 0}.", reference=f"It is {k}.", test_case=f"case {k}")
        for k in range(60)
    ]
    return workspace.runs.add("bank", "first", samples, source="r.jsonl")


def judge(workspace: Workspace, run: RunInfo, levels: dict[str, dict[str, int]]) -> None:
    for sample_id, given in levels.items():
        for annotator, level in given.items():
            workspace.labels.record(run, CRITERION, sample_id, level, annotator=annotator)


def test_a_decision_wins_the_consensus_and_the_originals_still_disagree(workspace: Workspace, run: RunInfo) -> None:
    judge(workspace, run, {"q1": {"ann": 1, "bob": 1, "cy": 0}, "q2": {"ann": 1, "bob": 0}, "q3": {"ann": 1}})
    before = consensus(workspace.labels.current("bank", "correctness", run))
    assert ({x.sample_id: x.level for x in before.labels}, before.ties) == ({"q1": 1, "q3": 1}, 1)
    workspace.disagreements.adjudicate(run, CRITERION, "q1", 1, author="lead", rationale="first thought")
    workspace.disagreements.adjudicate(run, CRITERION, "q1", 0, author="lead", rationale="cy is right")
    workspace.disagreements.adjudicate(run, CRITERION, "q2", 1, author="ann", rationale="half of it is enough")
    held = workspace.labels.current("bank", "correctness", run)
    after = consensus(held)
    assert ({x.sample_id: x.level for x in after.labels}, after.ties) == ({"q1": 0, "q2": 1, "q3": 1}, 0)
    assert ratings(held, criterion=CRITERION).annotators == ("ann", "bob", "cy")
    assert len(workspace.annotators.independent_labels(run, CRITERION)) == 6
    assert not workspace.labels.current("bank", "correctness", run, by="rule")
    assert workspace.labels.current("bank", "correctness", run, annotator="ann")[0].annotator == "ann"


def test_decisions_survive_a_file_and_pseudonyms(workspace: Workspace, run: RunInfo) -> None:
    judge(workspace, run, {"q1": {"ann": 1, "bob": 1, "cy": 0}})
    workspace.disagreements.adjudicate(run, CRITERION, "q1", 0, author="lead", rationale="cy is right")
    held = workspace.labels.current("bank", "correctness", run)
    again = read_labels(labels_csv(held, CRITERION).encode(), criterion=CRITERION).labels
    assert [label.level for label in consensus(again).labels] == [0]
    assert workspace.labels.add(run, CRITERION, again) == []
    before = len(workspace.audit.entries())
    assert workspace.exports.with_names("bank", held) == held  # no key is made for what holds no pseudonym
    assert len(workspace.audit.entries()) == before
    hidden = workspace.exports.with_pseudonyms("bank", held)
    assert workspace.exports.with_pseudonyms("bank", held) == hidden
    assert [entry.action for entry in workspace.audit.entries()].count("project.make_key") == 1
    assert "lead" not in labels_csv(hidden, CRITERION)
    assert [label.level for label in consensus(hidden).labels] == [0]
    assert workspace.exports.with_names("bank", hidden) == held


def test_a_decision_on_what_was_not_drawn_for_the_run_enters_no_estimate(workspace: Workspace, run: RunInfo) -> None:
    workspace.gold.add(run, CRITERION, {"q5": 1}, author="lead")
    queue = workspace.queues.plan(run, CRITERION, planned=10, rules=QueueRules(gold=0.5))
    while (item := workspace.queues.next_item(queue, "ann")) and item.purpose != "gold":
        workspace.labels.record(run, CRITERION, item.sample_id, 1, annotator="ann", item=item)
    if item is None:
        pytest.fail("no gold item came")
    workspace.labels.record(run, CRITERION, item.sample_id, 0, annotator="ann", item=item)
    before = workspace.labels.current("bank")
    workspace.disagreements.adjudicate(run, CRITERION, item.sample_id, 1, author="lead")
    assert workspace.labels.current("bank") == before


def test_who_has_seen_the_labels_of_others_is_not_blind_any_more(workspace: Workspace, run: RunInfo) -> None:
    blind = LabelDetails(shown=("query", "answer"), blind=True)
    workspace.labels.record(run, CRITERION, "q1", 1, annotator="ann", details=blind)
    workspace.annotators.unblind(run, CRITERION, ["q1", "q2", "q1"], annotator="ann")
    workspace.annotators.unblind(run, CRITERION, ["q2"], annotator="ann")
    workspace.annotators.unblind(run, CRITERION, [], annotator="bob")
    for sample_id in ("q1", "q2", "q3"):
        workspace.labels.record(run, CRITERION, sample_id, 0, annotator="ann", details=blind)
    workspace.labels.record(run, CRITERION, "q1", 0, annotator="bob", details=blind)
    said = [(x.sample_id, x.annotator, x.details.blind) for x in workspace.labels.history("bank")]
    assert said == [
        ("q1", "ann", True),  # given before
        ("q1", "ann", False),
        ("q2", "ann", False),
        ("q3", "ann", True),
        ("q1", "bob", True),
    ]
    assert workspace.labels.history("bank")[1].details.shown == ("query", "answer", "scores", "labels of others")
    assert workspace.annotators.unblinded(run, CRITERION, "ann") == {"q1", "q2"}


def test_open_items_are_counted_over_the_queues_of_the_criterion(workspace: Workspace, run: RunInfo) -> None:
    assert workspace.queues.open_items(run, CRITERION, "ann") == 0
    queue = workspace.queues.plan(run, CRITERION, planned=10)
    item = workspace.queues.next_item(queue, "ann")
    assert item is not None
    workspace.labels.record(run, CRITERION, item.sample_id, 1, annotator="ann", item=item)
    assert workspace.queues.open_items(run, CRITERION, "ann") == 9


def test_each_policy_takes_one_persons_labels(workspace: Workspace, run: RunInfo) -> None:
    workspace.scoring.score(run, ["token_f1"])
    labels = [Label(f"q{k}", "correctness", int(k % 3 > 0), "ann") for k in range(45)]
    labels += [Label(f"q{k}", "correctness", int(k % 3 == 1), "strict") for k in range(45)]
    labels += [Label("q50", "correctness", 1, "few")]
    # What a rule says of other samples is in nobody's policy.
    labels += [Label(f"q{k}", "correctness", 1, "reference-rule v1", source="rule") for k in range(51, 60)]
    workspace.labels.add(run, CRITERION, labels)
    both, ann, few, strict = policies(workspace.run_data.open(run), CRITERION, metrics=["token_f1"])
    assert [x.annotator for x in (both, ann, few, strict)] == [None, "ann", "few", "strict"]
    assert ann.estimates.labels_only.value == pytest.approx(2 / 3)
    assert strict.estimates.labels_only.value == pytest.approx(1 / 3)
    assert (few.calibration, few.estimates.n_labels) == (None, 1) and "label" in few.missing
    assert ann.calibration is not None
    # The same labels on the same splits as on the Calibration page, also where test cases have names of their own.
    hers = workspace.labels.current("bank", "correctness", run, annotator="ann")
    cases = {sample.id: sample.test_case or sample.id for sample in workspace.runs.samples(run)}
    scores = workspace.scoring.table(run)
    assert scores is not None
    alone = calibrate(hers, scores, criterion=CRITERION, metrics=["token_f1"], test_cases=cases)
    assert ann.calibration == alone and both.labels == 91


def test_self_consistency_and_gold_come_from_the_queue(workspace: Workspace, run: RunInfo) -> None:
    workspace.gold.add(run, CRITERION, {f"q{k}": 1 for k in range(50, 60)}, author="lead")
    queue = workspace.queues.plan(run, CRITERION, planned=40, rules=QueueRules(repeats=0.25, gold=0.25))
    while item := workspace.queues.next_item(queue, "ann"):
        workspace.labels.record(
            run, CRITERION, item.sample_id, int(item.purpose != "repeat"), annotator="ann", item=item
        )
    [said] = workspace.annotators.consistency(run, CRITERION, rng=np.random.default_rng(1))
    assert (said.annotator, said.same.value) == ("ann", 0.0) and said.same.n > 0
    [gold] = workspace.annotators.accuracy(run, CRITERION)
    assert (gold.annotator, gold.level_right.value) == ("ann", 1.0) and gold.level_right.n >= 10


def test_annotators_are_held_against_each_other_by_test_case(workspace: Workspace, run: RunInfo) -> None:
    assert annotator_ratings(workspace.run_data.open(run), CRITERION).test_cases is None  # a test case of its own each
    samples = [Sample(f"q{k}", "What?", f"It is {k}.", test_case=f"c{k // 2}", trial=k % 2) for k in range(6)]
    trials = workspace.runs.add("bank", "trials", samples, source="t.jsonl")
    judge(workspace, trials, {"q0": {"ann": 1, "bob": 1}, "q1": {"ann": 0}, "q4": {"bob": 1}})
    table = annotator_ratings(workspace.run_data.open(trials), CRITERION)
    assert dict(zip(table.samples, table.test_cases or (), strict=True)) == {"q0": "c0", "q1": "c0", "q4": "c2"}
