"""Sums by class against exact fractions; order and parts change no bit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.slices.comparison import moments
from hcat.core.statistics.exact_sums import exact_values

SCORES = st.lists(st.floats(-1e3, 1e3, allow_nan=False), min_size=1, max_size=60)


def spreads(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        "scores": rng.beta(2, 2, 2000),
        "far from zero": rng.normal(1e6, 1e-3, 2000),
        "one outlier": np.r_[rng.random(1999), 1e5],
        "mostly one": np.where(rng.random(2000) < 0.99, 1.0, rng.random(2000)),
    }


@pytest.mark.parametrize("name", spreads(0))
def test_means_and_squares_are_those_of_fractions(name: str) -> None:
    values = spreads(0)[name]
    codes = np.arange(2000) % 7
    found = exact_values(values).moments(codes, 7)
    exact = [Fraction(value) for value in values[codes == 3]]
    mean = sum(exact) / len(exact)
    squares = float(sum((value - mean) ** 2 for value in exact))
    assert found.means()[3] == pytest.approx(float(mean), rel=3e-16)
    # 72 bits below the square of the largest: of one outlier among 285 that is 1e-12 of the rest's spread.
    assert found.squares_about_means()[3] == pytest.approx(squares, rel=1e-12)
    two_passes = moments(values, codes, slices=7)
    np.testing.assert_allclose(found.means(), two_passes.mean, rtol=1e-13)


@given(SCORES, st.integers(1, 5))
@settings(max_examples=200)
def test_order_and_parts_change_no_bit(scores: list[float], parts: int) -> None:
    values = np.array(scores)
    codes = np.arange(len(values)) % 3
    whole = exact_values(values)
    straight = whole.moments(codes, 3)
    order = np.random.default_rng(len(scores)).permutation(len(values))
    shuffled = exact_values(values[order]).moments(codes[order], 3)
    assert shuffled.n.tolist() == straight.n.tolist()
    np.testing.assert_array_equal(shuffled.means(), straight.means())
    np.testing.assert_array_equal(shuffled.squares_about_means(), straight.squares_about_means())
    part = np.arange(len(values)) % parts
    in_parts = whole.moments(codes * parts + part, 3 * parts)
    for of, by_part in ((straight.values, in_parts.values), (straight.squares, in_parts.squares)):
        assert of.whole() == [sum(by_part.whole()[k * parts : (k + 1) * parts]) for k in range(3)]


@given(st.floats(-1e6, 1e6, allow_nan=False), st.integers(2, 50))
def test_equal_values_have_no_spread(value: float, n: int) -> None:
    values = np.r_[np.full(n, value), value + 1.0]
    found = exact_values(values).moments(np.r_[np.zeros(n, dtype=np.intp), 1], 2)
    assert found.squares_about_means().tolist() == [0.0, 0.0]
    assert found.means()[0] == pytest.approx(value, rel=1e-15, abs=1e-15)


def test_rows_without_a_value_add_nothing() -> None:
    rng = np.random.default_rng(1)
    values, codes = rng.random(500), rng.integers(0, 12, 500)
    scored = rng.random(500) < 0.8
    exact = exact_values(values[scored])
    everywhere, alone = exact.spread(scored).moments(codes, 12), exact.moments(codes[scored], 12)
    np.testing.assert_array_equal(everywhere.means(), alone.means())
    np.testing.assert_array_equal(everywhere.squares_about_means(), alone.squares_about_means())
