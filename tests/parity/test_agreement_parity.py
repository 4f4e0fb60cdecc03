"""κ against scikit-learn, α against the krippendorff package."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from core.agreement.alpha import Measurement, krippendorff_alpha
from core.agreement.kappa import Weighting, cohen_kappa


@pytest.mark.parametrize("weighting", ["none", "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(6))
def test_kappa(seed: int, weighting: Weighting) -> None:
    rng = np.random.default_rng(seed)
    n, levels = int(rng.integers(5, 200)), int(rng.integers(2, 6))
    first = rng.integers(0, levels, n)
    second = np.where(rng.random(n) < 0.5, first, rng.integers(0, levels, n))
    theirs = cohen_kappa_score(
        first, second, labels=list(range(levels)), weights=None if weighting == "none" else weighting
    )
    ours = cohen_kappa(first, second, rng=rng, weighting=weighting, n_levels=levels, replicates=20)
    assert ours.value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(6))
def test_alpha(seed: int, measurement: Measurement) -> None:
    rng = np.random.default_rng(seed)
    items, annotators = int(rng.integers(5, 100)), int(rng.integers(2, 6))
    levels = np.repeat(rng.integers(0, 5, (items, 1)), annotators, axis=1).astype(float)
    levels = np.where(rng.random(levels.shape) < 0.4, rng.integers(0, 5, levels.shape), levels)
    levels[rng.random(levels.shape) < 0.3] = np.nan
    theirs = krippendorff.alpha(levels.T, level_of_measurement=measurement)
    ours = krippendorff_alpha(levels, rng=rng, measurement=measurement, replicates=20)
    assert ours.value == pytest.approx(theirs, abs=1e-10)
