from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.slices.against_rest import Comparison, against_rest
from hcat.core.slices.comparison import moments
from hcat.core.slices.membership import Partition
from hcat.core.statistics.intervals import mean_interval, proportion_interval
from tests.core.slices.by_rows import mean_bounds


def two(values: list[float], n: int) -> tuple[np.ndarray, np.ndarray]:
    """The first n values as slice 0, the others as slice 1."""
    return np.array(values, dtype=np.float64), (np.arange(len(values)) >= n).astype(np.intp)


def compared(values: np.ndarray, codes: np.ndarray, *, slices: int = 2, minimum_n: int = 2) -> Comparison:
    n = np.bincount(codes, minlength=slices)
    return against_rest(values, [Partition(codes, np.minimum(n, len(codes) - n) >= minimum_n)])[0]


def test_moments_by_hand() -> None:
    # 1, 2, 3: mean 2, squares 1 + 0 + 1; 10: mean 10, none; slice 2 is empty.
    of = moments(*two([1, 2, 3, 10], 3), slices=3)
    assert of.n.tolist() == [3, 1, 0]
    assert of.mean[:2] == pytest.approx([2, 10]) and math.isnan(of.mean[2])
    assert of.squares == pytest.approx([2, 0, 0])
    assert of.variance[0] == pytest.approx(1.0) and math.isnan(of.variance[1])
    assert of.within_variance == pytest.approx(2 / (4 - 2))


def test_fisher_by_hand() -> None:
    # 0 of 3 against 3 of 3: one of the C(6, 3) = 20 tables is as extreme on this side; doubled, 2/20.
    values, codes = two([0, 0, 0, 1, 1, 1], 3)
    result = compared(values, codes)
    assert result.p == pytest.approx([0.1, 0.1])
    assert result.difference == pytest.approx([-1, 1])
    assert np.isnan(result.effect).all()  # no spread on either side: no standardised effect


def testhedges_g_by_hand() -> None:
    # Means 2 and 5, squares 2 and 2, pooled SD √(4/4) = 1, J = 1 − 3/(4·4 − 1) = 0.8: g = −2.4.
    values, codes = two([1, 2, 3, 4, 5, 6], 3)
    result = compared(values, codes)
    assert result.effect == pytest.approx([-2.4, 2.4])


@pytest.mark.parametrize("value", [0.0, 0.1, 1.0])
def test_equal_values_show_nothing(value: float) -> None:
    values, codes = two([value] * 30, 10)
    result = compared(values, codes)
    assert result.p.tolist() == [1.0, 1.0]
    assert result.difference.tolist() == [0.0, 0.0]
    assert result.effect.tolist() == [0.0, 0.0]


def test_a_slice_without_spread_borrows_that_of_all() -> None:
    # Ten values of exactly 0.5 beside noise around 0.52 are no proof of a difference.
    rng = np.random.default_rng(0)
    values, codes = two([0.5] * 10 + rng.normal(0.52, 0.2, 200).tolist(), 10)
    of = moments(values, codes, slices=2)
    result = compared(values, codes)
    assert result.p.min() > 0.3
    low, high = mean_bounds(values, of, level=0.95)
    assert low[0] < 0.45 < 0.55 < high[0]


def test_two_constant_sides_are_compared_as_two_values() -> None:
    # 0.5 everywhere inside and 0.9 outside are but two values: Fisher's test, 2 / C(8, 4) = 2/70.
    values, codes = two([0.5] * 4 + [0.9] * 4, 4)
    result = compared(values, codes)
    assert result.p == pytest.approx([2 / 70, 2 / 70])


def test_too_few_on_either_side_are_not_tested() -> None:
    rng = np.random.default_rng(1)
    values, codes = two(rng.random(30).tolist(), 5)
    assert np.isnan(compared(values, codes, slices=3, minimum_n=10).p).all()
    assert np.isfinite(compared(values, codes, slices=3, minimum_n=5).p[:2]).all()


def test_bounds_equal_those_of_single_estimates() -> None:
    rng = np.random.default_rng(2)
    numbers, codes = two(rng.normal(size=50).tolist(), 20)
    low, high = mean_bounds(numbers, moments(numbers, codes, slices=2), level=0.9)
    single = mean_interval(numbers[:20], level=0.9)
    assert (low[0], high[0]) == pytest.approx((single.low, single.high))
    passes, codes = two([1.0] * 7 + [0.0] * 43, 10)
    low, high = mean_bounds(passes, moments(passes, codes, slices=2), level=0.95)
    share = proportion_interval(7, 10)
    assert (low[0], high[0]) == pytest.approx((share.low, share.high))


def test_nothing_scored() -> None:
    empty = np.zeros(0)
    codes = np.zeros(0, dtype=np.intp)
    of = moments(empty, codes, slices=2)
    result = compared(empty, codes)
    assert np.isnan(result.p).all() and np.isnan(of.mean).all()
    assert np.isnan(mean_bounds(empty, of, level=0.95)[0]).all()


@given(
    st.lists(st.tuples(st.floats(-100, 100), st.integers(0, 3)), min_size=1, max_size=60),
    st.floats(-1e3, 1e3),
)
def test_p_is_a_probability_and_shifting_the_scale_keeps_it(rows: list[tuple[float, int]], shift: float) -> None:
    values = np.round(np.array([row[0] for row in rows]), 2)
    codes = np.array([row[1] for row in rows], dtype=np.intp)
    p = compared(values, codes, slices=4).p
    tested = ~np.isnan(p)
    assert ((p[tested] >= 0) & (p[tested] <= 1)).all()
    moved = values + round(shift, 2)
    assert compared(moved, codes, slices=4).p == pytest.approx(p, abs=0.02, nan_ok=True)
