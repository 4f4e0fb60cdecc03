"""A team's verbs: queues of every kind, what is mixed in, what is hidden until the label is in, and pseudonyms."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hcat.core.errors import ConflictError, HcatError, NotFoundError
from hcat.core.importers.labels.label_file import labels_csv, read_labels
from hcat.core.importers.reading import spreadsheet
from hcat.core.labelling.label_details import EvidenceSpan, LabelDetails
from hcat.core.labelling.queue import QueueItem, QueueProgress, QueueRules
from hcat.core.labelling.records import QueueInfo
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.storage.stores import label_reading
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace

N = 60


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    samples = [
        Sample(f"q{k}", f"query {k}", f"answer {k}", (Passage("p1", "the fee is 3"),), dimensions={"area": "ab"[k % 2]})
        for k in range(N)
    ]
    return workspace.runs.add(workspace.projects.create("bank"), "v1", samples, source="x")


@pytest.fixture
def criterion(workspace: Workspace, run: RunInfo) -> Criterion:
    return workspace.criteria.add("bank", Criterion("correctness", ("wrong", "partly", "right"), passing=2))


def give(workspace: Workspace, run: RunInfo, criterion: Criterion, item: QueueItem, annotator: str, level: int) -> None:
    workspace.labels.record(run, criterion, item.sample_id, level, annotator=annotator, item=item)


def work(workspace: Workspace, run: RunInfo, criterion: Criterion, queue: QueueInfo, annotator: str) -> list[QueueItem]:
    """All that the annotator gets; the level is the sample's number modulo 3, and 0 on a second look."""
    seen = []
    while item := workspace.queues.next_item(queue, annotator):
        give(workspace, run, criterion, item, annotator, 0 if item.occurrence else int(item.sample_id[1:]) % 3)
        seen.append(item)
    return seen


def test_all_that_goes_with_a_label_is_stored(workspace: Workspace, run: RunInfo, criterion: Criterion) -> None:
    details = LabelDetails(
        confidence=4,
        spans=(EvidenceSpan("contexts", 4, 7, "p1"), EvidenceSpan("answer", 0, 6)),
        flagged=True,
        comment="=see the fee table",
        shown=("query", "contexts", "answer"),
        blind=True,
    )
    workspace.labels.record(run, criterion, "q1", 2, annotator="ann", seconds=4.5, details=details)
    [entry] = workspace.labels.history("bank")
    assert (entry.details, entry.seconds, entry.purpose) == (details, 4.5, "estimate")


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (EvidenceSpan("contexts", 0, 3, "p9"), "no passage 'p9'"),
        (EvidenceSpan("reference", 0, 3), "no reference to mark"),
        (EvidenceSpan("answer", 3, 99), "within the 8 characters of answer"),
        (EvidenceSpan("answer", 3, 3), "within the 8 characters"),
    ],
)
def test_a_mark_outside_the_sample_is_refused(
    workspace: Workspace, run: RunInfo, criterion: Criterion, span: EvidenceSpan, message: str
) -> None:
    with pytest.raises(HcatError, match=message):
        workspace.labels.record(run, criterion, "q1", 1, annotator="ann", details=LabelDetails(spans=(span,)))
    assert workspace.labels.history("bank") == []


def test_wrong_settings_are_refused(workspace: Workspace, run: RunInfo, criterion: Criterion) -> None:
    with pytest.raises(HcatError, match="confidence is 1"):
        LabelDetails(confidence=6)
    with pytest.raises(HcatError, match="1 to 50 annotators"):
        QueueRules(overlap=0)
    with pytest.raises(HcatError, match="at most half"):
        QueueRules(repeats=0.3, gold=0.3)
    with pytest.raises(HcatError, match="say why"):
        workspace.labels.cannot_judge(run, criterion, "q1", " ", annotator="ann")
    workspace.queues.plan(run, criterion, rules=QueueRules(overlap=2))
    with pytest.raises(ConflictError, match="other rules"):
        workspace.queues.plan(run, criterion, rules=QueueRules(overlap=3))


def test_each_annotator_can_have_an_order_of_their_own_and_resumes_in_it(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    queue = workspace.queues.plan(run, criterion, rules=QueueRules(order="annotator"))
    ids = {name: [item.sample_id for item in work(workspace, run, criterion, queue, name)] for name in ("ann", "bob")}
    assert ids["ann"] != ids["bob"]
    assert set(ids["ann"]) == set(ids["bob"]) == {f"q{k}" for k in range(N)}
    workspace.labels.undo(run, criterion, annotator="ann")
    item = workspace.queues.next_item(queue, "ann")
    assert item is not None
    assert item.sample_id == ids["ann"][-1]


def test_repeats_come_back_unmarked_and_are_kept_apart(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    queue = workspace.queues.plan(run, criterion, rules=QueueRules(repeats=0.2))
    before = workspace.queues.progress(queue, "ann")
    assert before == QueueProgress(done=0, skipped=0, planned=75)  # 60 / 0.8: what is mixed in counts like the rest
    seen = work(workspace, run, criterion, queue, "ann")
    repeats = [item for item in seen if item.purpose == "repeat"]
    assert len(repeats) == 15  # a fifth of 75, whatever the draws
    assert len({item.sample_id for item in repeats}) == len(repeats)
    places: dict[str, list[int]] = {}
    for place, item in enumerate(seen):
        places.setdefault(item.sample_id, []).append(place)
    assert all(last - first > 10 for first, last in (p for p in places.values() if len(p) == 2))
    assert len(workspace.labels.current("bank")) == N
    assert {label.sample_id: label.level for label in workspace.labels.current("bank")} == {
        f"q{k}": k % 3 for k in range(N)
    }
    pairs = workspace.annotators.repeat_pairs(run, criterion)
    assert sorted((x.sample_id, x.first, x.again) for x in pairs) == sorted(
        (item.sample_id, int(item.sample_id[1:]) % 3, 0) for item in repeats
    )
    assert workspace.queues.progress(queue, "ann") == QueueProgress(done=75, skipped=0, planned=75)


@pytest.mark.parametrize(("planned", "share", "repeats"), [(32, 0.15, 6), (20, 0.3, 9), (11, 0.2, 3), (10, 0.5, 0)])
def test_an_annotator_gets_the_announced_share_of_repeats(
    workspace: Workspace, run: RunInfo, criterion: Criterion, planned: int, share: float, repeats: int
) -> None:
    """32 · 0.15 / 0.85 = 5.6; 20 · 0.3 / 0.7 = 8.6; 11 · 0.2 / 0.8 = 2.75; of 10 none can lie far enough back."""
    queue = workspace.queues.plan(run, criterion, planned=planned, rules=QueueRules(overlap=2, repeats=share))
    for annotator in ("ann", "bob"):
        assert workspace.queues.progress(queue, annotator).planned == planned + repeats
        seen = work(workspace, run, criterion, queue, annotator)
        assert Counter(item.purpose for item in seen) == Counter(estimate=planned, repeat=repeats)
        assert workspace.queues.progress(queue, annotator) == QueueProgress(len(seen), 0, len(seen))


@pytest.mark.parametrize("annotators", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_repeats_are_spread_over_the_queue(
    workspace: Workspace, run: RunInfo, criterion: Criterion, annotators: int
) -> None:
    queue = workspace.queues.plan(run, criterion, rules=QueueRules(repeats=0.2))
    halves = [0, 0]
    for annotator in (f"annotator {k}" for k in range(annotators)):
        for place, item in enumerate(work(workspace, run, criterion, queue, annotator)):
            halves[place >= 43] += item.purpose == "repeat"  # places 11 to 74 can have one
    assert sum(halves) == 15 * annotators
    assert min(halves) >= 7.5 * annotators - 3 * (15 * annotators / 4) ** 0.5  # half of them less three deviations


def test_what_is_to_go_is_what_will_come(workspace: Workspace, run: RunInfo, criterion: Criterion) -> None:
    """Others label part of the items, and there is less gold than planned: what is left counts down to 0."""
    rules = QueueRules(overlap=2, repeats=0.15, gold=0.1)
    queue = workspace.queues.plan(run, criterion, planned=40, rules=rules)
    drawn = {item.sample_id for item in workspace.queues.items(queue)}
    outside = sorted({f"q{k}" for k in range(N)} - drawn)[:2]
    workspace.gold.add(run, criterion, dict.fromkeys(outside, 2), author="lead")
    for _ in range(15):
        for annotator in ("bob", "cem"):
            if item := workspace.queues.next_item(queue, annotator):
                give(workspace, run, criterion, item, annotator, 1)
    to_go = []
    while item := workspace.queues.next_item(queue, "ann"):
        to_go.append(workspace.queues.progress(queue, "ann").open)
        if len(to_go) == 5:
            workspace.labels.skip(run, criterion, item.sample_id, annotator="ann", item=item, reason="unclear")
        else:
            give(workspace, run, criterion, item, "ann", 1)
    assert to_go == list(range(len(to_go), 0, -1))
    assert workspace.queues.progress(queue, "ann") == QueueProgress(len(to_go) - 1, 1, len(to_go))


def test_no_gold_items_are_announced_where_there_are_none(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    queue = workspace.queues.plan(run, criterion, planned=40, rules=QueueRules(gold=0.2))
    assert workspace.queues.progress(queue, "ann").planned == 40


def test_gold_items_are_mixed_in_and_never_stand_for_the_run(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    queue = workspace.queues.plan(run, criterion, planned=40, rules=QueueRules(gold=0.2))
    drawn = {item.sample_id for item in workspace.queues.items(queue)}
    outside = sorted({f"q{k}" for k in range(N)} - drawn)[:5]
    inside = sorted(drawn)[0]
    workspace.gold.add(run, criterion, dict.fromkeys([*outside, inside], 2), author="lead", rationale="by the handbook")
    with pytest.raises(ConflictError, match="gold item already"):
        workspace.gold.add(run, criterion, {inside: 1}, author="lead")
    seen = work(workspace, run, criterion, queue, "ann")
    golden = {item.sample_id for item in seen if item.purpose == "gold"}
    assert golden
    assert golden <= set(outside)
    assert {label.sample_id for label in workspace.labels.current("bank")} == drawn
    assert {label.probability for label in workspace.labels.current("bank")} == {40 / 60}
    answers = {x.sample_id: (x.right, x.given) for x in workspace.gold.answers(run, criterion)}
    assert answers == {sample_id: (2, int(sample_id[1:]) % 3) for sample_id in {*golden, inside}}
    # A later queue that draws a gold item gets it labelled all the same: else the run would miss it.
    later = workspace.queues.plan(run, criterion, planned=N, new_round=True)
    assert golden <= {item.sample_id for item in work(workspace, run, criterion, later, "ann")}
    assert len(workspace.labels.current("bank")) == N


def test_boundary_and_informative_queues_store_what_they_drew_with(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    with pytest.raises(HcatError, match="no saved calibration"):
        workspace.queues.plan(run, criterion, kind="boundary")
    p = {f"q{k}": k / (N - 1) for k in range(N)}
    with pytest.raises(HcatError, match="between 0 and 1"):
        workspace.queues.plan(run, criterion, kind="boundary", probabilities={"q1": 1.5})
    boundary = workspace.queues.plan(run, criterion, kind="boundary", planned=15, probabilities=p)
    items = workspace.queues.items(boundary)
    assert len(items) == 15
    by_id = {item.sample_id: item.probability for item in items}
    nearest = min(by_id, key=lambda i: abs(p[i] - 0.5))
    assert by_id[nearest] == max(by_id.values())
    assert min(by_id.values()) >= 0.25 * 15 / N
    informative = workspace.queues.plan(run, criterion, kind="informative", planned=15, probabilities=p)
    assert {item.queue for item in workspace.queues.items(informative)} == {"informative"}
    give(workspace, run, criterion, items[0], "ann", 2)
    [label] = workspace.labels.current("bank")
    assert label.probability == items[0].probability
    assert [queue.name for queue in workspace.queues.all(run, criterion)] == ["boundary", "informative"]


def test_strata_are_those_of_the_draw_also_in_a_second_round(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    workspace.queues.plan(run, criterion, kind="stratified", dimension="area", planned=10)
    second = workspace.queues.plan(run, criterion, kind="stratified", dimension="area", planned=20, new_round=True)
    assert workspace.queues.plans.drawn_strata(run, criterion) is None
    work(workspace, run, criterion, second, "ann")
    assert workspace.queues.plans.drawn_strata(run, criterion) == {f"q{k}": "ab"[k % 2] for k in range(N)}


def test_a_correction_changes_no_probability(workspace: Workspace, run: RunInfo, criterion: Criterion) -> None:
    """It reaches no sample: what another queue gave out meanwhile was not passed over for it."""
    p = {f"q{k}": k / (N - 1) for k in range(N)}
    random = workspace.queues.plan(run, criterion, planned=30)
    for _ in range(10):
        item = workspace.queues.next_item(random, "ann")
        assert item is not None
        give(workspace, run, criterion, item, "ann", 1)
    boundary = workspace.queues.plan(run, criterion, kind="boundary", planned=20, probabilities=p)
    work(workspace, run, criterion, boundary, "ann")
    before = {label.sample_id: label.probability for label in workspace.labels.current("bank", "correctness", run)}
    assert len(set(before.values())) > 2
    workspace.labels.record(run, criterion, next(iter(before)), 0, annotator="ann")
    assert {
        label.sample_id: label.probability for label in workspace.labels.current("bank", "correctness", run)
    } == before


def test_labels_of_two_designs_carry_the_probability_of_their_union(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    p = {f"q{k}": k / (N - 1) for k in range(N)}
    random = workspace.queues.plan(run, criterion, planned=20, rules=QueueRules(overlap=1))
    boundary = workspace.queues.plan(
        run, criterion, kind="boundary", planned=15, probabilities=p, rules=QueueRules(overlap=1)
    )
    work(workspace, run, criterion, random, "ann")
    work(workspace, run, criterion, boundary, "bob")
    of_boundary = {item.sample_id: item.probability for item in workspace.queues.items(boundary)}
    labels = workspace.labels.current("bank", "correctness", run)
    assert {x.sample_id for x in labels} == set(of_boundary) | {x.sample_id for x in workspace.queues.items(random)}
    assert len(labels) == len({label.sample_id for label in labels})  # one label each: bob got none of ann's
    for label in labels:  # both were worked through: 1 − (1 − 20/60)(1 − π)
        if label.sample_id in of_boundary:
            assert label.probability == pytest.approx(1 - (2 / 3) * (1 - of_boundary[label.sample_id]))
    assert min(label.probability for label in labels) > 1 / 3


def test_what_another_queue_labelled_after_one_was_left_was_not_passed_over_by_it(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    """Ann left her queue half-way, then bob worked through his: her items that he labelled were open to her till the
    end, so that she reached 10 of 20, and not 10 of those that he left."""
    p = {f"q{k}": k / (N - 1) for k in range(N)}
    random = workspace.queues.plan(run, criterion, planned=20, rules=QueueRules(overlap=1))
    boundary = workspace.queues.plan(
        run, criterion, kind="boundary", planned=15, probabilities=p, rules=QueueRules(overlap=1)
    )
    for _ in range(10):
        item = workspace.queues.next_item(random, "ann")
        assert item is not None
        give(workspace, run, criterion, item, "ann", 1)
    by_bob = {item.sample_id for item in work(workspace, run, criterion, boundary, "bob")}
    assert by_bob & {item.sample_id for item in workspace.queues.items(random)}
    of_boundary = {item.sample_id: item.probability for item in workspace.queues.items(boundary)}
    for label in workspace.labels.current("bank", "correctness", run):  # 1 − (1 − 10/20 · 20/60)(1 − π)
        if label.sample_id in of_boundary:
            assert label.probability == pytest.approx(1 - (5 / 6) * (1 - of_boundary[label.sample_id]))


def test_disagreements_are_found_shown_to_others_decided_and_kept_out_of_estimates(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    with pytest.raises(HcatError, match="disagree on no sample"):
        workspace.queues.plan(run, criterion, kind="disagreement")
    for sample_id, levels in {"q1": (0, 2), "q2": (1, 1), "q3": (2, 1)}.items():
        for annotator, level in zip(("ann", "bob"), levels, strict=True):
            workspace.labels.record(run, criterion, sample_id, level, annotator=annotator)
    before = workspace.labels.current("bank")
    queue = workspace.queues.plan(run, criterion, kind="disagreement")
    assert {item.sample_id for item in workspace.queues.items(queue)} == {"q1", "q3"}
    assert workspace.queues.next_item(queue, "ann") is None  # she has said what she thinks
    assert {item.sample_id for item in work(workspace, run, criterion, queue, "cem")} == {"q1", "q3"}
    assert workspace.labels.current("bank") == before
    first = workspace.disagreements.adjudicate(run, criterion, "q1", 1, author="lead", rationale="half of it is right")
    second = workspace.disagreements.adjudicate(run, criterion, "q1", 2, author="lead")
    assert (second.supersedes, len(second.label_ids)) == (first.id, 3)
    assert workspace.disagreements.adjudications(run, criterion) == [second]
    assert [(x.sample_id, len(x.labels), x.decided) for x in workspace.disagreements.all(run, criterion)] == [
        ("q3", 3, None),
        ("q1", 3, second),
    ]
    assert workspace.labels.current("bank", decisions=False) == before  # the originals stay
    decision = workspace.labels.current("bank")[-1]
    assert workspace.labels.current("bank") == [*before, decision]
    assert (decision.source, decision.annotator) == ("adjudication", "lead")
    assert (decision.sample_id, decision.level) == ("q1", 2)
    with pytest.raises(HcatError, match="nothing to decide"):
        workspace.disagreements.adjudicate(run, criterion, "q50", 1, author="lead")


def test_nothing_is_revealed_before_the_own_label_is_in(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    workspace.labels.record(run, criterion, "q1", 2, annotator="bob")
    workspace.labels.skip(run, criterion, "q1", annotator="ann")
    with pytest.raises(HcatError, match="label the sample first"):
        workspace.disagreements.reveal(run, criterion, "q1", "ann")
    workspace.labels.record(run, criterion, "q1", 0, annotator="ann")
    revealed = workspace.disagreements.reveal(run, criterion, "q1", "ann")
    assert (revealed.own.level, [x.level for x in revealed.others]) == (0, [2])
    assert (revealed.gold, revealed.decided) == (None, None)
    again = workspace.labels.record(run, criterion, "q1", 1, annotator="ann", details=LabelDetails(blind=True))
    assert again.details.blind is False  # whatever the caller says, and in any later session
    other = workspace.labels.record(run, criterion, "q2", 1, annotator="ann", details=LabelDetails(blind=True))
    assert other.details.blind is True
    for _ in range(3):  # q2, the change of q1, and its first label
        workspace.labels.undo(run, criterion, annotator="ann")
    with pytest.raises(HcatError, match="label the sample first"):
        workspace.disagreements.reveal(run, criterion, "q1", "ann")


@pytest.mark.parametrize("name", ["reference-rule of mine", "adjudication by me"])
def test_a_person_stays_one_under_any_name_in_the_store_and_in_files(
    workspace: Workspace, run: RunInfo, criterion: Criterion, name: str
) -> None:
    workspace.labels.record(run, criterion, "q1", 1, annotator=name)
    [held] = workspace.annotators.independent_labels(run, criterion)
    assert (held.source, held.annotator) == ("person", name)
    assert read_labels(labels_csv([held], criterion).encode(), criterion=criterion).labels == (held,)


def test_who_decides_on_a_sample_keeps_their_own_label_of_it(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    workspace.labels.record(run, criterion, "q1", 0, annotator="lead")
    decision = Label("q1", "correctness", 2, "lead", "v1", "as the table says", source="adjudication")
    workspace.labels.add(run, criterion, [decision])
    assert [(x.source, x.level) for x in workspace.labels.current("bank", run=run)] == [
        ("person", 0),
        ("adjudication", 2),
    ]
    assert [x.level for x in workspace.labels.current("bank", run=run, annotator="lead")] == [0]
    undone = workspace.labels.undo(run, criterion, annotator="lead")
    assert undone is not None and undone.level == 0
    assert workspace.labels.undo(run, criterion, annotator="lead") is None  # the decision came from a file
    assert [(x.source, x.level) for x in workspace.labels.current("bank", run=run)] == [("adjudication", 2)]


def test_a_language_model_is_nobody_in_queues_agreement_and_counts(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    workspace.labels.record(run, criterion, "q1", 0, annotator="ann")
    workspace.labels.add(
        run, criterion, [Label(f"q{k}", "correctness", 2, "a model", source="llm") for k in range(1, 6)]
    )
    assert {label.source for label in workspace.labels.current("bank", run=run)} == {"person", "llm"}
    assert workspace.labels.current("bank", run=run, by="people") == workspace.annotators.independent_labels(
        run, criterion
    )
    assert [x.annotator for x in workspace.annotators.independent_labels(run, criterion)] == ["ann"]
    assert workspace.disagreements.all(run, criterion) == []
    assert workspace.queues.team_progress(workspace.queues.plan(run, criterion)).labels == {"ann": 1}
    assert [x.annotator for x in workspace.exports.with_pseudonyms("bank", workspace.labels.current("bank", run=run))][
        1
    ] == "a model"


def test_a_repeat_cannot_be_unmasked_while_it_is_open(workspace: Workspace, run: RunInfo, criterion: Criterion) -> None:
    queue = workspace.queues.plan(run, criterion, rules=QueueRules(repeats=0.5))
    while (item := workspace.queues.next_item(queue, "ann")) and item.purpose != "repeat":
        give(workspace, run, criterion, item, "ann", 1)
    assert item is not None
    with pytest.raises(HcatError, match="label the sample first"):
        workspace.disagreements.reveal(run, criterion, item.sample_id, "ann")


def test_examples_are_shown_by_level_and_removed_without_being_lost(workspace: Workspace, criterion: Criterion) -> None:
    right = workspace.criteria.add_example("bank", criterion, "The fee is 3.", 2, comment="as the table says")
    wrong = workspace.criteria.add_example("bank", criterion, "The fee is 4.", 0)
    assert workspace.criteria.examples("bank", "correctness") == [wrong, right]
    workspace.criteria.remove_example(wrong)
    assert workspace.criteria.examples("bank", "correctness") == [right]
    with pytest.raises(HcatError, match="no level 3"):
        workspace.criteria.add_example("bank", criterion, "x", 3)
    with pytest.raises(HcatError, match="needs a text"):
        workspace.criteria.add_example("bank", criterion, " ", 1)


def test_pseudonyms_are_stable_keyed_and_turned_back_on_import(
    workspace: Workspace, run: RunInfo, criterion: Criterion, tmp_path: Path
) -> None:
    given = [
        Label("q1", "correctness", 2, "ann", "v1", "=HYPERLINK(1)"),
        Label("q2", "correctness", 0, "Bob @ desk", "v1"),
        Label("q3", "correctness", 1, "reference-rule", "v1", source="rule"),
    ]
    workspace.labels.add(run, criterion, given)
    held = workspace.labels.current("bank", "correctness", run)
    hidden = workspace.exports.with_pseudonyms("bank", held)
    assert hidden == workspace.exports.with_pseudonyms("bank", held)
    assert [label.annotator.startswith("annotator-") for label in hidden] == [True, True, False]
    text = workspace.exports.label_file("bank", criterion, run)
    assert "ann," not in text
    assert "Bob" not in text
    assert "'=HYPERLINK(1)" in text  # no spreadsheet runs it
    back = workspace.exports.with_names("bank", read_labels(text.encode(), criterion=criterion).labels)
    assert back == held
    assert workspace.labels.add(run, criterion, back) == []  # all are in force, word for word
    other = Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'b.db'}", artifacts=str(tmp_path / "artifacts-b"))
    )
    other.projects.create("bank")
    assert other.exports.with_pseudonyms("bank", held)[0].annotator != hidden[0].annotator  # another key
    history = workspace.labels.history("bank")
    assert [x.annotator for x in workspace.exports.log_with_pseudonyms("bank", history)] == [
        x.annotator for x in hidden
    ]


def test_the_exported_log_holds_every_entry_with_all_that_was_recorded(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    details = LabelDetails(
        confidence=5, spans=(EvidenceSpan("answer", 0, 6),), comment="@look", shown=("query", "answer"), blind=True
    )
    workspace.labels.record(run, criterion, "q1", 2, annotator="ann", seconds=3.5, details=details)
    workspace.labels.undo(run, criterion, annotator="ann")
    workspace.labels.cannot_judge(run, criterion, "q1", "-no answer", annotator="ann")
    first, withdrawn, last = csv.DictReader(io.StringIO(workspace.exports.label_log("bank", criterion, run)))
    assert (first["kind"], first["label"], first["superseded"]) == ("label", "right", "True")
    assert (first["confidence"], first["seconds"], first["blind"], first["comment"]) == ("5", "3.5", "True", "'@look")
    assert json.loads(first["spans"]) == [{"part": "answer", "start": 0, "end": 6, "passage": None}]
    assert json.loads(first["shown"]) == ["query", "answer"]
    assert (withdrawn["kind"], withdrawn["supersedes"]) == ("withdrawn", first["id"])
    assert (last["kind"], last["label"], last["rationale"], last["superseded"]) == (
        "cannot_judge",
        "",
        "'-no answer",
        "False",
    )
    assert {row["annotator"] for row in (first, withdrawn, last)} == {first["annotator"]}
    assert first["annotator"].startswith("annotator-")


def test_what_is_mixed_in_leaves_the_pass_rate_right(workspace: Workspace, run: RunInfo, criterion: Criterion) -> None:
    """Every repeat is answered with a fail: with them in it, the pass rate would be less than a third."""
    queue = workspace.queues.plan(run, criterion, planned=N, rules=QueueRules(repeats=0.25, overlap=2))
    for annotator in ("ann", "bob"):
        work(workspace, run, criterion, queue, annotator)
    labels = workspace.labels.current("bank", "correctness", run)
    assert Counter(label.sample_id for label in labels) == Counter({f"q{k}": 2 for k in range(N)})
    rate = np.average([label.level == 2 for label in labels], weights=[1 / label.probability for label in labels])
    assert rate == pytest.approx(20 / 60)  # each third sample


def test_files_of_labels_are_written_a_part_at_a_time_with_the_same_bytes(
    workspace: Workspace, run: RunInfo, criterion: Criterion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log comes from the database, and nothing of it stays in memory."""
    for annotator in ("ann", "bob"):
        for level in (0, 1, 2):  # the later ones supersede
            workspace.labels.record(run, criterion, "q1", level, annotator=annotator, rationale="ä – 5")
    workspace.labels.undo(run, criterion, annotator="bob")
    log, labels = (make("bank", criterion, run) for make in (workspace.exports.label_log, workspace.exports.label_file))
    history = workspace.labels.history("bank", criterion=criterion.name, run=run)
    assert list(workspace.labels.each_entry("bank", criterion, run)) == history and len(history) >= 7
    monkeypatch.setattr(label_reading, "ROWS", 2)
    monkeypatch.setattr(spreadsheet, "ROWS_AT_A_TIME", 2)
    workspace.store.log.reader._kept.clear()
    file = io.BytesIO()
    workspace.exports.write_label_log(file, "bank", criterion, run)
    assert file.getvalue() == log.encode() and not workspace.store.log.reader._kept
    file = io.BytesIO()
    workspace.exports.write_label_file(file, "bank", criterion, run)
    assert file.getvalue() == labels.encode()
    with pytest.raises(NotFoundError):
        list(workspace.labels.each_entry("bank", replace(criterion, name="none"), run))
