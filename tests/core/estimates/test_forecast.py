"""What more labels would tell, from the interval that there is to that of all samples labelled."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.estimates.wording.planning import plan_note
from hcat.core.estimates.forecast import label_forecast
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.learning import forecast
from hcat.core.estimates.plans import plan_labels
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.statistics.effective_n import interval_n, rate_interval
from hcat.core.types import Estimate

NAN = math.nan


def trials(rows: object, *, cases: int = 60, each: int = 5, seed: int = 3) -> LabelledRun:
    """Trials of test cases that differ much from one another, of which these rows are labelled."""
    rng = np.random.default_rng(seed)
    case = np.repeat(np.arange(cases), each)
    truth = (rng.random(cases * each) < rng.beta(0.6, 0.3, cases)[case]).astype(float)
    passed = np.full(cases * each, NAN)
    passed[rows] = truth[rows]
    return labelled_run(passed, np.full(cases * each, NAN), clusters=case)


def width(interval: Estimate) -> float:
    return interval.high - interval.low


@given(st.floats(0, 1), st.floats(1.5, 1e6), st.floats(0.5, 0.999))
def test_the_effective_n_of_an_interval_is_that_which_made_it(rate: float, n: float, level: float) -> None:
    made = rate_interval(rate, n, n=10, level=level, method="")
    assert interval_n(made) == pytest.approx(n, rel=1e-6)


def test_no_bounds_no_effective_n() -> None:
    assert math.isnan(interval_n(rate_interval(0.5, NAN, n=1, method="")))


def test_the_quality_is_what_the_errors_show() -> None:
    # (powered / labels only)² = 1 − R² (1 − n/N), but for the degree of freedom that λ costs.
    rng = np.random.default_rng(8)
    x = rng.normal(size=2000)
    p = 1 / (1 + np.exp(-3 * x))
    passed = np.where(np.arange(2000) < 500, rng.random(2000) < p, NAN)
    ahead = label_forecast(labelled_run(passed, p))
    saved = 1 - (ahead.estimates.standard_error / ahead.estimates.labels_only_standard_error) ** 2
    assert ahead.quality == pytest.approx(saved / 0.75, abs=0.01)
    assert label_forecast(labelled_run(passed[:500], p[:500])).quality == 0


def test_strata_tell_nothing_more_once_all_are_labelled() -> None:
    rng = np.random.default_rng(1)
    stratum = np.repeat(["a", "b"], 300)
    truth = np.where(stratum == "a", rng.random(600) < 0.97, rng.random(600) < 0.05).astype(float)
    drawn = np.arange(600) % 300 < 40
    ahead = label_forecast(labelled_run(np.where(drawn, truth, NAN), np.full(600, NAN), strata=stratum))
    real = estimate_pass_rate(labelled_run(truth, np.full(600, NAN), strata=stratum)).ppi
    now, end = forecast(ahead, [80, 600])
    assert ahead.plain_efficiency > 2.5
    assert now.width == pytest.approx(width(ahead.estimates.ppi), rel=1e-9)
    assert end.width == pytest.approx(width(real), rel=0.02)


def test_trials_of_a_test_case_tell_less_even_once_all_are_labelled() -> None:
    """ρ is near 1/(0.9 + 1) = 0.53 by the law that rates are drawn from: 300 / (1 + 4 · 0.53) = 96."""
    ahead = label_forecast(trials(slice(0, 150)))
    assert ahead.n_all == pytest.approx(96, rel=0.2)
    now, end = forecast(ahead, [150, 300])
    assert now.width == pytest.approx(width(ahead.estimates.ppi), rel=1e-9)
    assert end.width == pytest.approx(width(estimate_pass_rate(trials(slice(None))).ppi), rel=0.1)


def test_with_all_samples_labelled_the_outlook_is_the_interval() -> None:
    for run in (trials(slice(None)), labelled_run(np.arange(50) % 2, np.full(50, NAN))):
        ahead = label_forecast(run)
        [end] = forecast(ahead, [ahead.estimates.n_samples])
        assert end.width == pytest.approx(width(ahead.estimates.ppi), rel=1e-9)
        assert ahead.plain_efficiency == ahead.powered_efficiency == 1


def test_trials_never_labelled_together_are_taken_to_agree() -> None:
    # One trial of each of 60 test cases: at worst, 300 tell as 60 do, on 59 degrees (t 2.001) for 299 (1.968).
    ahead = label_forecast(trials(slice(0, 300, 5)))
    assert ahead.n_all == pytest.approx(60, rel=0.05)
    # Nor do labels tell that all agree: 20 test cases, of which t is 2.093 for 1.984, so 18.
    agreed = labelled_run([1.0] * 40 + [NAN] * 60, np.full(100, NAN), clusters=np.arange(100) // 5)
    assert label_forecast(agreed).n_all == pytest.approx(18, rel=0.01)


def test_thresholds_are_planned_in_clusters() -> None:
    ahead = label_forecast(trials(slice(0, 150)))
    assert (ahead.clusters, ahead.labelled_clusters) == (60, 30)
    for question, plan in plan_labels(ahead, width=0.1):
        if question.goal == "thresholds" and question.tolerance is None:
            # 9 each, and 45 in all for these with probability 0.95: of clusters, since labels of one go together.
            assert (plan.needed, plan.more, plan.reachable) == (45, 15, True)
            assert "needs 9 clusters" in plan_note(plan) and "Numbers count clusters with a label" in plan_note(plan)
    alone = label_forecast(labelled_run(np.arange(50) % 2, np.full(50, NAN)))
    assert alone.clusters is None


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 200), st.integers(1, 6))
def test_more_labels_never_widen_the_interval(passes: int, fails: int, more: int, each: int) -> None:
    passed = np.array([1.0] * passes + [0.0] * fails + [NAN] * more)
    passed = np.random.default_rng(passes).permutation(passed)
    ahead = label_forecast(labelled_run(passed, np.full(len(passed), NAN), clusters=np.arange(len(passed)) // each))
    if ahead.known:
        sizes = sorted({ahead.estimates.n_labels, (ahead.estimates.n_labels + len(passed)) // 2, len(passed)})
        widths = [point.width for point in forecast(ahead, sizes)]
        assert widths == sorted(widths, reverse=True)
        assert widths[0] == pytest.approx(width(ahead.estimates.ppi), rel=1e-6)
