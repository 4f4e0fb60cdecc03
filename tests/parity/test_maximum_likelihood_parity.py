"""Plain logistic maps against statsmodels' GLM, and which labels have none."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from hcat.core.arrays import Floats
from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.calibration.maps.maximum_likelihood import fit_maximum_likelihood
from hcat.core.errors import HcatError


def data(n: int, columns: int, seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, columns))
    y = (rng.random(n) < 1 / (1 + np.exp(-z.sum(axis=1)))).astype(float)
    return z * rng.uniform(0.01, 50, columns) + rng.uniform(-100, 100, columns), y


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "columns"), [(60, 1), (60, 3), (2000, 6)])
def test_coefficients_and_probabilities(n: int, columns: int, weighted: bool) -> None:
    X, y = data(n, columns, seed=n + columns)
    weights = np.random.default_rng(n).uniform(0.5, 20, n) if weighted else None
    fitted = fit_maximum_likelihood(X, y, weights=weights)
    design = np.column_stack([np.ones(n), (X - np.array(fitted.means)) / np.array(fitted.scales)])
    oracle = sm.GLM(y, design, family=sm.families.Binomial(), freq_weights=weights).fit(tol=1e-14, maxiter=200)
    assert (fitted.intercept, *fitted.slopes) == pytest.approx(oracle.params, abs=1e-6)
    assert fitted.probability(X) == pytest.approx(oracle.predict(design), abs=1e-6)
    assert np.linalg.norm(fitted.slopes) > np.linalg.norm(fit_logistic(X, y, weights=weights).slopes)


def overlap(score: Floats, y: Floats) -> bool:
    """Of one score: each class has a score strictly beyond some of the other's, in both directions."""
    passes, fails = score[y == 1], score[y == 0]
    return bool(fails.max() > passes.min() and passes.max() > fails.min())


@pytest.mark.parametrize("seed", range(60))
def test_it_is_refused_exactly_where_one_score_separates_the_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    score = rng.integers(0, 5, 8).astype(float) + (rng.normal(size=8) if seed % 2 else 0)
    y = (rng.random(8) < 1 / (1 + np.exp(4 - 2 * score))).astype(float)
    y[:2] = (0, 1)
    if overlap(score, y):
        assert np.isfinite(fit_maximum_likelihood(score, y).slopes).all()
    else:
        with pytest.raises(HcatError, match="no finite maximum: use logistic"):
            fit_maximum_likelihood(score, y)


def test_labels_that_only_two_scores_together_separate() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 2))
    y = (X.sum(axis=1) > 0).astype(float)
    assert np.isfinite(fit_maximum_likelihood(X[:, 0], y).slopes).all()
    with pytest.raises(HcatError, match="separate the labels"):
        fit_maximum_likelihood(X, y)
    y[X.sum(axis=1).argmax()] = 0
    assert np.isfinite(fit_maximum_likelihood(X, y).slopes).all()


def test_scores_that_determine_each_other_are_refused_and_a_constant_counts_nothing() -> None:
    X, y = data(80, 2, seed=3)
    with pytest.raises(HcatError, match="no single maximum"):
        fit_maximum_likelihood(np.column_stack([X, X.sum(axis=1)]), y)
    with_constant = fit_maximum_likelihood(np.column_stack([X, np.full(80, 0.1)]), y)
    assert with_constant.slopes[2] == 0 and with_constant.slopes[:2] == fit_maximum_likelihood(X, y).slopes
    alone = fit_maximum_likelihood(np.full(80, 0.1), y)
    assert alone.slopes[0] == 0 and alone.probability([0.1])[0] == pytest.approx(y.mean())
