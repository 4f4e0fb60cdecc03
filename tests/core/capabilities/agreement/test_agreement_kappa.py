from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.agreement.kappa import Weighting, cohen_kappa, confusion
from hcat.core.errors import HcatError

WEIGHTINGS: tuple[Weighting, ...] = ("none", "linear", "quadratic")


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_known_value() -> None:
    # Both 1: 20, both 0: 15, first only 5, second only 10. Observed agreement 35/50 = 0.7; by chance
    # (25 · 30 + 25 · 20) / 50² = 0.5; κ = (0.7 − 0.5) / (1 − 0.5) = 0.4.
    first = [1] * 20 + [0] * 15 + [1] * 5 + [0] * 10
    second = [1] * 20 + [0] * 15 + [0] * 5 + [1] * 10
    estimate = cohen_kappa(first, second, rng=rng())
    assert estimate.value == pytest.approx(0.4)
    assert estimate.n == 50
    assert 0 < estimate.low < 0.4 < estimate.high < 0.7


def test_weights_by_hand() -> None:
    # Pairs (0,0), (1,2), (2,2), (0,1). Linear: observed 2 of 4. Margins 2,1,1 and 1,1,2 (of 4): expected
    # Σ r_i c_j |i − j| / 4 = (2·(1 + 2·2) + 1·(1 + 2) + 1·(2·1 + 1)) / 4 = (10 + 3 + 3) / 4 = 4. κ = 1 − 2/4 = 0.5.
    # Quadratic: expected (2·(1 + 4·2) + 3 + (4·1 + 1)) / 4 = 26/4. κ = 1 − 2 / 6.5 = 9/13.
    first, second = [0, 1, 2, 0], [0, 2, 2, 1]
    assert cohen_kappa(first, second, rng=rng(), weighting="linear").value == pytest.approx(0.5)
    assert cohen_kappa(first, second, rng=rng(), weighting="quadratic").value == pytest.approx(9 / 13)


def test_items_without_both_labels_are_left_out() -> None:
    first, second = [1, 0, 1, 0, math.nan, 1], [1, 0, 0, 0, 1, math.nan]
    estimate = cohen_kappa(first, second, rng=rng())
    assert estimate.n == 4
    assert math.isnan(estimate.low)


def test_one_level_throughout_says_nothing() -> None:
    estimate = cohen_kappa([1] * 10, [1] * 10, rng=rng())
    assert (estimate.n, math.isnan(estimate.value), math.isnan(estimate.low)) == (10, True, True)
    nothing = cohen_kappa([], [], rng=rng())
    assert (nothing.n, math.isnan(nothing.value)) == (0, True)


def test_complete_agreement_keeps_a_lower_bound() -> None:
    # 20 items, half of each level: expected disagreement 0.5; 1 − 0.025^(1/20) = 0.1684; 1 − 0.1684/0.5 = 0.663.
    levels = [0, 1] * 10
    estimate = cohen_kappa(levels, levels, rng=rng())
    assert (estimate.value, estimate.high) == (1.0, 1.0)
    assert estimate.low == pytest.approx(0.6631, abs=1e-4)


def test_the_same_generator_gives_the_same_interval() -> None:
    first, second = np.arange(40) % 3, (np.arange(40) // 2) % 3
    assert cohen_kappa(first, second, rng=rng()) == cohen_kappa(first, second, rng=rng())


@pytest.mark.parametrize(("first", "second"), [([0, 1], [0]), ([0, 0.5], [0, 1]), ([0, -1], [0, 1]), ([0, 2], [0, 1])])
def test_what_are_no_levels_is_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(HcatError):
        confusion(first, second, n_levels=2)


def test_an_unknown_weighting_is_refused() -> None:
    with pytest.raises(HcatError, match="quadratic"):
        cohen_kappa([0, 1], [1, 0], rng=rng(), weighting="cubic")  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40), st.sampled_from(WEIGHTINGS))
def test_symmetric_and_at_most_one(pairs: list[tuple[int, int]], weighting: Weighting) -> None:
    first, second = (list(side) for side in zip(*pairs, strict=True))
    one = cohen_kappa(first, second, rng=rng(), weighting=weighting, replicates=50)
    other = cohen_kappa(second, first, rng=rng(), weighting=weighting, replicates=50)
    assert one.value == pytest.approx(other.value, nan_ok=True)
    if not math.isnan(one.value):
        assert -1 - 1e-9 <= one.value <= 1
        assert math.isnan(one.low) or one.low <= one.value <= one.high
