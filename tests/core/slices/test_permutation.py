from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.slices.drawn_sets.tail_bound import Population
from hcat.core.slices.membership import Partition
from hcat.core.slices.permutation import permutation_tests

DRAWS = int(os.environ.get("HCAT_DRAWS", "100"))


def partition(codes: np.ndarray, levels: int) -> Partition:
    return Partition(codes, np.ones(levels, dtype=bool))


def skewed(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    values = np.where(rng.random(n) < 0.7, 0.0, np.round(rng.random(n), 1))
    return values, rng.choice(3, n), rng.choice(4, n)


@pytest.mark.parametrize("cases", ["none", "trials", "unlike trials"])
def test_the_order_of_rows_and_other_dimensions_change_nothing(cases: str) -> None:
    values, one, two = skewed(120)
    rng = np.random.default_rng(5)
    case = {"none": None, "trials": np.arange(120) // 4, "unlike trials": np.sort(rng.choice(40, 120))}[cases]
    order = rng.permutation(120)
    straight = permutation_tests(values, [partition(one, 3), partition(two, 4)], cases=case)
    shuffled = permutation_tests(
        values[order], [partition(two[order], 4)], cases=None if case is None else (99 - case)[order]
    )
    assert shuffled[0].p.tolist() == straight[1].p.tolist()
    for name in ("low", "high"):  # sums over trials in another order differ in their last digit
        assert getattr(shuffled[0], name) == pytest.approx(getattr(straight[1], name), rel=1e-12)


def test_unlike_variances_of_a_small_slice_are_studentised() -> None:
    """Where a slice spreads three times as much, Chung and Romano's statistic keeps its level; the difference alone
    does not: it rejects more than twice as often as it may."""
    rng = np.random.default_rng(2)
    codes = np.repeat([0, 1], [40, 160])
    wrong = 0
    for _ in range(DRAWS):
        values = np.r_[rng.normal(0, 3, 40), rng.normal(0, 1, 160)]
        wrong += permutation_tests(values, [partition(codes, 2)])[0].p[0] <= 0.05
    assert wrong <= stats.binom.ppf(0.999, DRAWS, 0.05)


def test_p_of_a_plain_difference_is_small_beyond_the_draws() -> None:
    """40 of 400 values two standard deviations lower: p by the bound, far below 1 in 10,000, and above the normal's."""
    rng = np.random.default_rng(3)
    codes = np.repeat([0, 1], [40, 360])
    values = np.r_[rng.normal(-2, 1, 40), rng.normal(0, 1, 360)]
    p = permutation_tests(values, [partition(codes, 2)])[0].p
    assert p[0] == pytest.approx(p[1])
    assert 1e-40 < p[0] < 1e-12


@pytest.mark.parametrize(("marked", "n"), [(8, 5), (30, 20), (60, 12)])
def test_the_bound_is_never_below_the_exact_tail(marked: int, n: int) -> None:
    """Of 0/1 values the exact tail is hypergeometric."""
    values = np.repeat([1.0, 0.0], [marked, 100 - marked])
    for hits in range(n + 1):
        exact = stats.hypergeom.cdf(hits, 100, marked, n)
        bound = Population(np.sort(values)).lower_tail_bound(np.array([float(n)]), np.array([hits / n]))[0]
        assert exact <= bound * (1 + 1e-9) <= 1 + 1e-9
        if hits == 0:
            assert bound == pytest.approx((1 - marked / 100) ** n, rel=0.01)


def test_slices_that_are_not_tested_stay_empty() -> None:
    values, one, _ = skewed(60)
    found = permutation_tests(values, [Partition(one, np.array([True, False, True]))])[0]
    assert np.isnan([found.p[1], found.low[1], found.high[1]]).all()
    assert np.isfinite(found.p[[0, 2]]).all()


def test_trials_of_unlike_number_keep_the_level() -> None:
    """1 to 6 trials of each of 60 test cases that differ strongly, topics by test case: nothing depends on topics."""
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(DRAWS):
        case = np.repeat(np.arange(60), rng.integers(1, 7, 60))
        topic = rng.choice(3, 60)[case]
        values = rng.normal(0, 1, 60)[case] + rng.normal(0, 0.5, len(case))
        wrong += permutation_tests(values, [partition(topic, 3)], cases=case)[0].p[0] <= 0.05
    assert wrong <= stats.binom.ppf(0.999, DRAWS, 0.05)
