"""Stage 1 by plain isotonic regression: steps, without lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Floats
from core.calibration.maps.design_matrix import log_odds, metric_names
from core.calibration.maps.isotonic import monotone_knots, one_score_each, require_monotone
from core.types import Direction, Finite


@dataclass(frozen=True, slots=True)
class IsotonicStepsMap:
    """p at the knots (score, probability); between two of them the lower of their probabilities, constant beyond the
    first and the last.

    `scores` rise strictly; `probabilities` never fall, or never rise. Isotonic regression itself says nothing about
    scores between those of labels: here none gets more than the labels on both sides of it have.
    """

    metrics: tuple[str, ...]
    scores: tuple[Finite, ...]
    probabilities: tuple[Finite, ...]

    def __post_init__(self) -> None:
        require_monotone(self.metrics, self.scores, self.probabilities)

    @property
    def knots(self) -> tuple[float, ...]:
        """Where the map may jump, in rising order: between them it is constant."""
        return self.scores

    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1). `X` is (n,) or (n, 1); NaN gives NaN."""
        score, heights = one_score_each(X), np.asarray(self.probabilities)
        last = len(heights) - 1
        below = np.maximum(np.searchsorted(self.scores, score, side="right") - 1, 0)
        above = np.minimum(np.searchsorted(self.scores, score, side="left"), last)
        return np.where(np.isnan(score), np.nan, np.minimum(heights[below], heights[above]))

    @property
    def baseline(self) -> float:
        """Even odds: the one metric accounts for all of the log-odds."""
        return 0.0

    def contributions(self, X: ArrayLike) -> Floats:
        """What the metric adds to the baseline's log-odds, (n, 1): all of them."""
        return log_odds(self.probability(X))[:, None]


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
