"""Trees as plain arrays against xgboost itself: probabilities, and its exact TreeSHAP."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost

from hcat.core.calibration.maps.boosted_trees import (
    DEPTH,
    LEARNING_RATE,
    LEAST_WEIGHT,
    PENALTY,
    BoostedMap,
    fit_boosted,
)
from hcat.core.calibration.maps.parameters import PARAMETERS, map_from_parameters


@pytest.mark.parametrize(("n", "columns", "rounds"), [(80, 1, 40), (600, 4, 80), (2000, 9, 150)])
@pytest.mark.parametrize("lacking", [False, True])
def test_probabilities_and_contributions(n: int, columns: int, rounds: int, lacking: bool) -> None:
    rng = np.random.default_rng(n)
    X = np.round(rng.normal(size=(n, columns)), 2)
    y = (X[:, 0] + 0.5 * X[:, -1] ** 2 + rng.logistic(size=n) > 0).astype(float)
    weights = rng.uniform(0.3, 3, n)
    weights /= weights.mean()
    if lacking and columns > 1:
        X[rng.random(n) < 0.2, 1] = np.nan
    directions = (["higher", "none", "lower"] * 3)[:columns]
    fitted = fit_boosted(X, y, directions=directions, weights=weights, rounds=rounds)
    settings = {
        "objective": "binary:logistic",
        "base_score": float(np.average(y, weights=weights)),
        "max_depth": DEPTH,
        "eta": LEARNING_RATE,
        "lambda": PENALTY,
        "min_child_weight": LEAST_WEIGHT,
        "monotone_constraints": tuple({"higher": 1, "lower": -1, "none": 0}[name] for name in directions),
        "tree_method": "hist",
        "max_bin": 64,
        "nthread": 1,
    }
    oracle = xgboost.train(settings, xgboost.DMatrix(X, label=y, weight=weights), rounds)
    # New scores, those of the fit (which lie on thresholds), and ones beyond all of them.
    new = np.vstack([X, rng.normal(size=(500, columns)), np.full((1, columns), 1e9), np.full((1, columns), -1e9)])
    again = map_from_parameters(BoostedMap, fitted.metrics, PARAMETERS.write_object(fitted))
    assert len(fitted.trees) == rounds
    assert again.probability(new) == pytest.approx(oracle.predict(xgboost.DMatrix(new)), abs=1e-6)
    shap = oracle.predict(xgboost.DMatrix(new), pred_contribs=True)
    assert again.contributions(new) == pytest.approx(shap[:, :-1], abs=5e-6)
    assert again.baseline == pytest.approx(float(shap[0, -1]), abs=5e-6)
