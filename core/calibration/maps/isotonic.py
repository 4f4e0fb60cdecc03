"""Stage 1 without a curve: the best probability that only increases, or only decreases, with one metric."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.maps.design_matrix import log_odds, metric_names, require_both_classes
from hcat.core.errors import HcatError
from hcat.core.types import Direction, Finite


@dataclass(frozen=True, slots=True)
class MonotoneKnots(ABC):
    """A monotone map of one metric by its knots (score, probability), constant beyond the first and the last.

    `scores` increase strictly; `probabilities` never decrease, or never increase."""

    metrics: tuple[str, ...]
    scores: tuple[Finite, ...]
    probabilities: tuple[Finite, ...]

    def __post_init__(self) -> None:
        require_monotone(self.metrics, self.scores, self.probabilities)

    @property
    def knots(self) -> tuple[float, ...]:
        """The scores at which the slope changes or the map jumps, in increasing order: between them it is linear."""
        return self.scores

    @abstractmethod
    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1). `X` is (n,) or (n, 1); NaN gives NaN."""

    @property
    def baseline(self) -> float:
        """Even odds: the one metric accounts for all of the log-odds."""
        return 0.0

    def contributions(self, X: ArrayLike) -> Floats:
        """The contribution of the metric to the log-odds, (n, 1): all of them."""
        return log_odds(self.probability(X))[:, None]


@dataclass(frozen=True, slots=True)
class IsotonicMap(MonotoneKnots):
    """p by linear interpolation between knots."""

    def probability(self, X: ArrayLike) -> Floats:
        return np.interp(one_score_each(X), self.scores, self.probabilities)


def require_monotone(metrics: Sequence[str], scores: Sequence[float], probabilities: Sequence[float]) -> None:
    """Raise HcatError unless these are the knots of a monotone map of one metric."""
    steps = np.diff(probabilities)
    monotone = bool((steps >= 0).all() or (steps <= 0).all()) and bool((np.diff(scores) > 0).all())
    inside = bool(probabilities) and min(probabilities) > 0 and max(probabilities) < 1
    if len(metrics) != 1 or len(scores) != len(probabilities) or not monotone or not inside:
        raise HcatError("an isotonic map has monotone probabilities of one metric")


def one_score_each(X: ArrayLike) -> Floats:
    """Scores of one metric, (n,) or (n, 1), as (n,)."""
    table = np.asarray(X, dtype=np.float64)
    if table.ndim == 2 and table.shape[1] != 1:
        raise HcatError(f"the map takes one score a sample, not {table.shape[1]}")
    return table.reshape(-1)


def fit_isotonic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    direction: Direction = "none",
) -> IsotonicMap:
    """The map through `monotone_knots`, linear between them."""
    scores, probabilities = monotone_knots(X, y, weights=weights, direction=direction)
    return IsotonicMap(metric_names(metrics, 1), scores, probabilities)


def monotone_knots(
    X: ArrayLike, y: ArrayLike, *, weights: ArrayLike | None = None, direction: Direction = "none"
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The weighted least-squares monotone map of one metric, by pool adjacent violators: scores, probabilities.

    `X` is (n,) or (n, 1), finite; `y` (n,) is 1 for a pass. Equal scores share a knot. The map increases if the
    metric's `direction` is "higher" and decreases if it is "lower"; with "none" it is the one with the smaller squared
    error, the increasing one in a tie. Probabilities stay within [1/(n + 2), (n + 1)/(n + 2)], Laplace's rate after n
    labels that all agree, since n labels can make nothing certain. HcatError for several metrics; NotEnoughLabelsError
    if all labels agree. Source: Barlow et al. 1972, Statistical Inference under Order Restrictions, section 1.2; HCAT
    5.1."""
    table, passed = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if table.ndim == 2 and table.shape[1] != 1:
        raise HcatError("isotonic calibration takes a single metric: choose logistic for several")
    score = table.reshape(-1)
    weight = np.ones(len(score)) if weights is None else np.asarray(weights, dtype=np.float64)
    if len(score) != len(passed) or not np.isfinite(score).all():
        raise HcatError("a map is fitted on scored samples only: leave out rows without a score or label")
    if weight.shape != passed.shape or not (np.isfinite(weight).all() and (weight > 0).all()):
        raise HcatError("weights must be positive, one for each labelled sample")
    require_both_classes(passed)
    scores, row = np.unique(score, return_inverse=True)
    mass = np.bincount(row, weights=weight)
    mean = np.bincount(row, weights=weight * passed) / mass
    rising = pool_adjacent_violators(mean, mass)
    falling = 1 - pool_adjacent_violators(1 - mean, mass)
    errors = [float(mass @ (fitted - mean) ** 2) for fitted in (rising, falling)]
    rises = direction == "higher" or (direction == "none" and errors[0] <= errors[1])
    best = rising if rises else falling
    edge = 1 / (len(passed) + 2)
    bounded = np.clip(best, edge, 1 - edge)
    corners = _corners(bounded)
    return tuple(scores[corners].tolist()), tuple(bounded[corners].tolist())


def pool_adjacent_violators(values: ArrayLike, weights: ArrayLike) -> Floats:
    """The nondecreasing sequence (n,) that is nearest to `values` (n,) in weighted squares."""
    levels: list[float] = []
    masses: list[float] = []
    lengths: list[int] = []
    pairs = zip(
        np.asarray(values, dtype=np.float64).tolist(), np.asarray(weights, dtype=np.float64).tolist(), strict=True
    )
    for level, mass in pairs:
        length = 1
        while levels and levels[-1] >= level:
            before, heavy = levels.pop(), masses.pop()
            level = (before * heavy + level * mass) / (heavy + mass)
            mass += heavy
            length += lengths.pop()
        levels.append(level)
        masses.append(mass)
        lengths.append(length)
    return np.repeat(levels, lengths)


def _corners(fitted: Floats) -> Bools:
    """The first and the last knot of each level: those between are on the line."""
    changes = np.diff(fitted) != 0
    corners: Bools = np.append(True, changes) | np.append(changes, True)
    return corners
