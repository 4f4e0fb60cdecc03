"""Bootstrap intervals of κ and α by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.arrays import Floats
from hcat.core.capabilities.agreement.alpha import Measurement, krippendorff_alpha
from hcat.core.capabilities.agreement.kappa import Weighting, cohen_kappa
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.summary import AC1, ALPHA, KAPPA, agreement
from hcat.core.types import Criterion
from tests.grids import each_value_once

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


CELLS = [(0.5, 0.4), (0.9, 0.37), (0.97, 0.27), (0.97, 0.8)]


@pytest.mark.parametrize(("passes", "kappa", "n"), each_value_once(CELLS, [15, 30, 60, 150]))
def test_intervals_cover_at_high_pass_rates(passes: float, kappa: float, n: int) -> None:
    """Two annotators with the same pass rate, cells by Donner and Eliasziw 1992: κ and α are the same in truth."""
    rng = np.random.default_rng(41)
    apart = (1 - kappa) * passes * (1 - passes)
    cells = [(1 - passes) - apart, apart, apart, passes - apart]
    chance = 2 * passes * (1 - passes)
    truth = {KAPPA: kappa, ALPHA: kappa, AC1: (1 - 2 * apart - chance) / (1 - chance)}
    hits: dict[str, list[bool]] = {name: [] for name in truth}
    for _ in range(DRAWS // 2):
        drawn = rng.choice(4, size=n, p=cells)
        table = Ratings(tuple(map(str, range(n))), ("a", "b"), np.array([drawn // 2, drawn % 2], dtype=float).T)
        found = agreement(table, criterion=Criterion("c"), rng=rng, replicates=400)
        for name, value in truth.items():
            made = found.coefficients[name]
            if found.suffices_for(name):
                hits[name].append(made.low <= value <= made.high)
    for name, covered in hits.items():
        # Few draws have enough labels of the rarer side at 15 items: they grant no more than chance does.
        if covered:
            assert np.mean(covered) >= stats.binom.ppf(0.0005, len(covered), 0.93) / len(covered), name
