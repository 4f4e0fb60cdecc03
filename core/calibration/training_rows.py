"""Stage 1 of a calibration: the data on which the map is fitted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hcat.core.calibration.dataset import LabelledScores
from hcat.core.calibration.maps.methods import FitData, directions_of
from hcat.core.statistics.partition import SPLITS
from hcat.core.types import Criterion, Direction

LEAST_UNSCORED = 5


def stage_1_data(
    fit: LabelledScores,
    criterion: Criterion,
    by_level: bool,
    metrics: tuple[str, ...],
    directions: Mapping[str, Direction] | None,
) -> FitData:
    """The labels of the first split, in the form for the methods."""
    given = directions or {}
    registered = zip(metrics, directions_of(metrics), strict=True)
    return FitData(
        X=fit.X,
        levels=fit.levels if by_level else fit.passed.astype(np.intp),
        metrics=metrics,
        weights=fit.unequal_weights,
        n_levels=len(criterion.levels) if by_level else 2,
        passing=criterion.passing if by_level else 1,
        directions=tuple(given.get(name, known) for name, known in registered),
        groups=fit.cases,
    )


def rows_the_map_can_use(data: LabelledScores) -> NDArray[np.bool_]:
    """Whether a method that allows unscored metrics can use each labelled sample (n,).

    If a metric left fewer than 5 labels of the first split unscored, nothing can be learned from that, and the samples
    that lack it are left out."""
    missing, to_fit = np.isnan(data.X), data.splits == SPLITS.index("fit")
    kept = np.ones(len(missing), dtype=bool)
    while True:
        seen = missing[to_fit & kept].sum(axis=0) >= LEAST_UNSCORED
        fewer = kept & ~(missing & ~seen).any(axis=1)
        if (fewer == kept).all():
            return kept
        kept = fewer
