"""Means of paired differences: by hand, against McNemar's test, and interval and p against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from hcat.core.statistics.paired import UNSEEN, paired_differences

Z2 = 1.959963985**2


def test_a_difference_of_equals_keeps_an_interval() -> None:
    made = paired_differences(np.zeros(20))
    # Nothing differs: ± √(z² · z²/2 / (20 · (20 − z²))), about as wide as Tango's ± z²/(20 + z²).
    half = math.sqrt(Z2 * Z2 / 2 / (20 * (20 - Z2)))
    assert (made.value, made.n, made.p) == (0, 20, 1)
    assert (made.interval().low, made.interval().high) == pytest.approx((-half, half))
    assert half == pytest.approx(Z2 / (20 + Z2), rel=0.07)


def test_none_and_few_have_no_bounds_that_exclude_anything() -> None:
    nothing = paired_differences([math.nan])
    assert math.isnan(nothing.p) and math.isnan(nothing.interval().low)
    two = paired_differences([1.0, 1.0]).interval()
    assert (two.low, two.high) == (-1, 1)


def test_of_many_pairs_it_is_mcnemars_test() -> None:
    d = np.repeat([1.0, -1.0, 0.0], [600, 520, 4000])
    table = [[4000, 600], [520, 0]]
    assert paired_differences(d).p == pytest.approx(mcnemar(table, exact=False, correction=False).pvalue, rel=0.01)


def test_the_sum_and_the_squares_by_hand() -> None:
    # 6 of 10 differences are 1: total 6, squares 6. x = −6 + √(36 + 2 · 36) = 4.392, z = 2.0957.
    made = paired_differences([1.0] * 6 + [0.0] * 4)
    assert made.p == pytest.approx(math.erfc(math.sqrt(-6 + math.sqrt(108)) / math.sqrt(2)))
    assert UNSEEN == 0.5 and made.interval().low > 0


def test_differences_of_a_cluster_are_summed() -> None:
    d, clusters = np.repeat([1.0] * 6 + [0.0] * 4, 5), np.repeat(np.arange(10), 5)
    once = paired_differences([1.0] * 6 + [0.0] * 4)
    made = paired_differences(d, clusters=clusters)
    assert (made.n, made.independent, made.p) == (50, pytest.approx(10), pytest.approx(once.p))
    assert (made.interval().low, made.interval().high) == pytest.approx((once.interval().low, once.interval().high))
    assert made.method == "paired, score, clustered"
    assert paired_differences(d, clusters=np.arange(50)) == paired_differences(d)


def test_weights_are_those_of_the_mean() -> None:
    made = paired_differences([1.0, 0.0, -1.0, 0.5], weights=[1, 2, 3, 4])
    assert made.value == pytest.approx((1 - 3 + 2) / 10)
    assert made.independent == pytest.approx(100 / 30)
    equal = paired_differences([1.0, 0.0, -1.0, 0.5], weights=[2, 2, 2, 2])
    assert equal.p == pytest.approx(paired_differences([1.0, 0.0, -1.0, 0.5]).p)


def test_where_sides_could_trade_places_what_was_not_seen_is_as_large_as_what_was() -> None:
    d = np.array([1.0] * 8 + [-1.0] * 2 + [0.0] * 10)
    assert paired_differences(d / 8, symmetric=True).p == pytest.approx(paired_differences(d).p)
    assert paired_differences(d / 8).p > paired_differences(d).p
    assert paired_differences(np.zeros(9), symmetric=True) == paired_differences(np.zeros(9))


@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=12, max_size=60),
    st.sampled_from([0.8, 0.95, 0.99]),
    st.booleans(),
)
def test_the_interval_leaves_0_out_exactly_where_p_is_below_the_rest_of_its_level(
    given: list[float], level: float, clustered: bool
) -> None:
    made = paired_differences(given, clusters=np.arange(len(given)) // 2 if clustered else None)
    interval = made.interval(level)
    if abs(made.p - (1 - level)) > 1e-9:
        assert (interval.low > 0 or interval.high < 0) == (made.p < 1 - level)
