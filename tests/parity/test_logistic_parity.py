"""Logistic map, AUC and Brier score against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.preprocessing import StandardScaler

from hcat.core.arrays import Floats
from hcat.core.calibration.checks.diagnostics import diagnose
from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.statistics.discrimination import auc


def data(n: int, columns: int, seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, columns)) * rng.uniform(0.01, 50, columns) + rng.uniform(-100, 100, columns)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    y = (rng.random(n) < 1 / (1 + np.exp(-z.sum(axis=1)))).astype(float)
    y[:2] = (0, 1)
    return X, y


def oracle(X: Floats, y: Floats, *, weights: Floats | None = None, penalty: float = 1.0) -> tuple[Floats, Floats]:
    scaled = StandardScaler().fit(X, sample_weight=weights).transform(X)
    model = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    unit = None if weights is None else weights / weights.mean()
    model.fit(scaled, y, sample_weight=unit)
    return np.concatenate([model.intercept_, model.coef_[0]]), model.predict_proba(scaled)[:, 1]


@pytest.mark.parametrize("penalty", [0.01, 1.0, 30.0])
@pytest.mark.parametrize(("n", "columns"), [(12, 1), (60, 3), (2000, 6)])
def test_coefficients_and_probabilities(n: int, columns: int, penalty: float) -> None:
    X, y = data(n, columns, seed=n + columns)
    fitted = fit_logistic(X, y, penalty=penalty)
    coefficients, probability = oracle(X, y, penalty=penalty)
    assert (fitted.intercept, *fitted.slopes) == pytest.approx(coefficients, abs=1e-6)
    assert fitted.probability(X) == pytest.approx(probability, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_with_sample_weights(seed: int) -> None:
    X, y = data(150, 2, seed)
    weights = np.random.default_rng(seed).uniform(0.5, 20, 150)
    fitted = fit_logistic(X, y, weights=weights)
    coefficients, probability = oracle(X, y, weights=weights)
    assert (fitted.intercept, *fitted.slopes) == pytest.approx(coefficients, abs=1e-6)
    assert fitted.probability(X) == pytest.approx(probability, abs=1e-6)


def test_separable_labels() -> None:
    X, y = np.arange(20.0)[:, None], (np.arange(20) >= 10).astype(float)
    fitted = fit_logistic(X, y)
    coefficients, _ = oracle(X, y)
    assert (fitted.intercept, *fitted.slopes) == pytest.approx(coefficients, abs=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_auc_with_ties_and_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    score, y = rng.integers(0, 8, 90) / 7, rng.random(90) < 0.4
    weights = rng.uniform(0.1, 9, 90)
    assert auc(score, y) == pytest.approx(roc_auc_score(y, score), abs=1e-12)
    assert auc(score, y, weights=weights) == pytest.approx(roc_auc_score(y, score, sample_weight=weights), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_brier_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, y, weights = rng.random(80), rng.random(80) < 0.5, rng.uniform(0.1, 9, 80)
    assert diagnose(p, y, q_hat=0.9).brier.value == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    weighted = diagnose(p, y, q_hat=0.9, weights=weights).brier.value
    assert weighted == pytest.approx(brier_score_loss(y, p, sample_weight=weights), abs=1e-12)
