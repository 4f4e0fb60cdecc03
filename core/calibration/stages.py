"""The two stages of a calibration: what the map is fitted on, and what the other two splits make of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.calibration.baselines import baseline_aucs
from core.calibration.conformal import Threshold, conformal_quantile
from core.calibration.diagnostics import Diagnostics, diagnose
from core.calibration.labelled import LabelledScores
from core.calibration.level_sets import nonconformity_table
from core.calibration.methods import FitData, Method, ProbabilityMap, directions_of
from core.types import Criterion, Direction

if TYPE_CHECKING:
    from core.scores import ScoreTable

LEAST_UNSCORED = 5


def stage_1_data(
    fit: LabelledScores,
    criterion: Criterion,
    by_level: bool,
    metrics: tuple[str, ...],
    directions: Mapping[str, Direction] | None,
    test_cases: Mapping[str, str] | None,
) -> FitData:
    """The labels of the first split, as the methods take them."""
    given = directions or {}
    registered = zip(metrics, directions_of(metrics), strict=True)
    cases = test_cases or {}
    return FitData(
        X=fit.X,
        levels=fit.levels if by_level else fit.passed.astype(np.intp),
        metrics=metrics,
        weights=fit.unequal_weights,
        n_levels=len(criterion.levels) if by_level else 2,
        passing=criterion.passing if by_level else 1,
        directions=tuple(given.get(name, known) for name, known in registered),
        groups=tuple(cases.get(sample_id, sample_id) for sample_id in fit.sample_ids),
    )


def learnable(data: LabelledScores) -> NDArray[np.bool_]:
    """The labelled samples (n,) that a method which takes unscored metrics can use.

    Where a metric left fewer than 5 labels of the first split unscored, nothing can be learned from that, and the
    samples that lack it are left out.
    """
    missing, to_fit = np.isnan(data.X), data.splits == "fit"
    kept = np.ones(len(missing), dtype=bool)
    while True:
        seen = missing[to_fit & kept].sum(axis=0) >= LEAST_UNSCORED
        fewer = kept & ~(missing & ~seen).any(axis=1)
        if (fewer == kept).all():
            return kept
        kept = fewer


def stage_2(
    fitted: ProbabilityMap,
    method: Method,
    data: LabelledScores,
    *,
    by_level: bool,
    passing: int,
    alpha: float,
    scores: ScoreTable,
    decision_threshold: float,
    level: float,
) -> tuple[Threshold, Diagnostics | None]:
    """The threshold from the second split, and what the third says of both."""
    conformal, check = data.part("conformal"), data.part("check")

    def given(part: LabelledScores) -> NDArray[np.intp]:
        return part.levels if by_level else part.passed.astype(np.intp)

    believed = nonconformity_table(fitted, conformal.X, contiguous=method.contiguous)
    threshold = conformal_quantile(
        believed[np.arange(len(believed)), given(conformal)],
        alpha=alpha,
        weights=None if data.unequal_weights is None else conformal.weights,
        new_weight=float(data.weights.max()),
    )
    if not check.sample_ids:
        return threshold, None
    return threshold, diagnose(
        fitted.probability(check.X),
        check.passed,
        q_hat=threshold.q_hat,
        sets=nonconformity_table(fitted, check.X, contiguous=method.contiguous) <= threshold.q_hat,
        levels=given(check),
        passing=passing,
        decision_threshold=decision_threshold,
        weights=check.unequal_weights,
        baselines=baseline_aucs(scores, data.part("fit"), check, besides=fitted.metrics, level=level),
        level=level,
    )
