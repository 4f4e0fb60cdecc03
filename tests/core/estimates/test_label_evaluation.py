"""One joining of labels and scores for calibration and pass rate, and how both moved as labels came."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.estimates.label_evaluation import (
    CalibrationSpec,
    ScoredRun,
    evaluate_labels,
    history,
    history_sizes,
    in_order,
)
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label
from tests.core.calibration.calibration_file import calibration_json
from tests.core.estimates.whole_run import estimate_run

CORRECTNESS = Criterion("correctness")
QUESTION = CalibrationSpec(CORRECTNESS, ("good",))
START = datetime(2025, 3, 3, 9, tzinfo=UTC)


def made(labelled: int, *, total: int = 400) -> tuple[list[Label], ScoreTable]:
    rng = np.random.default_rng(5)
    good = rng.random(total)
    passed = rng.random(total) < 1 / (1 + np.exp(-7 * (good - 0.45)))
    index = pd.Index([f"s{i}" for i in range(total)], name="sample_id", dtype="str")
    table = ScoreTable(pd.DataFrame({"good": good}, index=index), Provenance("0", "r", ("good",)))
    return [
        Label(f"s{i}", "correctness", int(passed[i]), "ann", at=START + timedelta(minutes=i)) for i in range(labelled)
    ], table


def test_the_standing_is_what_calibration_and_estimate_say_each_alone() -> None:
    labels, table = made(200)
    cases = {name: name for name in table.sample_ids}
    found = evaluate_labels(labels, ScoredRun(table, cases), QUESTION)
    alone = calibrate(labels, table, criterion=CORRECTNESS, metrics=["good"], test_cases=cases)
    assert found.calibration is not None and calibration_json(found.calibration) == calibration_json(alone)
    assert found.estimates == estimate_run(labels, table, criterion=CORRECTNESS, metrics=["good"])
    assert found.n == 200 and not found.problem


def test_without_replicates_only_bootstrapped_numbers_are_missing() -> None:
    labels, table = made(200)
    quick = evaluate_labels(labels, ScoredRun(table), QUESTION, replicates=0).calibration
    full = evaluate_labels(labels, ScoredRun(table), QUESTION).calibration
    assert quick is not None and full is not None and quick.diagnostics is not None and full.diagnostics is not None
    assert quick.diagnostics.brier_parts is None and full.diagnostics.brier_parts is not None
    some, every = quick.diagnostics.ece_corrected, full.diagnostics.ece_corrected
    assert some is not None and every is not None
    assert some.value == every.value and math.isnan(some.low) and every.low <= every.value < every.high
    assert quick.diagnostics.coverage == full.diagnostics.coverage and quick.threshold == full.threshold
    assert quick.fit_for_use == full.fit_for_use


def test_too_few_labels_say_how_many_are_missing_and_still_estimate() -> None:
    labels, table = made(6)
    found = evaluate_labels(labels, ScoredRun(table), QUESTION)
    assert found.calibration is None and found.needed > 0 and "more labels" in found.problem
    assert found.estimates.labels_only.n == 6


def test_trials_of_a_test_case_count_as_one_cluster() -> None:
    _, table = made(200)
    alone = {name: name for name in table.sample_ids}
    pairs = {name: f"case-{int(name[1:]) // 2}" for name in table.sample_ids}
    assert ScoredRun(table, alone).shared_clusters is None and ScoredRun(table).shared_clusters is None
    assert ScoredRun(table, pairs).shared_clusters is pairs


def test_labels_come_in_order_of_time() -> None:
    late = Label("a", "correctness", 1, "ann", at=START + timedelta(hours=1))
    early = Label("b", "correctness", 1, "ann", at=datetime(2025, 3, 3, 9, 30))
    undated = Label("c", "correctness", 1, "ann")
    assert in_order([late, early, undated]) == (undated, early, late)


def test_sizes_stay_where_they_are_as_labels_come() -> None:
    # 10 · √2^k: 10, 14.1, 20, 28.3, 40, 56.6, 80, 113.1
    assert history_sizes(100) == (10, 14, 20, 28, 40, 57, 80, 100)
    assert history_sizes(0) == () and history_sizes(4) == (4,) and history_sizes(10) == (10,)
    assert set(history_sizes(100)[:-1]) < set(history_sizes(1000))


def test_the_history_ends_where_things_stand() -> None:
    labels, table = made(200)
    run = ScoredRun(table)
    found = history([*reversed(labels)], run, QUESTION)
    now = evaluate_labels(labels, run, QUESTION, replicates=0)
    last = found[-1]
    assert [point.labels for point in found] == list(history_sizes(200))
    assert now.calibration is not None and now.calibration.diagnostics is not None
    assert last.q_hat == now.calibration.threshold.q_hat and last.coverage == now.calibration.diagnostics.coverage
    assert last.pass_rate == now.estimates.ppi and last.enough
    first = evaluate_labels(labels[: found[2].labels], run, QUESTION, replicates=0)
    assert found[2].pass_rate == first.estimates.ppi
    widths = [point.pass_rate.high - point.pass_rate.low for point in found]
    assert widths[-1] < widths[0]


def test_points_without_a_calibration_have_no_q_hat() -> None:
    labels, table = made(9)
    first = history(labels, ScoredRun(table), QUESTION)[0]
    assert math.isnan(first.q_hat) and first.coverage is None and first.auc is None and not first.enough
    assert first.pass_rate.n == 9


@pytest.mark.parametrize("people", [1, 3])
def test_several_labels_of_a_sample_count_as_their_majority(people: int) -> None:
    labels, table = made(60)
    several = [Label(x.sample_id, "correctness", x.level, f"ann-{k}", at=x.at) for x in labels for k in range(people)]
    assert (
        evaluate_labels(several, ScoredRun(table), QUESTION).estimates
        == evaluate_labels(labels, ScoredRun(table), QUESTION).estimates
    )
