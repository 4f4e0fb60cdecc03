from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from hcat.core.statistics import rank_test
from hcat.core.statistics.beta_binomial import beta_binomial_cdf
from hcat.core.statistics.discrimination import auc, auc_difference
from hcat.core.statistics.rank_test import doubled_midranks, mann_whitney_p


def test_a_known_value() -> None:
    # Of the 4! / (2! 2!) = 6 ways to deal out two passes, one has a rank sum of 7 or more: 3 + 4.
    assert mann_whitney_p([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1]) == pytest.approx(1 / 6)
    assert mann_whitney_p([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], alternative="lower") == 1.0
    assert mann_whitney_p([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], alternative="either") == pytest.approx(1 / 3)
    assert mann_whitney_p([1.0, 2.0], [1, 1]) == 1.0
    assert mann_whitney_p([5.0] * 6, [0, 1] * 3) == 1.0


def test_ties_are_dealt_out_like_all_else() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        score, passed = rng.integers(0, 4, 9).astype(float), rng.random(9) < 0.5
        if passed.all() or not passed.any():
            continue
        ranks = doubled_midranks(score)
        sums = [ranks[list(chosen)].sum() for chosen in itertools.combinations(range(9), int(passed.sum()))]
        expected = np.mean(np.array(sums) >= ranks[passed].sum())
        assert mann_whitney_p(score, passed) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "rate", "shift"), [(40, 0.7, 1.5), (60, 0.8, 1.5), (100, 0.7, 1.2), (30, 0.5, 0.0)])
def test_the_tail_is_that_of_scipy_counted_and_approximated(
    n: int, rate: float, shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(n)
    passed = rng.random(n) < rate
    score = rng.normal(size=n) + shift * passed
    expected = stats.mannwhitneyu(score[passed], score[~passed], alternative="greater", method="exact").pvalue
    monkeypatch.setattr(rank_test, "EXACT_SIZE", 10**10)
    assert mann_whitney_p(score, passed) == pytest.approx(expected, rel=1e-9)
    monkeypatch.setattr(rank_test, "EXACT_SIZE", 0)
    assert mann_whitney_p(score, passed) == pytest.approx(expected, rel=0.02)


def test_one_of_each_test_case_counts() -> None:
    """Ten trials alike of twelve test cases are worth no more than one of each, but for twice the median."""
    score, passed = np.arange(12.0), np.arange(12) >= 6
    alone = mann_whitney_p(score, passed)
    trials = mann_whitney_p(np.repeat(score, 10), np.repeat(passed, 10), clusters=np.repeat(np.arange(12), 10))
    assert trials == pytest.approx(2 * alone)


def test_the_beta_binomial_is_that_of_scipy() -> None:
    for hits, n, a, b in [(30, 36, 33, 4), (50, 60, 55, 6), (5, 20, 2, 3), (0, 10, 9, 1), (10, 10, 9, 1)]:
        assert beta_binomial_cdf(hits, n, a, b) == pytest.approx(stats.betabinom(n, a, b).cdf(hits), abs=1e-6)
    # Between whole numbers it rises.
    assert beta_binomial_cdf(30, 36, 33, 4) < beta_binomial_cdf(30.5, 36.2, 33, 4) < beta_binomial_cdf(31, 36, 33, 4)


def test_the_difference_of_two_aucs_covers() -> None:
    rng = np.random.default_rng(3)
    inside, differences = [], []
    for _ in range(300):
        passed = np.arange(80) < 55
        shared = rng.normal(size=80)
        better, other = (shared + noise * rng.normal(size=80) + shift * passed for noise, shift in ((0.5, 1.5), (1, 1)))
        found = auc_difference(better, other, passed)
        assert found.value == pytest.approx(auc(better, passed) - auc(other, passed))
        differences.append(found.value)
        inside.append((found.low, found.high))
    truth = float(np.mean(differences))
    assert np.mean([low <= truth <= high for low, high in inside]) >= 0.95 - 4 * (0.05 * 0.95 / 300) ** 0.5
