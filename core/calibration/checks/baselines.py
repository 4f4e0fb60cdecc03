"""The trivial scores that a metric must beat, measured on the same labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.calibration.dataset import LabelledScores
from hcat.core.statistics.discrimination import auc, auc_estimate
from hcat.core.types import Estimate

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


BASELINES = ("answer_length", "token_precision", "token_recall", "token_f1", "token_groundedness")
"""The names of the trivial scores that a metric must beat."""


def baseline_columns(scores: ScoreTable, *, besides: Sequence[str]) -> dict[str, Floats]:
    """The trivial scores (N,) of the run by name, without those that are calibrated here themselves."""
    return {name: scores.values(name) for name in BASELINES if name in scores.metrics and name not in besides}


def baseline_aucs(
    scores: ScoreTable,
    fit: LabelledScores,
    check: LabelledScores,
    *,
    besides: Sequence[str],
    level: float,
    clusters: ArrayLike | None = None,
) -> dict[str, Estimate]:
    """The AUC of each trivial score on the check split, in the direction that the fit split shows.

    `clusters` (n,) name the test case of each sample of the check split. Baselines that are calibrated here themselves,
    or that leave more than half of the samples unscored, are left out."""
    found = {}
    fit_rows, check_rows = fit.positions, check.positions
    for name, values in baseline_columns(scores, besides=besides).items():
        known, shown = np.isfinite(values[fit_rows]), np.isfinite(values[check_rows])
        if known.sum() * 2 < len(fit_rows) or shown.sum() * 2 < len(check_rows):
            continue
        found_to_fit = auc(values[fit_rows][known], fit.passed[known], weights=fit.weights[known])
        if math.isnan(found_to_fit):  # passes alone, or fails alone, do not show the way round
            continue
        weights = None if check.unequal_weights is None else check.weights[shown]
        cases = None if clusters is None else np.asarray(clusters)[shown]
        baseline = values[check_rows][shown] * (1 if found_to_fit >= 0.5 else -1)
        found[name] = auc_estimate(baseline, check.passed[shown], weights=weights, clusters=cases, level=level)
    return found
