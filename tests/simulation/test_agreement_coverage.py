"""Bootstrap intervals of κ and α by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from core.agreement.alpha import Measurement, krippendorff_alpha
from core.agreement.kappa import Weighting, cohen_kappa
from core.arrays import Floats

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""


def annotated(rng: np.random.Generator, n: int, annotators: int) -> Floats:
    """Levels 0 to 2: each annotator gives the item's own, or in one case of four any."""
    own = rng.choice(3, size=(n, 1), p=[0.2, 0.3, 0.5])
    return np.where(rng.random((n, annotators)) < 0.25, rng.integers(0, 3, (n, annotators)), own).astype(float)


def lowest() -> float:
    # A bootstrap of 60 items is no exact interval: two points of coverage are granted, no more.
    return float(stats.binom.ppf(0.0005, DRAWS, 0.93)) / DRAWS


@pytest.mark.parametrize("weighting", ["none", "quadratic"])
def test_kappa_intervals_cover(weighting: Weighting) -> None:
    rng = np.random.default_rng(31)
    large = annotated(rng, 400_000, 2)
    truth = cohen_kappa(large[:, 0], large[:, 1], rng=rng, weighting=weighting, replicates=2).value
    hits = 0
    for _ in range(DRAWS):
        levels = annotated(rng, 60, 2)
        made = cohen_kappa(levels[:, 0], levels[:, 1], rng=rng, weighting=weighting, replicates=500)
        hits += int(made.low <= truth <= made.high)
    assert lowest() <= hits / DRAWS <= 0.99


@pytest.mark.parametrize("measurement", ["nominal", "ordinal"])
def test_alpha_intervals_cover_with_missing_labels(measurement: Measurement) -> None:
    rng = np.random.default_rng(37)

    def levels(n: int) -> Floats:
        table = annotated(rng, n, 4)
        table[rng.random(table.shape) < 0.3] = np.nan
        return table

    truth = krippendorff_alpha(levels(200_000), rng=rng, measurement=measurement, replicates=2).value
    hits = 0
    for _ in range(DRAWS):
        made = krippendorff_alpha(levels(60), rng=rng, measurement=measurement, replicates=500)
        hits += int(made.low <= truth <= made.high)
    assert lowest() <= hits / DRAWS <= 0.99
