"""The drift test's level and power, and the coverage of leniency, by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
from scipy import stats

from hcat.core.capabilities.agreement.drift import drift
from hcat.core.statistics.paired import paired_differences

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""


def rejected(before: float, after: float, *, n: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(DRAWS):
        x = (rng.random(n) < np.where(np.arange(n) < n // 2, before, after)).astype(float)
        hits += int(drift(x, rng=rng, permutations=300).p <= 0.05)
    return hits / DRAWS


def test_an_annotator_who_does_not_drift_is_found_at_most_at_the_level() -> None:
    highest = stats.binom.ppf(0.9995, DRAWS, 0.05) / DRAWS
    assert 0.01 <= rejected(0.8, 0.8, n=100, seed=41) <= highest
    assert rejected(0.97, 0.97, n=40, seed=43) <= highest


def test_an_annotator_who_drifts_is_found() -> None:
    # Stricter by 30 points from the middle of 100 labels on: a test of the two known halves would have a power of 0.9.
    assert rejected(0.8, 0.5, n=100, seed=47) >= 0.7
    assert rejected(0.8, 0.7, n=100, seed=53) < rejected(0.8, 0.5, n=100, seed=47)


def test_leniency_intervals_cover() -> None:
    rng = np.random.default_rng(59)
    lowest = stats.binom.ppf(0.0005, DRAWS, 0.94) / DRAWS
    for n, lenient, strict in ((20, 0.05, 0.02), (60, 0.15, 0.05), (200, 0.02, 0.2)):
        d = rng.choice([1.0, -1.0, 0.0], size=(DRAWS, n), p=[lenient, strict, 1 - lenient - strict])
        made = [paired_differences(row).interval() for row in d]
        hits = np.mean([one.low <= lenient - strict <= one.high for one in made])
        assert hits >= lowest, (n, hits)
