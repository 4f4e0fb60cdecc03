"""The combined evaluator against scipy's bounded optimum, and without bounds against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.maps.bounded_newton import minimise_logistic
from hcat.core.calibration.maps.combined import fit_combined


def data(n: int, columns: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Metrics that go together, some of them against their direction once the others are known."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=n)
    X = quality[:, None] + rng.normal(size=(n, columns))
    y = (quality + rng.normal(size=n) * 0.5 - 0.4 * X[:, 0] > 0).astype(float)
    y[:2] = (0, 1)
    return X, y, rng.uniform(0.2, 5, n)


def loss_of(beta: Floats, design: Floats, y: Floats, weights: Floats, ridge: Floats) -> float:
    z = design @ beta
    return float(weights @ (np.logaddexp(0, z) - y * z) + 0.5 * np.sum(ridge * beta**2))


def bounded_optimum(design: Floats, y: Floats, weights: Floats, ridge: Floats, bounded: Bools) -> Floats:
    def gradient(beta: Floats) -> Floats:
        p = 1 / (1 + np.exp(-design @ beta))
        return design.T @ (weights * (p - y)) + ridge * beta

    found = minimize(
        lambda beta: loss_of(beta, design, y, weights, ridge),
        np.zeros(design.shape[1]),
        jac=gradient,
        method="L-BFGS-B",
        bounds=[(0, None) if held else (None, None) for held in bounded],
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 10_000, "maxfun": 100_000},
    )
    return np.asarray(found.x)


@pytest.mark.parametrize("penalty", [0.1, 3.0, 100.0])
@pytest.mark.parametrize(("n", "columns"), [(40, 2), (300, 8), (2000, 15)])
def test_bounded_optimum(n: int, columns: int, penalty: float) -> None:
    X, y, weights = data(n, columns, n + columns)
    weights = weights / weights.mean()
    design = np.column_stack([np.ones(n), X])
    ridge = np.append(0.0, np.full(columns, penalty))
    bounded = np.array([False, *(column % 3 != 2 for column in range(columns))])
    ours = minimise_logistic(design, y, weights, ridge, bounded=bounded)
    theirs = bounded_optimum(design, y, weights, ridge, bounded)
    assert (ours[bounded] >= 0).all()
    assert ours == pytest.approx(theirs, abs=2e-4)
    loss = loss_of(ours, design, y, weights, ridge)
    assert loss <= loss_of(theirs, design, y, weights, ridge) + 1e-9


def test_a_bound_holds() -> None:
    X, y, _ = data(2000, 4, 5)
    fitted = fit_combined(X, y, directions=["higher"] * 4, penalty=1.0)
    free = fit_combined(X, y, penalty=1.0)
    assert free.slopes[0] < -0.1 and fitted.slopes[0] == 0
    assert min(fitted.slopes) >= 0


@pytest.mark.parametrize("penalty", [0.1, 1.0, 30.0])
def test_without_directions_it_is_logistic_regression(penalty: float) -> None:
    X, y, weights = data(500, 5, 1)
    weights = weights / weights.mean()
    mean = np.average(X, axis=0, weights=weights)
    z = (X - mean) / np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    oracle = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    oracle.fit(z, y, sample_weight=weights)
    fitted = fit_combined(X, y, weights=weights, penalty=penalty)
    assert (fitted.intercept, *fitted.slopes) == pytest.approx([oracle.intercept_[0], *oracle.coef_[0]], abs=1e-6)


def test_unscored_metrics_are_indicators_beside_the_mean() -> None:
    X, y, _ = data(400, 3, 2)
    X[::4, 1] = np.nan
    scored = ~np.isnan(X)
    means = [float(column[kept].mean()) for column, kept in zip(X.T, scored.T, strict=True)]
    scales = [float(column[kept].std()) for column, kept in zip(X.T, scored.T, strict=True)]
    z = np.where(scored, (X - means) / scales, 0.0)
    oracle = LogisticRegression(C=1 / 2.0, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    oracle.fit(np.column_stack([z, ~scored[:, 1]]), y)
    fitted = fit_combined(X, y, penalty=2.0)
    assert fitted.unscored[0] is None and fitted.unscored[2] is None
    assert [*fitted.slopes, fitted.unscored[1]] == pytest.approx(oracle.coef_[0].tolist(), abs=1e-6)
    ours = fitted.probability(X)
    assert ours == pytest.approx(oracle.predict_proba(np.column_stack([z, ~scored[:, 1]]))[:, 1], abs=1e-6)
