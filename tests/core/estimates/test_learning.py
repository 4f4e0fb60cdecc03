"""Learning curves, their forecast, and the rule that says when to stop."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.estimates.wording.planning import decision_sentence
from hcat.core.errors import HcatError
from hcat.core.estimates.forecast import label_forecast
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.learning import forecast, learning_curve
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.estimates.stopping import decide, labels_to_decide
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label
from tests.core.estimates.whole_run import estimate_run

CRITERION = Criterion("correct")
NAN = math.nan


def labelled_scores(n: int = 300, labelled: int = 120) -> tuple[list[Label], ScoreTable]:
    rng = np.random.default_rng(12)
    score = rng.normal(size=n)
    passed = rng.random(n) < 1 / (1 + np.exp(-2 * score))
    start = datetime(2025, 3, 1, tzinfo=UTC)
    labels = [
        Label(f"s{i}", "correct", int(passed[i]), at=start + timedelta(minutes=i), probability=labelled / n)
        for i in range(labelled)
    ]
    index = pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str")
    return labels, ScoreTable(pd.DataFrame({"m": score}, index=index), Provenance("0", "h", ("m",)))


def some_run(passes: int, fails: int, *, more: int = 1000) -> LabelledRun:
    passed = [1.0] * passes + [0.0] * fails + [NAN] * more
    return labelled_run(passed, np.full(len(passed), 0.5))


def test_points_come_in_order_of_time_and_end_with_all_labels() -> None:
    labels, scores = labelled_scores()
    points = learning_curve(reversed(labels), scores, criterion=CRITERION, metrics=["m"], points=5)
    assert [point.labels for point in points] == [10, 19, 35, 64, 120]  # 10 · 12^(k/4), rounded
    assert points[-1].estimates == estimate_run(labels, scores, criterion=CRITERION, metrics=["m"])
    first = estimate_run(labels[:35], scores, criterion=CRITERION, metrics=["m"])
    assert points[2].estimates == first


def test_no_labels_no_curve() -> None:
    labels, scores = labelled_scores()
    assert learning_curve([], scores, criterion=CRITERION, metrics=["m"]) == ()
    [one] = learning_curve(labels[:4], scores, criterion=CRITERION, metrics=["m"])
    assert one.labels == 4


def test_a_forecast_at_the_present_number_is_the_present_width() -> None:
    labels, scores = labelled_scores()
    ahead = label_forecast(prepare_run(labels, scores, criterion=CRITERION, metrics=["m"]).run)
    now = ahead.estimates
    assert now == estimate_run(labels, scores, criterion=CRITERION, metrics=["m"])
    [point] = forecast(ahead, [120])
    assert point.width == pytest.approx(now.ppi.high - now.ppi.low, rel=1e-9)
    assert point.low <= point.width <= point.high


def test_four_times_the_labels_halve_the_width_of_a_long_run() -> None:
    one, four = forecast(label_forecast(some_run(60, 60, more=1_000_000)), [120, 480])
    assert four.width == pytest.approx(one.width / 2, rel=0.02)


def test_no_interval_no_forecast() -> None:
    assert forecast(label_forecast(some_run(1, 0)), [50]) == ()


def test_the_rule_stops_on_either_side_of_the_threshold() -> None:
    # 200 of 200 pass: Wilson's lower bound at 99 % is 200 / (200 + 2.576²) = 0.968.
    assert decide(some_run(200, 0), 0.9).verdict == "reached"
    assert decide(some_run(200, 0), 0.9, looks=5).interval.low == pytest.approx(200 / (200 + 2.5758**2), abs=1e-4)
    assert decide(some_run(120, 80), 0.9).verdict == "missed"
    assert decide(some_run(180, 20), 0.9).verdict == "go on"
    assert decide(some_run(180, 20), 0.9).stop is False


def test_all_samples_labelled_leave_nothing_to_go_on_with() -> None:
    decision = decide(some_run(180, 20, more=0), 0.9)
    assert (decision.verdict, decision.stop) == ("out of reach", True)
    assert "larger run" in decision_sentence(decision)


def test_nearly_all_samples_labelled_can_be_out_of_reach_too() -> None:
    """The present interval is no wider than where the final one would still hold the threshold."""
    rng = np.random.default_rng(1)
    truth = (rng.random(400) < 0.9).astype(float)
    passed = truth.copy()
    passed[:8] = NAN
    # A metric that knows the truth leaves no doubt about the eight that are not labelled.
    assert decide(labelled_run(passed, 0.1 + 0.8 * truth), float(truth.mean())).verdict == "out of reach"


def test_few_labels_never_decide() -> None:
    decision = decide(some_run(29, 0), 0.5)
    assert (decision.verdict, decision.cause) == ("go on", "few labels")
    assert decision_sentence(decision) == "Fewer than 30 labels: at least 1 more is needed."


def test_no_decision_on_labels_of_which_a_few_weigh_most() -> None:
    # (Σw)² / Σw² = (38 + 2 · 20)² / (38 + 2 · 400) = 7.3 labels of equal weight, of 40.
    run = replace(some_run(40, 0), weights=np.where(np.arange(1040) < 2, 20.0, 1.0))
    decision = decide(run, 0.2)
    assert (decision.verdict, decision.cause) == ("go on", "labels worth few")
    assert "worth fewer than 30 of equal weight" in decision_sentence(decision)
    assert decide(replace(run, weights=np.ones(1040)), 0.2).verdict == "reached"


def test_more_looks_ask_for_more() -> None:
    widths = [(found := decide(some_run(90, 30), 0.5, looks=looks).interval).high - found.low for looks in (1, 5, 20)]
    assert widths == sorted(widths)


def test_labels_to_decide_are_those_at_which_the_forecast_clears_the_threshold() -> None:
    needed = labels_to_decide(label_forecast(some_run(170, 30, more=100_000)), 0.8)
    assert needed is not None
    # Wilson: 0.85 clears 0.8 once 1.96 · √(0.8 · 0.2 / n) = 0.05, so n = 246.
    assert needed == pytest.approx(246, abs=3)
    assert labels_to_decide(label_forecast(some_run(170, 30, more=5)), 0.85) is None


def test_a_run_of_less_than_the_least_labels_never_decides() -> None:
    assert labels_to_decide(label_forecast(some_run(12, 0, more=8)), 0.5) is None
    assert labels_to_decide(label_forecast(some_run(12, 0, more=18)), 0.5) == 30


def test_labels_of_one_test_case_say_so() -> None:
    run = some_run(20, 20, more=60)
    decision = decide(replace(run, clusters=np.zeros(100, dtype=np.intp)), 0.5)
    assert decision.verdict == "go on" and "a single cluster" in decision_sentence(decision)


@pytest.mark.parametrize(("threshold", "looks"), [(0.0, 1), (1.0, 1), (0.5, 0)])
def test_a_decision_takes_a_threshold_inside_and_a_look(threshold: float, looks: int) -> None:
    with pytest.raises(HcatError):
        decide(some_run(20, 20), threshold, looks=looks)


@given(st.integers(30, 80), st.integers(0, 80), st.floats(0.05, 0.95))
def test_verdicts_agree_with_the_interval(passes: int, fails: int, threshold: float) -> None:
    decision = decide(some_run(passes, fails), threshold)
    inside = decision.interval.low < threshold <= decision.interval.high
    assert inside == (decision.verdict in ("go on", "out of reach"))
