"""Intervals of variants' changes and slopes cover as they say, where variants of one origin depend on one another."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.robustness.change import changes_by_family, pass_changes
from hcat.core.capabilities.robustness.dose_response import dose_response

ORIGINS, EACH, RUNS = 40, 3, 400
STRENGTHS = np.tile([0.2, 0.5, 0.8], ORIGINS)
CLUSTERS = [f"o{n // EACH}" for n in range(ORIGINS * EACH)]


def draws(rng: np.random.Generator, *, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """Passes of variants and of their origins: an origin that passes loses with a chance of its own, on average
    `loss`, which grows with strength; the three variants of an origin share that chance."""
    origins = np.repeat((rng.random(ORIGINS) < 0.7).astype(float), EACH)
    own = np.repeat(rng.beta(1.0, 1.0 / loss - 1.0, ORIGINS), EACH)
    lost = rng.random(len(origins)) < own * (0.5 + STRENGTHS)
    return np.where(lost, 0.0, origins), origins


@pytest.mark.parametrize("loss", [0.1, 0.3])
def test_change_and_slope_cover(loss: float) -> None:
    rng = np.random.default_rng(11)
    truth = -0.7 * loss * (0.5 + STRENGTHS).mean()  # a beta of mean `loss`, times 0.7 … 1.3, never above 1 by much
    slope = -0.7 * loss
    covered, slopes = 0, 0
    exact = np.mean([_mean_change(rng, loss) for _ in range(3000)], axis=0)
    assert exact[0] == pytest.approx(truth, abs=0.03)
    assert exact[1] == pytest.approx(slope, abs=0.08)
    for _ in range(RUNS):
        variants, origins = draws(rng, loss=loss)
        (change,) = changes_by_family(variants, origins, ["f"] * len(variants), CLUSTERS, within=(0.0, 1.0))
        dose = dose_response(variants - origins, STRENGTHS, CLUSTERS, CLUSTERS, family="f", within=(0.0, 1.0))
        covered += change.change.low <= exact[0] <= change.change.high
        slopes += dose.slope.low <= exact[1] <= dose.slope.high
    print(f"loss {loss}: change {covered / RUNS:.3f}, slope {slopes / RUNS:.3f}")
    assert covered / RUNS >= 0.92  # more where losses are rare: whole origins could have been lost unseen
    assert 0.91 <= slopes / RUNS <= 0.99


def test_the_clustered_test_of_passes_holds_its_level() -> None:
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(RUNS):
        origins = np.repeat((rng.random(ORIGINS) < 0.5).astype(float), EACH)
        flips = np.repeat(rng.random(ORIGINS) < 0.4, EACH)  # an origin's variants all change, or none
        variants = np.where(flips, 1 - origins, origins)
        rejected += pass_changes(variants, origins, CLUSTERS).p <= 0.05
    print(f"rejected {rejected / RUNS:.3f}")
    assert rejected / RUNS <= 0.07


def _mean_change(rng: np.random.Generator, loss: float) -> np.ndarray:
    variants, origins = draws(rng, loss=loss)
    difference = variants - origins
    by_strength = [difference[strength == STRENGTHS].mean() for strength in (0.2, 0.5, 0.8)]
    return np.array([difference.mean(), (by_strength[2] - by_strength[0]) / 0.6])
