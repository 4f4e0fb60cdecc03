"""Thresholds by group and their sets against MAPIE's LAC classifier, conformalised on each group alone."""

from __future__ import annotations

import numpy as np
import pytest
from mapie.classification import SplitConformalClassifier
from sklearn.linear_model import LogisticRegression

from core.calibration.conformal import nonconformity
from core.calibration.mondrian import GroupThresholds, group_prediction_sets, group_thresholds


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_groups(seed: int, alpha: float) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(900, 1))
    group = rng.choice(["a", "b", "c"], 900, p=[0.6, 0.3, 0.1])
    slope = np.where(group == "a", 3.0, 0.5)
    y = (rng.random(900) < 1 / (1 + np.exp(-slope * x[:, 0]))).astype(int)
    model = LogisticRegression().fit(x[:200], y[:200])
    p = model.predict_proba(x)[:, 1]
    made = group_thresholds(nonconformity(p[200:600], y[200:600]), group[200:600].tolist(), alpha=alpha)
    # 1 − (1 − p) differs from p in the last bit: a pass that ties with the threshold needs a hair's breadth.
    wider = GroupThresholds(
        {name: type(t)(t.q_hat + 1e-12, t.n, t.alpha, t.enough, t.needed) for name, t in made.by_group.items()},
        made.unseen,
    )
    ours = group_prediction_sets(p[600:], group[600:].tolist(), wider)
    for name in "abc":
        fit, new = np.flatnonzero(group[200:600] == name) + 200, np.flatnonzero(group[600:] == name) + 600
        oracle = SplitConformalClassifier(model, confidence_level=1 - alpha, conformity_score="lac", prefit=True)
        oracle.conformalize(x[fit], y[fit])
        assert np.array_equal(ours[new - 600], oracle.predict_set(x[new])[1][:, :, 0])
