"""Labels as they stood at a moment: queues that came later had no part in how the first of them were drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.estimates.estimate import estimate_pass_rate, learning_curve
from hcat.core.estimates.label_evaluation import CalibrationSpec, ScoredRun, history, in_order
from hcat.core.labelling.records import QueueInfo
from hcat.core.opened.columns import FileColumns
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.project import RunInfo
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace

N = 200
IDS = [f"q{k:03}" for k in range(N)]
PASS = (np.arange(N) + 0.5) / N
"""The probability of a pass that draws the boundary queue, which takes most at the middle."""
CORRECTNESS = Criterion("correctness")


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    samples = [Sample(name, f"query {name}", "answer") for name in IDS]
    made = workspace.runs.add(workspace.projects.create("bank"), "v1", samples, source="x")
    workspace.criteria.add("bank", CORRECTNESS)
    return made


def scores() -> ScoreTable:
    frame = pd.DataFrame({"m": PASS}, index=pd.Index(IDS, name="sample_id", dtype="str"))
    return ScoreTable(frame, Provenance("0", "h", ("m",)))


def opened(workspace: Workspace, run: RunInfo) -> Opened:
    """The run with its labels as they stand, and scores that are not stored."""
    columns = RunColumns(run.name, FileColumns(lambda: workspace.runs.samples(run), scores))
    return workspace.run_data.open(run, columns=columns)


def label(workspace: Workspace, run: RunInfo, queue: QueueInfo, labels: int) -> None:
    """Labels by ann on the queue's next samples; most of those above the middle pass."""
    for _ in range(labels):
        item = workspace.queues.next_item(queue, "ann")
        assert item is not None
        place = IDS.index(item.sample_id)
        level = int((place >= N // 2) != (place % 7 == 0))
        workspace.labels.record(run, CORRECTNESS, item.sample_id, level, annotator="ann", item=item)


def random_then_boundary(workspace: Workspace, run: RunInfo) -> tuple[Label, ...]:
    at_random(workspace, run)
    at_the_boundary(workspace, run)
    return in_order(workspace.labels.current("bank", run=run))


def at_random(workspace: Workspace, run: RunInfo) -> None:
    label(workspace, run, workspace.queues.plan(run, CORRECTNESS, planned=100), 40)


def at_the_boundary(workspace: Workspace, run: RunInfo) -> None:
    probabilities = dict(zip(IDS, PASS.tolist(), strict=True))
    boundary = workspace.queues.plan(run, CORRECTNESS, kind="boundary", planned=60, probabilities=probabilities)
    label(workspace, run, boundary, 30)


def test_the_first_labels_have_the_draws_of_their_time(workspace: Workspace, run: RunInfo) -> None:
    ordered = random_then_boundary(workspace, run)
    assert len({x.probability for x in ordered[:40]}) > 2  # of the union with the boundary queue
    alone = workspace.labels.as_first_sampled(run, ordered[:40])
    assert {x.probability for x in alone} == {0.5}  # 100 of 200 were drawn
    assert [(x.sample_id, x.level) for x in alone] == [(x.sample_id, x.level) for x in ordered[:40]]
    assert tuple(workspace.labels.as_first_sampled(run, ordered)) == ordered
    # Ten labels into the second queue, that has reached a third of what it has by now.
    assert workspace.labels.as_first_sampled(run, ordered[:50])[0].probability < ordered[0].probability


def test_labels_of_one_queue_stay_as_they_are(workspace: Workspace, run: RunInfo) -> None:
    label(workspace, run, workspace.queues.plan(run, CORRECTNESS, planned=100), 20)
    ordered = in_order(workspace.labels.current("bank", run=run))
    assert tuple(workspace.labels.as_first_sampled(run, ordered[:10])) == ordered[:10]


def test_a_decision_has_the_draw_of_the_labels_that_it_decides(workspace: Workspace, run: RunInfo) -> None:
    first = random_then_boundary(workspace, run)[0]
    decision = first._replace(level=1, annotator="zoe", source="adjudication")
    assert [x.probability for x in workspace.labels.as_first_sampled(run, [first, decision])] == [0.5, 0.5]
    assert workspace.labels.as_first_sampled(run, [decision]) == [decision]


def test_points_of_the_learning_curve_are_those_seen_at_the_time(workspace: Workspace, run: RunInfo) -> None:
    at_random(workspace, run)
    then = learning_curve(opened(workspace, run), CORRECTNESS, metrics=["m"])[-1]
    at_the_boundary(workspace, run)
    points = learning_curve(opened(workspace, run), CORRECTNESS, metrics=["m"])
    levels = [x.level for x in in_order(workspace.labels.current("bank", run=run))]
    for point in points:
        if point.labels <= 40:
            assert point.estimates.labels_only.value == pytest.approx(np.mean(levels[: point.labels]))
    assert then.labels == 40 and points[-1].labels == 70
    now = estimate_pass_rate(opened(workspace, run), CORRECTNESS, metrics=["m"])
    assert points[-1].estimates == now


def test_points_of_the_history_are_those_seen_at_the_time(workspace: Workspace, run: RunInfo) -> None:
    at_random(workspace, run)
    question, known = CalibrationSpec(CORRECTNESS, ("m",)), ScoredRun(scores())
    then = history(workspace.labels.current("bank", run=run), known, question)
    at_the_boundary(workspace, run)
    labels = workspace.labels.current("bank", run=run)
    seen = {point.labels: point.pass_rate for point in then}
    found = history(labels, known, question, alone=lambda first: workspace.labels.as_first_sampled(run, first))
    early = {point.labels: point.pass_rate for point in found if point.labels <= 40}
    assert early == {size: seen[size] for size in early} and len(early) == 5
    without = {point.labels: point.pass_rate for point in history(labels, known, question)}
    assert without[40] != seen[40]


@pytest.mark.parametrize("drawn_by", [at_the_boundary, random_then_boundary])
def test_each_sample_has_the_threshold_of_its_own_weight(
    workspace: Workspace, run: RunInfo, drawn_by: Callable[[Workspace, RunInfo], object]
) -> None:
    """The queues tell with which probability each sample could be drawn, also those that nobody has labelled."""
    drawn_by(workspace, run)
    given = {x.sample_id: x.probability for x in workspace.labels.current("bank", run=run)}
    inclusion = workspace.run_data.open(run).inclusion(CORRECTNESS)
    assert inclusion is not None
    assert set(inclusion) == set(IDS)
    assert {name: inclusion[name] for name in given} == pytest.approx(given)
    calibration = calibrate(opened(workspace, run), CORRECTNESS, metrics=["m"])
    assert calibration.weights == pytest.approx({name: 1 / p for name, p in inclusion.items()})


def test_probabilities_of_unions_follow_each_label_change_and_queue(workspace: Workspace, run: RunInfo) -> None:
    """What is kept from the last time is what somebody who opens the store anew computes."""

    def told() -> list[Label]:
        return list(in_order(workspace.labels.current("bank", run=run)))

    def anew() -> list[Label]:
        with Workspace.open(workspace.settings) as other:
            return list(in_order(other.labels.current("bank", run=run)))

    random_then_boundary(workspace, run)
    seen = [told()]
    assert seen[-1] == anew()
    queue = workspace.queues.plan(run, CORRECTNESS, planned=30, new_round=True)
    for change in (
        lambda: label(workspace, run, queue, 3),
        lambda: workspace.labels.undo(run, CORRECTNESS, annotator="ann"),
        lambda: workspace.labels.record(run, CORRECTNESS, seen[0][0].sample_id, 0, annotator="ann"),
        lambda: label(workspace, run, workspace.queues.plan(run, CORRECTNESS, planned=20, new_round=True), 2),
    ):
        change()
        assert told() == told() == anew()
        assert told() != seen[-1]
        seen.append(told())
