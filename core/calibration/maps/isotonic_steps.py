"""Stage 1 by plain isotonic regression: steps, without lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.calibration.maps.design_matrix import metric_names
from hcat.core.calibration.maps.isotonic import MonotoneKnots, monotone_knots, one_score_each
from hcat.core.types import Direction


@dataclass(frozen=True, slots=True)
class IsotonicStepsMap(MonotoneKnots):
    """p at the knots; between two of them the lower of their probabilities.

    Isotonic regression itself says nothing about scores between those of labels: here none gets more than the labels on
    both sides of it have.
    """

    def probability(self, X: ArrayLike) -> Floats:
        score, heights = one_score_each(X), np.asarray(self.probabilities)
        last = len(heights) - 1
        below = np.maximum(np.searchsorted(self.scores, score, side="right") - 1, 0)
        above = np.minimum(np.searchsorted(self.scores, score, side="left"), last)
        return np.where(np.isnan(score), np.nan, np.minimum(heights[below], heights[above]))


def fit_isotonic_steps(
    X: ArrayLike,
    y: ArrayLike,
    *,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    direction: Direction = "none",
) -> IsotonicStepsMap:
    """`monotone_knots`, and steps between them. Source: Zadrozny & Elkan 2002, section 3.2; HCAT 5.1."""
    scores, probabilities = monotone_knots(X, y, weights=weights, direction=direction)
    return IsotonicStepsMap(metric_names(metrics, 1), scores, probabilities)
