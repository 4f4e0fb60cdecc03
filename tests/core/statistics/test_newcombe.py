"""The difference of two rates by Newcombe's hybrid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from hcat.core.statistics.intervals import proportion_interval
from hcat.core.statistics.proportions import newcombe_difference
from hcat.core.types import Estimate


def test_the_published_example() -> None:
    # Newcombe 1998, table II, (a): 56 of 70 less 48 of 80, method 10: 0.0524 to 0.3339.
    found = newcombe_difference(proportion_interval(48, 80), proportion_interval(56, 70), n=150)
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert found.n == 150


def wilson(hits: int, n: int) -> Estimate:
    """Wilson's own interval, also of the smallest counts."""
    return Estimate(hits / n, *proportion_confint(hits, n, method="wilson"), n)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_another_implementation(n1: int, n2: int, data: st.DataObject) -> None:
    k1, k2 = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))
    found = newcombe_difference(wilson(k1, n1), wilson(k2, n2), n=n1 + n2)
    expected = confint_proportions_2indep(k2, n2, k1, n1, method="newcomb", compare="diff")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert -1 - 1e-12 <= found.low <= found.value <= found.high <= 1 + 1e-12
