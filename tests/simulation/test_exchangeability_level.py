"""The check that labels are like the run: its level without a difference, by each design, and its power for a shift."""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray

from core.calibration.exchangeability import SIGNIFICANT, Features, check_exchangeability

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""

N, COUNT = 300, 80
Floats = NDArray[np.float64]


def run(rng: np.random.Generator) -> Features:
    x = rng.normal(size=(N, 6))
    x[:, 1] += x[:, 0]
    return Features(tuple("abcdef"), x)


def rejected(design: str, seed: int) -> float:
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(DRAWS):
        features = run(rng)
        chance = np.full(N, COUNT / N)
        if design.startswith("unequal"):
            chance = np.clip(chance * np.exp(0.8 * features.table[:, 0] - 0.3), 0.03, 0.95)
        if design == "shift":
            chance = np.clip(chance * np.exp(0.7 * features.table[:, 2]), 0.01, 0.95)
        if design == "random":
            labelled = np.zeros(N, dtype=bool)
            labelled[rng.choice(N, COUNT, replace=False)] = True
        else:
            labelled = rng.random(N) < chance
        weights = 1 / chance if design == "unequal, weighted" else None
        found = check_exchangeability(features, labelled, weights=weights, generator=rng, draws=99)
        hits += found.p <= SIGNIFICANT
    print(f"{design}: rejected {hits / DRAWS:.3f}")
    return hits / DRAWS


@pytest.mark.parametrize("design", ["random", "unequal, weighted"])
def test_level(design: str) -> None:
    assert rejected(design, 11) <= SIGNIFICANT + 3 * (SIGNIFICANT * (1 - SIGNIFICANT) / DRAWS) ** 0.5


@pytest.mark.parametrize("design", ["shift", "unequal, not weighted"])
def test_power(design: str) -> None:
    assert rejected(design, 12) >= 0.8
