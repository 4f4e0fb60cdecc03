"""Intervals of means of bounded scores and of Brier scores, by simulation with fixed seeds."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
from scipy import special, stats

from hcat.core.arrays import Floats
from hcat.core.calibration.checks.diagnostics import diagnose
from hcat.core.statistics.intervals import mean_interval
from tests.grids import each_value_once

DRAWS = int(os.environ.get("HCAT_DRAWS", "150"))
"""1000 in `make simulate`."""
SHARE = (0.0, 1.0)
Draw = Callable[[np.random.Generator, int], Floats]


def entailment(rng: np.random.Generator, n: int) -> Floats:
    """The lowest σ(D) of an answer's sentences, D normal and far below 0, as where contexts are tables."""
    drawn: Floats = special.expit(rng.normal(-5.5, 1.5, n))
    return drawn


def mostly_zero(rng: np.random.Generator, n: int) -> Floats:
    return np.where(rng.random(n) < 0.8, 0.0, rng.beta(2, 2, n))


def thirds(rng: np.random.Generator, n: int) -> Floats:
    return rng.choice([0.0, 1 / 3, 0.5, 1.0], p=[0.8, 0.1, 0.05, 0.05], size=n)


def passes(rng: np.random.Generator, n: int) -> Floats:
    return (rng.random(n) < 0.97).astype(float)


def skewed(rng: np.random.Generator, n: int) -> Floats:
    return rng.beta(9, 1, n)


def nearly_normal(rng: np.random.Generator, n: int) -> Floats:
    return rng.beta(12, 8, n)


@pytest.mark.parametrize(
    ("draw", "n"), each_value_once([entailment, mostly_zero, thirds, passes, skewed, nearly_normal], [20, 50, 83, 300])
)
def test_means_of_bounded_scores_cover(draw: Draw, n: int) -> None:
    rng = np.random.default_rng(53)
    truth = float(draw(rng, 200_000).mean())
    made = [mean_interval(draw(rng, n), within=SHARE) for _ in range(DRAWS)]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in made])
    assert covered >= lowest()
    assert min(estimate.high - estimate.low for estimate in made) > 0


@pytest.mark.parametrize("n", [20, 50, 83, 300])
def test_nearly_normal_scores_keep_their_width(n: int) -> None:
    rng = np.random.default_rng(59)
    ratios = []
    for _ in range(DRAWS):
        values = nearly_normal(rng, n)
        bounded, by_t = mean_interval(values, within=SHARE), mean_interval(values)
        ratios.append((bounded.high - bounded.low) / (by_t.high - by_t.low))
    assert np.mean(ratios) < 1.05


@pytest.mark.parametrize("cases", [15, 60])
def test_means_of_trials_cover(cases: int) -> None:
    rng = np.random.default_rng(61)
    truth = float(mostly_zero(rng, 200_000).mean())
    hits = []
    for _ in range(DRAWS):
        own = mostly_zero(rng, cases)[:, None]
        values = np.where(rng.random((cases, 4)) < 0.6, own, mostly_zero(rng, cases * 4).reshape(cases, 4))
        made = mean_interval(values.ravel(), clusters=np.repeat(np.arange(cases), 4), within=SHARE)
        hits.append(made.low <= truth <= made.high)
    assert np.mean(hits) >= lowest()


@pytest.mark.parametrize(("rate", "n"), each_value_once([0.67, 0.9, 0.97], [25, 60]))
def test_brier_scores_cover_where_one_class_is_rare(rate: float, n: int) -> None:
    rng = np.random.default_rng(67)

    def drawn(size: int) -> tuple[Floats, Floats]:
        chance = special.expit(rng.normal(special.logit(rate), 0.7, size))
        return chance, (rng.random(size) < chance).astype(float)

    p, y = drawn(200_000)
    truth = float(((p - y) ** 2).mean())
    hits = []
    for _ in range(DRAWS):
        p, y = drawn(n)
        made = diagnose(p, y == 1, replicates=0).brier
        hits.append(made.low <= truth <= made.high)
    assert np.mean(hits) >= lowest()


def lowest() -> float:
    return float(stats.binom.ppf(0.0005, DRAWS, 0.93)) / DRAWS
