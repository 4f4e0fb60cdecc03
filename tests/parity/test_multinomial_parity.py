"""Multinomial maps against scikit-learn, with weights."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.calibration.maps.multinomial import fit_multinomial


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", [0.1, 1.0, 30.0])
@pytest.mark.parametrize(("n", "n_levels", "columns"), [(60, 3, 1), (500, 5, 4), (2000, 4, 8)])
def test_probabilities_and_slopes(n: int, n_levels: int, columns: int, penalty: float, weighted: bool) -> None:
    rng = np.random.default_rng(n + n_levels)
    X = rng.normal(size=(n, columns)) * 3 + 1
    y = np.digitize(X[:, 0] + rng.logistic(size=n), np.linspace(-2, 4, n_levels - 1))
    y[:n_levels] = np.arange(n_levels)
    weights = rng.uniform(0.2, 9, n) if weighted else np.ones(n)
    unit = weights / weights.mean()
    mean = np.average(X, axis=0, weights=unit)
    z = (X - mean) / np.sqrt(np.average((X - mean) ** 2, axis=0, weights=unit))
    oracle = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    oracle.fit(z, y, sample_weight=unit)
    fitted = fit_multinomial(X, y, n_levels=n_levels, passing=2, weights=weights, penalty=penalty)
    expected = oracle.predict_proba(z)
    assert fitted.level_probabilities(X) == pytest.approx(expected, abs=1e-6)
    assert fitted.probability(X) == pytest.approx(expected[:, 2:].sum(axis=1), abs=1e-6)
    assert np.array(fitted.slopes) == pytest.approx(oracle.coef_ - oracle.coef_.mean(axis=0), abs=1e-5)


def test_two_levels_are_logistic_with_half_the_penalty() -> None:
    # Two opposite slopes of ±β/2 cost 2 · penalty/2 · (β/2)² = penalty/4 · β²: half of what one slope β costs.
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    ours = fit_multinomial(X, y, n_levels=2, penalty=4.0).probability(X)
    assert ours == pytest.approx(fit_logistic(X, y, penalty=2.0).probability(X), abs=1e-7)
