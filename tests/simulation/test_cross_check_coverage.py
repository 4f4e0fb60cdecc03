"""Cross-fitted checks of few labels: is the interval for coverage honest although folds depend on each other?"""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.checks.cross_fitting import FOLDS
from hcat.core.errors import NotEnoughLabelsError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label
from tests.grids import each_value_once

DRAWS = int(os.environ.get("HCAT_DRAWS", "60"))
"""1000 in `make simulate`."""

ALPHA = 0.2


def one_draw(rng: np.random.Generator, n: int) -> tuple[list[Label], ScoreTable]:
    score = rng.normal(size=n)
    passed = rng.random(n) < 1 / (1 + np.exp(-2 * score))
    ids = [f"x{i}" for i in rng.choice(10**9, n, replace=False).tolist()]
    frame = pd.DataFrame({"m": score}, index=pd.Index(ids, name="sample_id", dtype="str"))
    labels = [Label(i, "c", int(y)) for i, y in zip(ids, passed, strict=True)]
    return labels, ScoreTable(frame, Provenance("0", "r", ("m",)))


@pytest.mark.parametrize("n", [50, 90])
def test_the_interval_holds_the_coverage_of_the_procedure(n: int) -> None:
    rng = np.random.default_rng(n)
    found = []
    while len(found) < DRAWS:
        labels, scores = one_draw(rng, n)
        made = calibrate(labels, scores, criterion=Criterion("c"), metrics=["m"], alpha=ALPHA).diagnostics
        if made is not None and made.folds == FOLDS:
            found.append(made)
    value = np.array([d.coverage.value for d in found])
    expected = float(value.mean())
    inside = np.array([d.coverage.low <= expected <= d.coverage.high for d in found])
    binomial = (expected * (1 - expected) / n) ** 0.5
    auc = np.array([d.auc.value for d in found])
    auc_inside = np.mean([d.auc.low <= auc.mean() <= d.auc.high for d in found])
    print(
        f"n={n}: coverage {expected:.3f}, sd {value.std():.4f} (binomial {binomial:.4f}), "
        f"interval holds it in {inside.mean():.3f}; AUC {auc.mean():.3f}, interval holds its mean in {auc_inside:.3f}"
    )
    # Marginal coverage is ⌈(m + 1)(1 − α)⌉/(m + 1) for the m labels of two folds: at least 1 − α.
    assert expected >= 1 - ALPHA - 4 * float(value.std()) / DRAWS**0.5
    assert inside.mean() >= 0.95 - 3 * (0.05 * 0.95 / DRAWS) ** 0.5
    assert value.std() <= 1.1 * binomial
    assert auc_inside >= 0.94 - 3 * (0.06 * 0.94 / DRAWS) ** 0.5


@pytest.mark.parametrize(
    ("method", "conditional", "n"),
    each_value_once([("logistic", "none"), ("isotonic", "none"), ("logistic", "class")], [40, 60, 90]),
)
def test_the_interval_holds_the_coverage_of_the_sets_handed_out(n: int, method: str, conditional: str) -> None:
    """It held that in 65% of draws at 40 and 60 labels, and in 61% by class, when it was of the procedure alone."""
    rng, alpha = np.random.default_rng(n), 0.1
    inside: list[bool] = []
    coverages: list[float] = []
    score = rng.normal(size=4000)
    passed = rng.random(4000) < 1 / (1 + np.exp(-2 * score))
    while len(inside) < DRAWS:
        labels, scores = one_draw(rng, n)
        try:
            made = calibrate(
                *(labels, scores),
                criterion=Criterion("c"),
                metrics=["m"],
                method=method,
                alpha=alpha,
                conditional=conditional,
                replicates=0,
                repeats=0,
            )
        except NotEnoughLabelsError:
            continue
        checked = made.diagnostics
        if checked is not None and checked.folds == FOLDS:
            covered = float(made.sets_at(score[:, None])[np.arange(4000), passed.astype(int)].mean())
            coverages.append(covered)
            inside.append(checked.coverage.low - 1e-9 <= covered <= checked.coverage.high + 1e-9)
    print(f"n = {n}, {method}, {conditional}: coverage {np.mean(coverages):.3f}, held in {np.mean(inside):.3f}")
    assert np.mean(inside) >= 0.94 - 3 * (0.06 * 0.94 / DRAWS) ** 0.5
