"""Conformal thresholds and prediction sets against MAPIE's split conformal classifier with the LAC score."""

from __future__ import annotations

import numpy as np
import pytest
from mapie.classification import SplitConformalClassifier
from sklearn.linear_model import LogisticRegression

from hcat.core.calibration.conformal.threshold import conformal_quantile, nonconformity, prediction_sets

ALPHAS = (0.05, 0.1, 0.2, 0.37, 0.5)


@pytest.mark.parametrize("rounded", [False, True], ids=["distinct scores", "tied scores"])
@pytest.mark.parametrize("n", [20, 99, 100, 101, 500])
def test_thresholds_and_sets(n: int, rounded: bool) -> None:
    rng = np.random.default_rng(n)
    x = rng.normal(size=(200 + n + 300, 1))
    x = np.round(x, 1) if rounded else x
    y = (rng.random(len(x)) < 1 / (1 + np.exp(-1.5 * x[:, 0]))).astype(int)
    model = LogisticRegression().fit(x[:200], y[:200])
    oracle = SplitConformalClassifier(
        model, confidence_level=[1 - alpha for alpha in ALPHAS], conformity_score="lac", prefit=True
    )
    oracle.conformalize(x[200 : 200 + n], y[200 : 200 + n])
    _, oracle_sets = oracle.predict_set(x[200 + n :])

    p = model.predict_proba(x)[:, 1]
    scores = nonconformity(p[200 : 200 + n], y[200 : 200 + n])
    for k, alpha in enumerate(ALPHAS):
        threshold = conformal_quantile(scores, alpha=alpha)
        oracle_q = oracle._mapie_classifier.conformity_score_function_.quantiles_[k]
        assert threshold.q_hat == pytest.approx(float(oracle_q), abs=1e-12)
        # 1 − (1 − p) differs from p in the last bit: a pass that ties with the threshold needs a hair's breadth.
        ours = prediction_sets(p[200 + n :], threshold.q_hat + 1e-12)
        assert np.array_equal(ours, oracle_sets[:, :, k])
