from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hcat.core.capabilities.estimates.wording.planning import plan_note, question_title
from hcat.core.errors import HcatError
from hcat.core.estimates.forecast import label_forecast
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.planning import LabelPlan, labels_for_conformal, labels_for_difference, labels_for_width
from hcat.core.estimates.plans import PlanQuestion, plan_labels
from hcat.core.statistics.intervals import proportion_interval


def by_title(plans: tuple[tuple[PlanQuestion, LabelPlan], ...]) -> dict[str, LabelPlan]:
    return {question_title(question): plan for question, plan in plans}


@given(st.integers(1, 500))
def test_the_width_is_just_reached(successes: int) -> None:
    n = 500
    interval = proportion_interval(successes, n)
    plan = labels_for_width(interval.high - interval.low + 1e-9, rate=successes / n)
    assert plan.needed == n
    # One label fewer is too few; a plan subtracts those that are there.
    assert labels_for_width(interval.high - interval.low + 1e-9, rate=successes / n, have=480).more == 20


def test_widths_by_hand() -> None:
    # At 0.5 Wilson's width is z / √(n + z²): 0.1 takes 1.96² · (1/0.01 − 1) = 3.8415 · 99 = 380.3 labels.
    assert labels_for_width(0.1).needed == 381
    # R² = 0.75 with no end of samples: a quarter.
    assert labels_for_width(0.1, quality=0.75).needed == 96


def test_a_run_can_be_too_small() -> None:
    plan = labels_for_width(0.05, samples=200)
    assert (plan.reachable, plan.needed) == (False, 200)
    assert "larger run" in plan_note(plan)
    # 1 / ((1 − R²)/n + R²/N) ≥ 380.3 with R² = 0.5, N = 500: 0.5/n ≤ 1/380.3 − 0.001 → n ≥ 306.8.
    assert labels_for_width(0.1, quality=0.5, samples=500).needed == 307


def test_differences_by_hand() -> None:
    # Rates 0.7 and 0.8, independent: variance 0.21 + 0.16 = 0.37; (1.96 + 0.8416)² · 0.37 / 0.01 = 290.4 → 291 + 2.
    assert labels_for_difference(0.1, rates=(0.7, 0.8)).needed == 293
    # Half the variance when the labels go together, or the metric explains half of it.
    assert labels_for_difference(0.1, rates=(0.7, 0.8), quality=0.5).needed == 148
    assert labels_for_difference(0.1, rates=(0.7, 0.8), correlation=0.5).needed < 160


def test_a_difference_can_be_too_small_for_a_run() -> None:
    assert labels_for_difference(0.1, rates=(0.7, 0.8), samples=293).reachable
    plan = labels_for_difference(0.1, rates=(0.7, 0.8), samples=30, have=10)
    assert (plan.reachable, plan.needed, plan.more) == (False, 30, 20)
    # (1.96 + 0.8416) · √(0.37 / 30) = 0.311
    assert "about 0.311: a larger run" in plan_note(plan)
    # 1/290.4 = 1/500 + 0.5 (1/n − 1/500) → n = 204.6 → 205 + 2, where the metric explains half of the variance.
    assert labels_for_difference(0.1, rates=(0.7, 0.8), quality=0.5, samples=500).needed == 207
    # Trials of few test cases tell too little even when all are labelled.
    assert not labels_for_difference(0.1, rates=(0.7, 0.8), samples=1000, n_all=250).reachable


def test_thresholds_can_take_more_labels_than_a_run_has() -> None:
    plan = labels_for_conformal(0.1, samples=30, have=10)
    assert (plan.reachable, plan.needed, plan.more) == (False, 30, 20)
    assert "45 labels in all, of 30 samples" in plan_note(plan)
    assert labels_for_conformal(0.1, samples=45).reachable


def test_no_plan_goes_beyond_the_run() -> None:
    run = labelled_run([1.0] * 8 + [0.0] * 4 + [np.nan] * 18, np.full(30, np.nan))
    plans = [plan for _, plan in plan_labels(label_forecast(run), width=0.1)]
    assert all(plan.needed <= 30 and plan.more <= 18 for plan in plans)
    assert not any(plan.reachable for plan in plans) and all(plan_note(plan) for plan in plans)


def test_a_run_without_samples_reaches_nothing() -> None:
    assert not any(plan.reachable for _, plan in plan_labels(label_forecast(labelled_run([], [])), width=0.1))


def test_before_any_label_a_plan_takes_plain_ones() -> None:
    plans = by_title(plan_labels(label_forecast(labelled_run(np.full(1000, np.nan), np.full(1000, np.nan))), width=0.1))
    assert plans["an interval 10% wide, labels only"] == plans["an interval 10% wide, with the metric"]
    assert plans["an interval 10% wide, labels only"].more == labels_for_width(0.1, samples=1000).needed == 381


def test_conformal_levels_by_hand() -> None:
    # α = 0.1 takes 9 labels in the split of 30 %: the smallest total of which Bin(total, 0.3) ≥ 9 with 0.95.
    plan = labels_for_conformal(0.1)
    assert stats.binom.sf(8, plan.needed, 0.3) >= 0.95 > stats.binom.sf(8, plan.needed - 1, 0.3)
    assert plan.needed == 45
    assert labels_for_conformal(0.1, have=40).more == 5
    rare = labels_for_conformal(0.1, shares={"common": 0.9, "rare": 0.1})
    assert stats.binom.sf(8, rare.needed, 0.03) >= 0.975 > stats.binom.sf(8, rare.needed - 1, 0.03)


@pytest.mark.parametrize(("alpha", "tolerance"), [(0.1, 0.05), (0.2, 0.05), (0.05, 0.03)])
def test_the_tolerance_is_held_by_the_beta_law(alpha: float, tolerance: float) -> None:
    plan = labels_for_conformal(alpha, tolerance=tolerance, split=1.0)
    # From there on one (1/α) period of sizes all hold, and the size before did not.
    for n in range(plan.needed, plan.needed + int(1 / alpha)):
        below = int(np.floor((n + 1) * alpha + 1e-9))
        assert stats.beta.cdf(1 - alpha - tolerance, n + 1 - below, below) <= 0.05
    n = plan.needed - 1
    below = int(np.floor((n + 1) * alpha + 1e-9))
    assert stats.beta.cdf(1 - alpha - tolerance, n + 1 - below, below) > 0.05


def test_impossible_plans_are_refused() -> None:
    for bad in (0.0, 1.0):
        with pytest.raises(HcatError):
            labels_for_width(bad)
    with pytest.raises(HcatError):
        labels_for_width(0.1, quality=1.0)
    with pytest.raises(HcatError):
        labels_for_difference(0.0, rates=(0.5, 0.5))
    with pytest.raises(HcatError):
        labels_for_difference(0.1, rates=(0.5, 0.6), power=1.0)
    with pytest.raises(HcatError):
        labels_for_conformal(0.1, shares={"a": 0.0})
    with pytest.raises(HcatError):
        labels_for_conformal(0.1, tolerance=0.95)


def test_a_plan_in_hand_is_the_interval_in_hand_where_trials_are_labelled() -> None:
    """Five equal labels a test case: asked for the width that 200 of them gave, the plan said 40 were enough."""
    passed = np.repeat(np.arange(40) % 4 != 0, 5).astype(float)
    run = labelled_run(
        np.concatenate([passed, np.full(800, np.nan)]), np.full(1000, np.nan), clusters=np.arange(1000) // 5
    )
    ahead = label_forecast(run)
    now = ahead.estimates
    assert now.labels_only_effective_n == pytest.approx(40, rel=0.05)
    width = now.labels_only.high - now.labels_only.low
    plans = by_title(plan_labels(ahead, width=width + 1e-9))
    assert plans[f"an interval {width:.0%} wide, labels only"].in_half == 200
    alone = labels_for_difference(0.1, rates=(0.6, 0.7))
    assert labels_for_difference(0.1, rates=(0.6, 0.7), efficiency=0.2).needed == pytest.approx(
        5 * (alone.needed - 2) + 2, abs=5
    )
    with pytest.raises(HcatError, match="positive number"):
        labels_for_width(0.1, efficiency=0.0)
