"""Cluster intervals of S_u, S_c and S_t, and of the variance split, by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from core.estimates.one_way import one_way_split
from core.estimates.probabilistic import probabilistic_scores

DRAWS = int(os.environ.get("HCAT_DRAWS", "400"))
"""1000 in `make simulate`."""


def bounds(level: float) -> tuple[float, float]:
    low, high = stats.binom.interval(0.999, DRAWS, level)
    return low / DRAWS, high / DRAWS


@pytest.mark.parametrize("unequal", [False, True], ids=["equal trials", "unequal trials"])
@pytest.mark.parametrize("cases", [20, 80])
def test_cluster_intervals_cover(cases: int, unequal: bool) -> None:
    """Test cases whose chance of a good answer differs, with an expectation of 0 or 1."""
    rng = np.random.default_rng(cases + unequal)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        chance = rng.beta(1.4, 0.7, n)
        trials = rng.integers(2, 9, n) if unequal else np.full(n, 5)
        return chance, trials, (rng.random(n) < 0.2 + 0.7 * chance).astype(float)

    chance, _, h = draw(2_000_000)
    # The number of trials says nothing of the chance, so that the mean over trials aims at the mean over cases.
    truth = {"unconditional": chance.mean(), "conditional": np.mean(1 - np.abs(chance - h))}
    truth["total"] = (truth["unconditional"] + truth["conditional"]) / 2
    hits, naive = dict.fromkeys(truth, 0), 0
    for _ in range(DRAWS):
        chance, trials, h = draw(cases)
        row = np.repeat(np.arange(cases), trials)
        outcomes = rng.random(len(row)) < chance[row]
        made = probabilistic_scores(
            outcomes, row.astype(str).tolist(), expected={str(i): value for i, value in enumerate(h)}
        )
        for name, value in truth.items():
            estimate = getattr(made, name)
            hits[name] += int(estimate.low <= value <= estimate.high)
        half = 1.96 * np.sqrt(outcomes.mean() * (1 - outcomes.mean()) / len(row))
        naive += int(abs(outcomes.mean() - truth["unconditional"]) <= half)
    low, high = bounds(0.95)
    for name, count in hits.items():
        assert low <= count / DRAWS <= high, name
    # Trials taken for independent promise far too much.
    assert naive / DRAWS < low


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_the_interval_of_the_share_of_variance_covers(share: float) -> None:
    rng = np.random.default_rng(int(10 * share))
    row = np.repeat(np.arange(25), 4)
    names = row.astype(str).tolist()
    hits = 0
    for _ in range(DRAWS):
        y = rng.normal(size=25)[row] * np.sqrt(share) + rng.normal(size=100) * np.sqrt(1 - share)
        estimate = one_way_split(y, names).share
        hits += int(estimate.low <= share <= estimate.high)
    low, high = bounds(0.95)
    # At 0 the lower bound can't miss, so that only the upper one does.
    assert low <= hits / DRAWS <= (high if share else 1.0)
