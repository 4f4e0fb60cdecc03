"""Rank correlation: values by hand, scipy's, its interval's coverage, and the degenerate cases."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from hcat.core.statistics.rank_correlation import average_ranks, rank_correlations
from hcat.core.types import Estimate

NAN = float("nan")
DRAWS = int(os.environ.get("HCAT_DRAWS", "300"))


def rank_correlation(x: np.ndarray, y: np.ndarray) -> Estimate | None:
    return rank_correlations({"x": x, "y": y}).of("x", "y")


def test_a_value_by_hand() -> None:
    # Ranks 1 2 3 4 against 2 1 4 3: Σd² = 4, so ρ = 1 − 6 · 4 / (4 · 15) = 0.6
    found = rank_correlation(np.array([1.0, 2.0, 3.0, 4.0]), np.array([20.0, 10.0, 40.0, 30.0]))
    assert found is not None
    assert (found.value, found.n) == (pytest.approx(0.6, abs=1e-12), 4)
    # z = artanh 0.6 = 0.6931, standard error √((1 + 0.18) / 1) = 1.0863, so z ± 1.96 · 1.0863 = −1.4360, 2.8222
    assert (found.low, found.high) == (
        pytest.approx(np.tanh(-1.4360), abs=1e-4),
        pytest.approx(np.tanh(2.8222), abs=1e-4),
    )


def test_ties_share_the_mean_of_their_ranks() -> None:
    assert average_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


@pytest.mark.parametrize("levels", [3, 1000])
def test_parity_with_scipy(levels: int) -> None:
    from scipy.stats import rankdata, spearmanr

    generator = np.random.default_rng(7)
    for size in (5, 40, 300):
        x = generator.integers(0, levels, size).astype(float)
        y = np.round(x / levels + generator.normal(size=size), 1)
        assert average_ranks(y) == pytest.approx(rankdata(y), abs=0)
        found = rank_correlation(x, y)
        assert found is not None
        assert found.value == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


def test_each_pair_is_over_the_samples_that_both_scored() -> None:
    columns = {
        "a": np.array([1.0, 2.0, 3.0, 4.0, 5.0, NAN]),
        "b": np.array([5.0, 4.0, 3.0, 2.0, NAN, 1.0]),
        "c": np.array([NAN, 1.0, 1.0, 2.0, 3.0, 9.0]),
    }
    found = rank_correlations(columns)
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        alone = rank_correlation(columns[first], columns[second])
        assert found.of(first, second) == found.of(second, first) == alone
    down = found.of("a", "b")
    assert down is not None
    assert (down.value, down.n) == (-1.0, 4)
    assert np.isnan(down.low)  # the interval says nothing where z is infinite


@pytest.mark.parametrize(
    ("x", "y"),
    [([], []), ([1.0], [2.0]), ([1.0, NAN], [NAN, 2.0]), ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0])],
)
def test_undefined_is_none_and_not_zero(x: list[float], y: list[float]) -> None:
    assert rank_correlation(np.array(x), np.array(y)) is None


def test_three_pairs_have_a_value_and_no_interval() -> None:
    found = rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    assert found is not None
    assert found.value == pytest.approx(0.5, abs=1e-12)  # Σd² = 2: 1 − 6 · 2 / (3 · 8)
    assert np.isnan([found.low, found.high]).all()


VALUES = arrays(np.float64, 12, elements=st.sampled_from([*np.linspace(0, 1, 8), NAN]))


@given(VALUES, VALUES)
def test_only_the_order_counts(x: np.ndarray, y: np.ndarray) -> None:
    first, grown = rank_correlation(x, y), rank_correlation(np.exp(3 * x), y)
    turned = rank_correlation(y, -x)
    if first is None:
        assert grown is None
        assert turned is None
    else:
        assert grown == first
        assert turned is not None
        assert turned.value == pytest.approx(-first.value, abs=1e-12)
        assert -1 <= first.value <= 1


def test_the_interval_covers() -> None:
    """Normal pairs with r = 0.6, whose ρ is 6/π asin(r/2) = 0.582; 95 % of the intervals should hold it."""
    generator = np.random.default_rng(7)
    truth = 6 / np.pi * np.arcsin(0.3)
    covered = 0
    for _ in range(DRAWS):
        x = generator.normal(size=60)
        found = rank_correlation(x, 0.6 * x + 0.8 * generator.normal(size=60))
        assert found is not None
        covered += found.low <= truth <= found.high
    # Three standard errors of a share of 0.95 below it.
    assert covered / DRAWS >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / DRAWS)
    print(f"coverage {covered / DRAWS:.3f} of {DRAWS}")


def test_copies_tell_no_more_than_their_originals() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=60)
    y = 0.5 * x + rng.normal(size=60)
    once = rank_correlations({"x": x, "y": y}).of("x", "y")
    copied = {"x": np.repeat(x, 5), "y": np.repeat(y, 5)}
    apart, together = (
        rank_correlations(copied, clusters=clusters).of("x", "y")
        for clusters in (np.arange(300), np.repeat(np.arange(60), 5))
    )
    assert once is not None and apart is not None and together is not None
    assert together.method == "spearman, fisher z, clustered" and apart.method == "spearman, fisher z"
    widths = [one.high - one.low for one in (once, apart, together)]
    # Student's t of 59 degrees for the normal quantile, and G / (G - 1), widen it a little.
    assert widths[2] == pytest.approx(widths[0], rel=0.06) and widths[1] < 0.5 * widths[0]


def test_the_design_effect_is_that_of_the_jackknife() -> None:
    rng = np.random.default_rng(6)
    shared = np.repeat(rng.normal(size=(80, 2)), 4, axis=0)
    x, y = (shared[:, k] + 0.7 * shared[:, 0] * k + rng.normal(size=320) for k in (0, 1))
    clusters = np.repeat(np.arange(80), 4)
    found = rank_correlations({"x": x, "y": y}, clusters=clusters).of("x", "y")
    assert found is not None
    left_out = np.array([stats.spearmanr(x[clusters != k], y[clusters != k]).statistic for k in range(80)])
    error = np.sqrt(79 / 80 * np.sum((left_out - left_out.mean()) ** 2))
    half = stats.t.ppf(0.975, 79) * error
    low, high = np.tanh(np.arctanh(found.value) + np.array([-1, 1]) * half / (1 - found.value**2))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.02)
