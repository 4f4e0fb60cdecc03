"""Isotonic maps against scikit-learn, with weights and tied scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from hcat.core.calibration.maps.isotonic import fit_isotonic, pool_adjacent_violators
from hcat.core.calibration.maps.isotonic_steps import fit_isotonic_steps


@pytest.mark.parametrize("sign", [1, -1], ids=["rising", "falling"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("n", [20, 100, 2000])
def test_maps(n: int, tied: bool, weighted: bool, sign: int) -> None:
    rng = np.random.default_rng(n)
    score = rng.normal(size=n)
    score = np.round(score, 1) if tied else score
    y = (rng.random(n) < 1 / (1 + np.exp(-3 * sign * score))).astype(float)
    weights = rng.uniform(0.2, 9, n) if weighted else None
    edge = 1 / (n + 2)
    oracle = IsotonicRegression(y_min=edge, y_max=1 - edge, out_of_bounds="clip", increasing=sign > 0)
    oracle.fit(score, y, sample_weight=weights)
    x = np.linspace(-4, 4, 999)
    assert fit_isotonic(score, y, weights=weights).probability(x) == pytest.approx(oracle.predict(x), abs=1e-9)
    steps = fit_isotonic_steps(score, y, weights=weights)
    assert steps.probability(score) == pytest.approx(oracle.predict(score), abs=1e-9)
    # Between the scores of two labels, the lower of what the oracle has at both; beyond all of them, that of the last.
    ordered = np.unique(score)
    heights = oracle.predict(ordered)
    between = steps.probability((ordered[:-1] + ordered[1:]) / 2)
    assert between == pytest.approx(np.minimum(heights[:-1], heights[1:]), abs=1e-9)
    assert steps.probability([-99.0, 99.0]) == pytest.approx(heights[[0, -1]], abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_pooling_of_any_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=300), rng.uniform(0.1, 5, 300)
    oracle = IsotonicRegression().fit_transform(np.arange(300), values, sample_weight=weights)
    assert pool_adjacent_violators(values, weights) == pytest.approx(oracle, abs=1e-12)
