"""Slices of clusters and weights in large runs: random sets say what the permutations say, and keep the level."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.slices import permutation
from hcat.core.slices.drawn_sets.of_units import MovingUnits
from hcat.core.slices.drawn_sets.tail_bound import weighted_tail_bound
from hcat.core.slices.membership import Partition
from hcat.core.slices.permutation import PermutationTest, permutation_tests
from tests.core.slices.by_rows import lower_tail_bound, permuted

DRAWS = int(os.environ.get("HCAT_DRAWS", "4"))
PARTS = np.array([0.6, 0.2, 0.1, 0.06, 0.04])


def run(rng: np.random.Generator, clusters: int) -> tuple[np.ndarray, np.ndarray]:
    """Cases of 1 to 12 values that are alike, most of them 0, and the case of each."""
    sizes = np.minimum(rng.geometric(0.35, clusters), 12)
    case = np.repeat(np.arange(clusters), sizes)
    shared, own = (np.where(rng.random(size) < 0.9, 0.0, rng.random(size)) for size in (clusters, len(case)))
    return np.where(rng.random(len(case)) < 0.5, shared[case], own), case


def compared(values: np.ndarray, codes: np.ndarray, **given: np.ndarray | None) -> PermutationTest:
    return permutation_tests(values, [Partition(codes, np.ones(len(PARTS), dtype=bool))], **given)[0]


@pytest.mark.parametrize("kind", ["clusters", "weights", "weighted clusters", "parts of clusters"])
def test_random_sets_say_what_permutations_say(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(31)
    values, case = run(rng, 1000)
    of_case = rng.choice(5, 1000, p=PARTS)
    codes = rng.choice(5, len(case), p=PARTS) if kind == "parts of clusters" else of_case[case]
    weights = rng.choice([1.0, 2.0, 5.0], 1000)[case] if "weight" in kind else None
    cases = None if kind == "weights" else case
    exact = compared(values, codes, cases=cases, weights=weights)
    monkeypatch.setattr(permutation, "ROWS_OF_SPLIT_CLUSTERS", 100)
    monkeypatch.setattr(permutation, "UNITS_OF_UNLIKE_SIZES", 100)
    drawn = compared(values, codes, cases=cases, weights=weights)
    np.testing.assert_allclose(drawn.difference, exact.difference, rtol=1e-9, atol=1e-12)
    # A tail settled by 100 permutations has 10 % error; parts of clusters have one test of the two.
    assert np.abs(stats.norm.isf(drawn.p / 2) - stats.norm.isf(exact.p / 2)).max() < 0.35
    width = exact.high - exact.low
    assert (np.abs(drawn.low - exact.low) < 0.2 * width).all()
    assert (np.abs(drawn.high - exact.high) < 0.2 * width).all()


@pytest.mark.parametrize("units", [30, 120, 900])
def test_sets_of_units_say_what_permuted_units_say(units: int) -> None:
    """Units of unlike sizes that move with these, in runs of any size."""
    rng = np.random.default_rng([36, units])
    means, sizes = np.where(rng.random(units) < 0.6, 0.0, rng.random(units)), rng.integers(1, 7, units).astype(float)
    part = Partition(rng.permutation(np.arange(units) % 3), np.ones(3, dtype=bool))
    means = means + 0.1 * (part.codes == 1)
    p, low, high = permuted(means, part, sizes=sizes)
    found = MovingUnits.of(means, sizes, [part]).tests(level=0.95)
    assert (np.abs(found[0] - p) < 4.5 * np.sqrt(4 * p * (1 - p / 2) / 9_999) + 1e-3).all()
    width = high - low
    assert (np.abs(found[2] - low) < 0.1 * width).all() and (np.abs(found[3] - high) < 0.1 * width).all()


@pytest.mark.parametrize("kind", ["clusters", "parts of clusters", "weights by slice"])
def test_clusters_of_unlike_sizes_keep_the_level_in_large_runs(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine values in ten are 0. By t, p ≤ 0.05 came in a fifth of small slices."""
    monkeypatch.setattr(permutation, "ROWS_OF_SPLIT_CLUSTERS", 300)
    monkeypatch.setattr(permutation, "UNITS_OF_UNLIKE_SIZES", 300)
    rng = np.random.default_rng(32)
    wrong = total = 0
    for _ in range(DRAWS):
        values, case = run(rng, 700)
        of_case = rng.choice(5, 700, p=PARTS)
        codes = rng.choice(5, len(case), p=PARTS) if kind == "parts of clusters" else of_case[case]
        weights = np.array([1.0, 1.0, 2.0, 5.0, 20.0])[of_case][case] if kind == "weights by slice" else None
        wrong += int((compared(values, codes, cases=case, weights=weights).p <= 0.05).sum())
        total += len(PARTS)
    assert wrong <= stats.binom.ppf(0.999, total, 0.05)


def test_a_lower_slice_is_found_in_a_large_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """p far below what draws can tell is a bound, and of the same size by both ways."""
    rng = np.random.default_rng(33)
    values, case = run(rng, 800)
    of_case = rng.choice(5, 800, p=PARTS)
    values = values + 0.5 * (of_case[case] != 3)
    weights = rng.choice([1.0, 2.0], 800)[case]
    exact = compared(values, of_case[case], cases=case, weights=weights)
    monkeypatch.setattr(permutation, "UNITS_OF_UNLIKE_SIZES", 100)
    drawn = compared(values, of_case[case], cases=case, weights=weights)
    assert 0 < exact.p[3] < 1e-6 and 0 < drawn.p[3] < 1e-6
    assert drawn.high[3] < 0


@pytest.mark.parametrize("weights", [np.ones(12), np.repeat([1.0, 2.0, 5.0], 4), np.linspace(1, 9, 25)])
def test_the_weighted_bound_is_never_below_the_tail(weights: np.ndarray) -> None:
    rng = np.random.default_rng(34)
    values = np.where(rng.random(80) < 0.7, 0.0, rng.random(80))
    moved = rng.permuted(np.tile(values, (20_000, 1)), axis=1)[:, : len(weights)]
    means = moved @ weights / weights.sum()
    for mean in np.quantile(means, [0.001, 0.01, 0.1, 0.5]):
        tail = float((means <= mean).mean())
        assert weighted_tail_bound(values - mean, weights) >= tail * (1 - 3 / np.sqrt(20_000 * tail))


def test_with_equal_weights_it_is_the_plain_bound() -> None:
    rng = np.random.default_rng(35)
    values = np.where(rng.random(400) < 0.7, 0.0, rng.random(400))
    plain = lower_tail_bound(values - values.mean(), np.array([40.0]), np.array([-0.08]))[0]
    assert plain <= weighted_tail_bound(values - values.mean() + 0.08, np.ones(40)) <= 1.2 * plain
