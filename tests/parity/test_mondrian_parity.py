"""Sets by group and by class, of two classes and of four, against MAPIE (LAC) on each alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mapie.classification import SplitConformalClassifier
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from hcat.core.calibration.conformal.mondrian import Conditional, class_thresholds, conditional_sets, group_thresholds
from hcat.core.calibration.conformal.threshold import conformal_quantile, nonconformity

Table = NDArray[np.float64]


def wider(made: Conditional) -> Conditional:
    """1 − (1 − p) differs from p in the last bit: a label that ties with the threshold needs a hair's breadth."""
    return replace(made, thresholds={n: replace(t, q_hat=t.q_hat + 1e-12) for n, t in made.thresholds.items()})


def four_classes(seed: int) -> tuple[LogisticRegression, Table, NDArray[np.intp], NDArray[np.str_]]:
    rng = np.random.default_rng(seed)
    y = rng.choice(4, 1200, p=[0.1, 0.2, 0.3, 0.4])
    x = rng.normal(size=(1200, 2)) + np.column_stack([y, y % 2])
    group = rng.choice(["a", "b", "c"], 1200, p=[0.6, 0.3, 0.1])
    return LogisticRegression().fit(x[:300], y[:300]), x, y, group


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.3, 0.5])
def test_four_classes(alpha: float) -> None:
    model, x, y, _ = four_classes(1)
    table = 1 - model.predict_proba(x)
    made = conformal_quantile(table[np.arange(1200), y][300:700], alpha=alpha)
    oracle = SplitConformalClassifier(model, confidence_level=1 - alpha, conformity_score="lac", prefit=True)
    oracle.conformalize(x[300:700], y[300:700])
    sets = oracle.predict_set(x[700:])[1][:, :, 0]
    quantile = oracle._mapie_classifier.conformity_score_function_.quantiles_[0]
    assert made.q_hat == pytest.approx(float(quantile), abs=1e-12)
    assert np.array_equal(table[700:] <= made.q_hat + 1e-12, sets)


@pytest.mark.filterwarnings("ignore:.*conformalization dataset has less labels")
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.3])
def test_four_classes_by_group_and_by_class(alpha: float) -> None:
    model, x, y, group = four_classes(2)
    table = 1 - model.predict_proba(x)
    scores, new = table[np.arange(1200), y][300:700], slice(700, None)
    by_group = wider(group_thresholds(scores, group[300:700].tolist(), by="area", alpha=alpha))
    by_class = wider(class_thresholds(scores, y[300:700], names="0123", alpha=alpha))
    of_groups = conditional_sets(table[new], by_group, groups=group[new].tolist())
    of_classes = conditional_sets(table[new], by_class)

    def oracle_sets(rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
        oracle = SplitConformalClassifier(model, confidence_level=1 - alpha, conformity_score="lac", prefit=True)
        oracle.conformalize(x[300:700][rows], y[300:700][rows])
        return np.asarray(oracle.predict_set(x[new])[1][:, :, 0], dtype=bool)

    for name in "abc":
        inside = group[new] == name
        assert np.array_equal(of_groups[inside], oracle_sets(group[300:700] == name)[inside])
    for level in range(4):
        assert np.array_equal(of_classes[:, level], oracle_sets(y[300:700] == level)[:, level])


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
    made = group_thresholds(nonconformity(p[200:600], y[200:600]), group[200:600].tolist(), by="area", alpha=alpha)
    ours = conditional_sets(np.column_stack([p, 1 - p])[600:], wider(made), groups=group[600:].tolist())
    for name in "abc":
        fit, new = np.flatnonzero(group[200:600] == name) + 200, np.flatnonzero(group[600:] == name) + 600
        oracle = SplitConformalClassifier(model, confidence_level=1 - alpha, conformity_score="lac", prefit=True)
        oracle.conformalize(x[fit], y[fit])
        assert np.array_equal(ours[new - 600], oracle.predict_set(x[new])[1][:, :, 0])
