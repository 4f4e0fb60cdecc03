"""Scores of means against Wilson's and Tango's tests, Student's t, and exact probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

from hcat.core.statistics.mean_score import MeanScore, difference_score, mean_score
from hcat.core.statistics.rate_score import rate_score


def trinomial(lost: int, gained: int, n: int) -> MeanScore:
    """Of n pairs of passes, so many lost and gained."""
    first = np.repeat([0.0, 1.0, 1.0], [lost, gained, n - lost - gained])
    second = np.repeat([1.0, 0.0, 1.0], [lost, gained, n - lost - gained])
    return difference_score(first, second, np.arange(n), within=(0.0, 1.0))


def tango(lost: int, gained: int, n: int, difference: float) -> float:
    """One-sided p of a difference of at least this, by Tango (1998), equations 12 to 14."""
    b = -gained - lost + (2 * n - gained + lost) * difference
    c = -lost * difference * (1 - difference)
    q = (math.sqrt(b * b - 8 * n * c) - b) / (4 * n)
    return float(
        stats.norm.cdf((gained - lost - n * difference) / math.sqrt(n * (2 * q + difference * (1 - difference))))
    )


@pytest.mark.parametrize(("lost", "gained", "n", "margin"), [(3, 3, 100, 0.1), (12, 9, 200, 0.08), (20, 20, 150, 0.1)])
def test_equivalence_of_passes_is_close_to_tangos_test(lost: int, gained: int, n: int, margin: float) -> None:
    own, known = trinomial(lost, gained, n).p_at_least(margin), tango(lost, gained, n, margin)
    assert own == pytest.approx(known, abs=0.002)


@pytest.mark.parametrize(("lost", "gained"), [(8, 2), (10, 0), (14, 15)])
def test_no_difference_of_passes_is_mcnemars_test(lost: int, gained: int) -> None:
    z = (gained - lost) / math.sqrt(gained + lost)
    assert trinomial(lost, gained, 120).p() == pytest.approx(2 * stats.norm.sf(abs(z)))


@pytest.mark.parametrize(
    ("n", "margin"), [(52, 0.05), (60, 0.05), (100, 0.027), (100, 0.05), (150, 0.03), (45, 0.1), (100, 0.1)]
)
def test_equivalence_exactly_at_the_margin_is_claimed_in_one_of_twenty(n: int, margin: float) -> None:
    """Summed over all tables of so many pairs; Tango's own test claims it in up to .069."""
    most = 24
    claimed = np.zeros((most + 1, most + 1), dtype=bool)
    for gained in range(most + 1):
        for lost in range(most + 1 - gained):
            test = trinomial(lost, gained, n)
            claimed[gained, lost] = max(test.p_at_least(margin), test.p_at_most(-margin)) <= 0.05
    gained, lost = np.meshgrid(np.arange(most + 1), np.arange(most + 1), indexing="ij")
    for also in (0.0, 0.002, 0.01, 0.04):
        rates = margin + also, max(also, 1e-12)
        log = gammaln(n + 1) - gammaln(gained + 1) - gammaln(lost + 1) - gammaln(n - gained - lost + 1)
        log += gained * math.log(rates[0]) + lost * math.log(rates[1]) + (n - gained - lost) * math.log1p(-sum(rates))
        assert float(np.exp(log)[claimed].sum()) <= 0.055


def test_a_rate_is_wilsons_and_none_of_n_is_exact() -> None:
    hits = np.repeat([1.0, 0.0], [8, 92])
    low, high = mean_score(hits, np.ones(100), ends=(0.0, 1.0)).bounds(0.95)
    wilson = stats.binomtest(8, 100).proportion_ci(method="wilson")
    exact = stats.binomtest(8, 100).proportion_ci(method="exact")
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=0.003)
    closed = rate_score(hits, np.arange(100), np.ones(100))
    # 100 values count as fewer: as 99 in the share of the variance that they show (decision 0087), and by t.
    seen = 100 * 0.08 * 0.92 / (101 * (8.5 / 101) * (92.5 / 101))
    few = (1.959964 / stats.t.ppf(0.975, 99)) ** 2
    assert closed.effective_n == pytest.approx(few / (seen / 99 + (1 - seen) / 100))
    assert (closed.reaches(1.959964), closed.reaches(-1.959964)) == pytest.approx((wilson.low, wilson.high), abs=0.002)
    none = mean_score(np.zeros(60), np.ones(60), ends=(0.0, 1.0))
    assert none.bounds(0.95)[1] == pytest.approx(1 - 0.025 ** (1 / 60), abs=2e-4)


def test_nearly_normal_differences_have_students_t() -> None:
    rng = np.random.default_rng(8)
    first, second = (np.clip(rng.normal(0.5, 0.1, 40), 0.01, 0.99) for _ in range(2))
    known = stats.ttest_rel(first, second)
    test = difference_score(first, second, np.arange(40), within=(0.0, 1.0))
    assert test.kind == "t"
    assert test.p() == pytest.approx(known.pvalue)
    interval = known.confidence_interval(0.95)
    assert test.bounds(0.95) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("seed", range(12))
def test_p_and_interval_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 60
    first, second = (rng.choice([0.0, 0.5, 1.0], n, p=p) for p in ([0.1, 0.1, 0.8], [0.15, 0.2, 0.65]))
    test = difference_score(first, second, np.arange(n) // (1 + seed % 2), within=(0.0, 1.0))
    for level in (0.8, 0.95):
        low, high = test.bounds(level)
        assert low <= test.value <= high
        assert (low <= 0 <= high) == (test.p() > 1 - level)
        margin = 0.15
        equivalent = max(test.p_at_least(margin), test.p_at_most(-margin)) <= (1 - level) / 2
        assert equivalent == (-margin <= low and high <= margin)


def test_clusters_that_are_alike_without_a_range_have_no_bounds() -> None:
    test = difference_score(np.full(20, 7.0), np.full(20, 5.0), np.arange(20), within=(0.0, math.inf))
    assert test.kind == "alike"
    assert all(map(math.isnan, test.bounds(0.95)))
    assert test.p() == pytest.approx(2.0**-19)
    assert math.isnan(
        difference_score(np.ones(0), np.ones(0), np.zeros(0, dtype=np.intp), within=(0.0, 1.0)).bounds(0.95)[0]
    )


def test_many_distinct_values_are_put_together_without_a_trace() -> None:
    rng = np.random.default_rng(2)
    values = np.where(rng.random(30_000) < 0.02, rng.random(30_000), 0.0)
    own = mean_score(values, np.ones(len(values)), ends=(0.0, 1.0))
    assert own.value == pytest.approx(values.mean())
    half = 1.96 * values.std() / math.sqrt(len(values))
    assert own.bounds(0.95) == pytest.approx((own.value - half, own.value + half), rel=0.05)
