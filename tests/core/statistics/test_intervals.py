"""Intervals: known values, parity, and simulated coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq
from statsmodels.api import OLS
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from hcat.core.arrays import Floats
from hcat.core.statistics.bounded_mean import bounded_mean_bounds
from hcat.core.statistics.effective_n import rate_interval
from hcat.core.statistics.intervals import CLUSTERS_ALIKE, mean_interval, proportion_interval

DRAWS = 2_000


def _tolerance(level: float = 0.95) -> float:
    """Four standard errors of a simulated coverage."""
    return 4 * math.sqrt(level * (1 - level) / DRAWS)


def test_a_mean_by_hand() -> None:
    # mean 2, s = 1, t(0.975, 2) = 4.302653: half width 4.302653 / √3 = 2.484138
    estimate = mean_interval([1.0, 2.0, 3.0])
    assert (estimate.value, estimate.n, estimate.level, estimate.method) == (2.0, 3, 0.95, "t")
    assert estimate.low == pytest.approx(2 - 2.484138, abs=1e-6)
    assert estimate.high == pytest.approx(2 + 2.484138, abs=1e-6)


def test_a_weighted_mean_by_hand() -> None:
    # weights 1 and 3: mean (1·0 + 3·1)/4 = 3/4; residuals (1·−3/4, 3·1/4)/4 = (−3/16, 3/16)
    # variance 2/1 · 2 · 9/256 = 9/64, standard error 3/8; t(0.975, 1) = 12.706205
    estimate = mean_interval([0.0, 1.0], weights=[1.0, 3.0])
    assert estimate.value == 0.75
    assert estimate.high - estimate.value == pytest.approx(12.706205 * 3 / 8, abs=1e-5)


def test_unscored_values_are_left_out_of_n() -> None:
    assert mean_interval([1.0, math.nan, 3.0]) == mean_interval([1.0, 3.0])
    assert mean_interval([1.0, math.nan, 3.0]).n == 2


def test_too_few_values_have_no_bounds() -> None:
    none, one = mean_interval([]), mean_interval([0.4])
    assert none.n == 0
    assert math.isnan(none.value) and math.isnan(none.low) and math.isnan(none.high)
    assert (one.value, one.n) == (0.4, 1)
    assert math.isnan(one.low) and math.isnan(one.high)
    assert math.isnan(proportion_interval(0, 0).value)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_parity_with_statsmodels_and_scipy(level: float) -> None:
    values = np.random.default_rng(1).normal(size=23)
    low, high = DescrStatsW(values).tconfint_mean(alpha=1 - level)
    estimate = mean_interval(values, level=level)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), rel=1e-12)
    for successes, n in [(0, 10), (10, 10), (3, 10), (1, 1), (417, 1000)]:
        for method, theirs, scipys in [("wilson", "wilson", "wilson"), ("clopper-pearson", "beta", "exact")]:
            ours = proportion_interval(successes, n, level=level, method=method)
            expected = proportion_confint(successes, n, alpha=1 - level, method=theirs)
            assert (ours.low, ours.high) == pytest.approx(expected, abs=1e-10)
            interval = stats.binomtest(successes, n).proportion_ci(level, scipys)
            assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), abs=1e-10)


def test_the_weighted_variance_is_the_design_based_one() -> None:
    """Against the ratio estimator's linearisation, written as the variance of a total of scores."""
    rng = np.random.default_rng(2)
    y, w = rng.normal(size=40), rng.uniform(1, 9, size=40)
    z = w * (y - np.average(y, weights=w)) / w.sum()
    expected = math.sqrt(40 * np.var(z, ddof=1))  # z sums to 0
    estimate = mean_interval(y, weights=w)
    assert (estimate.high - estimate.value) / stats.t.ppf(0.975, 39) == pytest.approx(expected, rel=1e-12)


def test_the_t_interval_covers_at_its_level() -> None:
    rng = np.random.default_rng(3)
    hits = sum(e.low <= 0.6 <= e.high for e in (mean_interval(rng.normal(0.6, 0.2, size=8)) for _ in range(DRAWS)))
    assert abs(hits / DRAWS - 0.95) < _tolerance()


def test_the_weighted_interval_covers_under_unequal_inclusion_where_the_unweighted_one_does_not() -> None:
    rng = np.random.default_rng(4)
    population = rng.beta(2, 1, size=20_000)
    inclusion = np.where(population < 0.5, 0.02, 0.006)  # low scores are labelled more often
    weighted = unweighted = 0
    for _ in range(DRAWS):
        drawn = rng.random(20_000) < inclusion
        truth, y = population.mean(), population[drawn]
        fair, naive = mean_interval(y, weights=1 / inclusion[drawn]), mean_interval(y)
        weighted += fair.low <= truth <= fair.high
        unweighted += naive.low <= truth <= naive.high
    assert abs(weighted / DRAWS - 0.95) < _tolerance() + 0.005  # linearisation is right only to first order
    assert unweighted / DRAWS < 0.5


@pytest.mark.parametrize(("n", "share"), [(30, 0.9), (30, 0.5), (100, 0.05)])
def test_proportion_intervals_cover(n: int, share: float) -> None:
    rng = np.random.default_rng(5)
    draws = rng.binomial(n, share, size=DRAWS)
    exact = [proportion_interval(int(draw), n, method="clopper-pearson") for draw in draws]
    wilson = [proportion_interval(int(draw), n) for draw in draws]
    assert np.mean([e.low <= share <= e.high for e in exact]) > 0.95 - _tolerance()
    assert abs(np.mean([e.low <= share <= e.high for e in wilson]) - 0.95) < 0.03  # Wilson holds on average over shares


@settings(deadline=None)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_proportion_lies_in_its_interval_within_0_and_1(counts: tuple[int, int]) -> None:
    successes, n = counts
    for method in ("wilson", "clopper-pearson"):
        estimate = proportion_interval(successes, n, method=method)
        assert 0.0 <= estimate.low <= estimate.value <= estimate.high <= 1.0
    mirrored = proportion_interval(n - successes, n)
    assert mirrored.low == pytest.approx(1 - proportion_interval(successes, n).high, abs=1e-12)


@settings(deadline=None)
@given(
    st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30),
    st.floats(0.1, 10),
)
def test_equal_weights_change_nothing(values: list[float], weight: float) -> None:
    plain, weighted = mean_interval(values), mean_interval(values, weights=[weight] * len(values))
    assert (weighted.value, weighted.low, weighted.high) == pytest.approx(
        (plain.value, plain.low, plain.high), rel=1e-9, abs=1e-9, nan_ok=True
    )


@pytest.mark.parametrize(
    ("values", "weights"),
    [([math.inf, 1.0], None), ([1.0, 2.0], [1.0, 0.0]), ([1.0, 2.0], [1.0]), ([[1.0]], None)],
)
def test_what_is_no_sample_is_refused(values: list[float], weights: list[float] | None) -> None:
    with pytest.raises(ValueError, match="must be"):
        mean_interval(values, weights=weights)


def test_impossible_counts_methods_and_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and n"):
        proportion_interval(3, 2)
    with pytest.raises(ValueError, match="wilson or clopper-pearson"):
        proportion_interval(1, 2, method="wald")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="level"):
        mean_interval([1.0, 2.0], level=95)


def test_trials_of_one_test_case_count_together() -> None:
    """Parity with the cluster-robust error of a regression on the constant, times k/(k − 1), by t on k − 1 degrees."""
    rng = np.random.default_rng(8)
    cases = np.repeat(np.arange(12), rng.integers(1, 6, 12))
    values = rng.normal(size=12)[cases] + rng.normal(0, 0.3, len(cases))
    fit = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": cases, "use_correction": False})
    estimate = mean_interval(values, clusters=[f"q{case}" for case in cases])
    assert estimate.high - estimate.value == pytest.approx(stats.t.ppf(0.975, 11) * fit.bse[0] * math.sqrt(12 / 11))
    assert (estimate.n, estimate.method) == (len(values), "t, clustered")
    assert estimate.high - estimate.low > mean_interval(values).high - mean_interval(values).low
    assert math.isnan(mean_interval([0.1, 0.9], clusters=["a", "a"]).low)
    with pytest.raises(ValueError, match="each of the 2 values"):
        mean_interval([0.1, 0.9], clusters=["a"])


def test_values_that_do_not_differ_keep_a_width_in_a_finite_range() -> None:
    # Wilson of 5 of 5: 5 / (5 + 1.96²) = 0.5655; on the range from −1 to 1 that is 2 · 0.5655 − 1 = 0.1310.
    ones = mean_interval([1.0] * 5, within=(0.0, 1.0))
    assert (ones.low, ones.high) == (pytest.approx(0.5655, abs=1e-4), 1.0)
    wide = mean_interval([1.0] * 5, within=(-1.0, 1.0))
    assert (wide.low, wide.high) == (pytest.approx(0.1310, abs=1e-4), 1.0)
    # Ten trials of five test cases are no more than five values.
    copies = mean_interval([1.0] * 10, within=(0.0, 1.0), clusters=list("aabbccddee"))
    assert (copies.low, copies.n) == (pytest.approx(ones.low), 10)
    same = mean_interval([0.3] * 7, within=(0.0, 1.0))
    assert same.low < same.value == 0.3 < same.high


def test_what_the_values_were_made_with_widens_the_interval() -> None:
    # Without it the variance is 1/3; with 2/3 more it is 1, and the half width t(0.975, 2) = 4.302653.
    assert mean_interval([1.0, 2.0, 3.0], made_with=2 / 3).high == pytest.approx(2 + 4.302653, abs=1e-6)
    flat = mean_interval([0.5] * 3, made_with=0.01, within=(0.0, 1.0))
    assert flat.high == pytest.approx(0.5 + 0.4302653, abs=1e-6)


def test_clusters_whose_means_do_not_differ_keep_a_width_in_a_finite_range() -> None:
    found = mean_interval([0, 1, 0, 1, 0, 1], clusters=list("aabbcc"), within=(0.0, 1.0))
    rate = rate_interval(0.5, 3, n=6, method=CLUSTERS_ALIKE)  # as of three clusters
    assert found == rate


def test_a_small_spread_of_many_values_is_one() -> None:
    values = 0.5 + 1e-10 * np.random.default_rng(1).normal(size=200_000)
    found = mean_interval(values, within=(0.0, 1.0))
    assert (found.method, found.high - found.low < 1e-10) == ("t", True)


def test_a_bounded_mean_of_0_and_1_and_one_other_value_is_nearly_jeffreys() -> None:
    """Half a value at each end: of 0 and 1 alone the bounds are quantiles of Beta(k + ½, n − k + ½)."""
    values = np.array([0.0] * 18 + [1.0] * 2)
    low, high = bounded_mean_bounds(values / 20, np.full(20, 1 / 20), within=(0.0, 1.0), level=0.95)
    assert (low, high) == pytest.approx(stats.beta.ppf([0.025, 0.975], 2.5, 18.5), abs=1e-3)


def test_the_bounds_of_a_bounded_mean_are_quantiles_of_dirichlet_draws() -> None:
    rng = np.random.default_rng(6)
    values = rng.beta(0.5, 4, 30)
    low, high = bounded_mean_bounds(values / 30, np.full(30, 1 / 30), within=(0.0, 1.0), level=0.95)
    drawn = rng.dirichlet([1.0] * 30 + [0.5, 0.5], size=200_000) @ np.append(values, [0.0, 1.0])
    assert (low, high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=3e-3)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("rare", [1.0, 0.3, 0.01])
def test_the_tails_at_the_bounds_are_those_asked_for(level: float, rare: float) -> None:
    # Lugannani and Rice's r* with the saddlepoint found by brentq: P(Σ (v − bound) E ≤ 0) is the tail.
    rng = np.random.default_rng(7)
    values = np.where(rng.random(400) < rare, rng.beta(0.5, 2, 400), 0.0)
    bounds = bounded_mean_bounds(values / 400, np.full(400, 1 / 400), within=(0.0, 1.0), level=level)
    values, shape = np.append(values, [0.0, 1.0]), np.append(np.ones(400), [0.5, 0.5])
    for bound, tail in zip(bounds, [(1 - level) / 2, (1 + level) / 2], strict=True):
        assert _tail(values, shape, bound) == pytest.approx(tail, abs=2e-6)
        assert _tail(values, shape, bound - 1e-8) <= tail <= _tail(values, shape, bound + 1e-8)


def _tail(values: Floats, shape: Floats, mean: float) -> float:
    v = values - mean
    ends = 1 / v.min() + 1e-9, 1 / v.max() - 1e-9
    s = brentq(lambda s: np.sum(shape * v / (1 - s * v)), *ends, xtol=1e-14, rtol=1e-14, maxiter=1000)
    w = np.sign(s) * np.sqrt(2 * np.sum(shape * np.log1p(-s * v)))
    u = s * np.sqrt(np.sum(shape * (v / (1 - s * v)) ** 2))
    return float(stats.norm.cdf(w + np.log(u / w) / w))


def test_the_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(7)
    values, weights, names = rng.beta(0.5, 4, 80), rng.uniform(1, 9, 80), rng.integers(0, 30, 80)
    order = rng.permutation(80)
    for clusters in (None, names):
        moved = None if clusters is None else clusters[order]
        one = mean_interval(values, weights=weights, clusters=clusters, within=(0.0, 1.0))
        assert mean_interval(values[order], weights=weights[order], clusters=moved, within=(0.0, 1.0)) == one


def test_equal_values_of_unknown_range_have_no_bounds() -> None:
    made = mean_interval([4.0, 4.0, 4.0])
    assert made.value == 4 and math.isnan(made.low) and math.isnan(made.high)
