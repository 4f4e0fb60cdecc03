"""Proportional odds against statsmodels' OrderedModel."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

from hcat.core.calibration.maps.ordinal import fit_ordinal


@pytest.mark.parametrize(("n", "n_levels", "columns"), [(100, 3, 1), (400, 5, 2), (2000, 4, 4)])
def test_cuts_slopes_and_probabilities(n: int, n_levels: int, columns: int) -> None:
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, columns))
    slopes = np.array([1.5, -0.7, 0.2, 0.0])[:columns]
    y = np.digitize(X @ slopes + rng.logistic(size=n), np.linspace(-1.5, 1.5, n_levels - 1))
    fitted = fit_ordinal(X, y, n_levels=n_levels, penalty=1e-9)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    model = OrderedModel(y, z, distr="logit")
    with warnings.catch_warnings():
        # The tolerance asked for is below what its line search can resolve; the gradient is as good as zero.
        warnings.simplefilter("ignore")
        found = model.fit(method="bfgs", gtol=1e-9, maxiter=1000, disp=False)
    assert fitted.slopes == pytest.approx(found.params[:columns], abs=1e-5)
    assert fitted.cuts == pytest.approx(model.transform_threshold_params(found.params)[1:-1], abs=1e-5)
    assert fitted.level_probabilities(X) == pytest.approx(np.asarray(found.predict(z)), abs=1e-5)


def test_weights_count_as_copies() -> None:
    rng = np.random.default_rng(9)
    X = rng.normal(size=(150, 2))
    y = np.digitize(X @ [1.0, -0.5] + rng.logistic(size=150), [-1.0, 0.5])
    copies = rng.integers(1, 5, 150)
    fitted = fit_ordinal(X, y, n_levels=3, weights=copies.astype(float), penalty=1e-9)
    many, levels = np.repeat(X, copies, axis=0), np.repeat(y, copies)
    z = (many - many.mean(axis=0)) / many.std(axis=0)
    model = OrderedModel(levels, z, distr="logit")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = model.fit(method="bfgs", gtol=1e-9, maxiter=1000, disp=False)
    assert fitted.slopes == pytest.approx(found.params[:2], abs=1e-5)
    assert fitted.cuts == pytest.approx(model.transform_threshold_params(found.params)[1:-1], abs=1e-5)
