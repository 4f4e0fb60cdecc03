"""The corrected calibration error where the true one is known: centred at 0 for a true map, never above on average.
And the parts of the Brier score, without the share of chance."""

from __future__ import annotations

import os

import numpy as np
import pytest

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.checks.brier import brier_parts
from hcat.core.calibration.checks.reliability import calibration_error, corrected_calibration_error, equal_mass_bins
from tests.grids import each_value_once

DRAWS = int(os.environ.get("HCAT_DRAWS", "300"))
"""1000 in `make simulate`."""


def draw(rng: np.random.Generator, n: int, tempering: float) -> tuple[Floats, Bools, float]:
    """Stated probabilities, labels, and the true error over the same bins. A tempering of 1 is a true map."""
    z = 1.5 * rng.normal(size=n) + 0.5
    stated, true = 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(-tempering * z))
    gaps = np.bincount(equal_mass_bins(stated), weights=stated - true)
    return stated, rng.random(n) < true, float(np.abs(gaps).sum() / n)


@pytest.mark.parametrize(("tempering", "n"), each_value_once([1.0, 0.4], [30, 100, 400]))
def test_bias_and_coverage(n: int, tempering: float) -> None:
    rng = np.random.default_rng(n)
    plain, corrected, truth, inside = [], [], [], []
    for _ in range(DRAWS):
        p, y, error = draw(rng, n, tempering)
        found = corrected_calibration_error(p, y, generator=rng, replicates=100)
        plain.append(calibration_error(p, y))
        corrected.append(found.value)
        truth.append(error)
        inside.append(found.low <= error <= found.high)
    noise = 4 * float(np.std(corrected)) / DRAWS**0.5
    true = float(np.mean(truth))
    print(
        f"n={n} tempering={tempering}: true {true:.3f}, plain {np.mean(plain):.3f}, "
        f"corrected {np.mean(corrected):.3f}, interval covers {np.mean(inside):.3f}"
    )
    assert np.mean(plain) > true
    assert np.mean(corrected) <= true + noise
    if tempering == 1.0:
        assert abs(np.mean(corrected)) <= noise
        assert np.mean(plain) > 0.02 * (400 / n) ** 0.5
    # Percentile and normal bounds are approximate: 95 % is nominal, 90 % is what is asked of them.
    assert np.mean(inside) >= 0.90


@pytest.mark.parametrize("n", [60, 300])
@pytest.mark.parametrize("tempering", [1.0, 0.4], ids=["true map", "overconfident map"])
def test_parts_of_the_brier_score_are_centred_and_cover(n: int, tempering: float) -> None:
    rng = np.random.default_rng(n)
    bias, inside = np.zeros((DRAWS, 2)), np.zeros((DRAWS, 2))
    for draw_number in range(DRAWS):
        p, _, _ = draw(rng, n, tempering)
        true = 1 / (1 + ((1 - p) / p) ** tempering)
        y, bins = rng.random(n) < true, equal_mass_bins(p)
        size = np.bincount(bins)
        stated, passed = np.bincount(bins, weights=p) / size, np.bincount(bins, weights=true) / size
        truth = np.array([size @ (stated - passed) ** 2, size @ (passed - true.mean()) ** 2]) / n
        found = brier_parts(p, y, generator=rng, replicates=100)
        parts = (found.reliability, found.resolution)
        bias[draw_number] = [part.value for part in parts] - truth
        inside[draw_number] = [part.low <= real <= part.high for part, real in zip(parts, truth, strict=True)]
    noise = 4 * bias.std(axis=0) / DRAWS**0.5
    print(f"n={n} tempering={tempering}: bias {bias.mean(axis=0)}, covers {inside.mean(axis=0)}")
    # What is taken off is the noise of labels that are alike within a bin: a little more than there is.
    assert (np.abs(bias.mean(axis=0)) <= noise + 0.002).all()
    assert (inside.mean(axis=0) >= 0.90).all()
