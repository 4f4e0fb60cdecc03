"""Stage 1 for ordered levels: proportional odds, one slope per metric for all cuts between levels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.maps.design_matrix import (
    as_table,
    checked_fit,
    checked_levels,
    inside,
    linear_terms,
    metric_names,
    row_sums,
    sigmoid,
    standardisation,
    unit_mean,
)
from hcat.core.errors import HcatError
from hcat.core.types import Finite

PENALTY = 1.0
_ITERATIONS = 200
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class OrdinalMap:
    """P(level ≥ k) = σ(Σ slope · (score − mean) / scale − cuts[k − 1]), with increasing cuts, one between two levels.

    `passing` is the index of the lowest level that counts as a pass."""

    metrics: tuple[str, ...]
    cuts: tuple[Finite, ...]
    slopes: tuple[Finite, ...]
    means: tuple[Finite, ...]
    scales: tuple[Finite, ...]
    passing: int = 1
    penalty: Finite = PENALTY

    def __post_init__(self) -> None:
        if any(len(column) != len(self.metrics) for column in (self.slopes, self.means, self.scales)):
            raise HcatError("an ordinal map has one slope, mean and scale a metric")
        if not self.cuts or (np.diff(self.cuts) <= 0).any() or self.passing not in range(1, len(self.cuts) + 1):
            raise HcatError("the cuts of an ordinal map rise, and its passing level lies between two levels")

    def level_probabilities(self, X: ArrayLike) -> Floats:
        """The probability of each level, shape (n, levels), rows summing to 1; NaN if a score is missing."""
        at_least = sigmoid(self._lean(X)[:, None] - np.array(self.cuts))
        edges = np.column_stack([np.ones(len(at_least)), at_least, np.zeros(len(at_least))])
        return edges[:, :-1] - edges[:, 1:]

    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1). `X` has one column a metric; NaN gives NaN."""
        return inside(sigmoid(self._lean(X) - self.cuts[self.passing - 1]))

    @property
    def baseline(self) -> float:
        """The log-odds of a pass if every metric is at its mean."""
        return -self.cuts[self.passing - 1]

    def contributions(self, X: ArrayLike) -> Floats:
        """The contribution of each metric to the log-odds, (n, metrics); the same at every cut between levels."""
        return linear_terms(as_table(X, columns=len(self.slopes)), self.slopes, self.means, self.scales)

    def _lean(self, X: ArrayLike) -> Floats:
        return row_sums(0.0, self.contributions(X))


def fit_ordinal(
    X: ArrayLike,
    levels: ArrayLike,
    *,
    n_levels: int,
    passing: int = 1,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    penalty: float = PENALTY,
) -> OrdinalMap:
    """Fit by Newton's method with an L2 penalty on the standardised slopes; the cuts are free.

    `X` (n, metrics), finite; `levels` (n,) from 0 to n_levels − 1. Minimises Σ w · log-loss + penalty/2 · Σ slope²,
    with weights scaled to a mean of 1: a convex problem. Two levels give `fit_logistic`. NotEnoughLabelsError if a
    level has no label: then no cut can be placed, and levels should be merged. Source: McCullagh 1980, section 2; Pratt
    1981 for convexity; HCAT 5.1."""
    table = checked_fit(X, levels, penalty=penalty)
    y = checked_levels(levels, n_levels=n_levels, passing=passing)
    weight = unit_mean(weights, len(y))
    means, scales = standardisation(table, weight)
    cuts, slopes = _newton((table - means) / scales, y, weight, penalty, n_levels)
    return OrdinalMap(
        metrics=metric_names(metrics, table.shape[1]),
        cuts=tuple(cuts.tolist()),
        slopes=tuple(slopes.tolist()),
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        passing=passing,
        penalty=float(penalty),
    )


def _newton(z: Floats, y: Ints, weights: Floats, penalty: float, n_levels: int) -> tuple[Floats, Floats]:
    cut_count, columns = n_levels - 1, z.shape[1]
    below = np.cumsum(np.bincount(y, weights=weights, minlength=n_levels))[:-1] / weights.sum()
    beta = np.concatenate([np.log(below) - np.log1p(-below), np.zeros(columns)])
    ridge = np.concatenate([np.zeros(cut_count), np.full(columns, penalty)])
    # Row i of `upper` picks the cut above its level, of `lower` the one below; the ends have none.
    upper = np.column_stack([np.eye(n_levels, cut_count)[y], -z])
    lower = np.column_stack([np.eye(n_levels, cut_count, k=-1)[y], -z])
    top, bottom = y == n_levels - 1, y == 0
    loss = _loss(beta, upper, lower, top, bottom, weights, ridge)
    for _ in range(_ITERATIONS):
        gradient, hessian = _derivatives(beta, upper, lower, top, bottom, weights, ridge)
        if float(np.abs(gradient).max()) <= _TOLERANCE * len(y):
            return beta[:cut_count], beta[cut_count:]
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        size, new = 1.0, math.inf
        while not new <= loss and size > 1e-8:
            new = _loss(beta - size * step, upper, lower, top, bottom, weights, ridge)
            size /= 2
        if not new <= loss:
            return beta[:cut_count], beta[cut_count:]
        beta, loss = beta - 2 * size * step, new
    raise HcatError("the ordinal map did not converge: look for extreme scores or weights")


Rows = Bools


def _ends(beta: Floats, upper: Floats, lower: Floats, top: Rows, bottom: Rows) -> tuple[Floats, Floats]:
    return np.where(top, np.inf, upper @ beta), np.where(bottom, -np.inf, lower @ beta)


def _log_probability(a: Floats, b: Floats) -> Floats:
    # σ(a) − σ(b) = (1 − e^(b − a)) σ(a) σ(−b): no digits are lost if both are near 1, or near 0.
    apart = np.where(b < a, b - a, np.nan)
    return np.log(-np.expm1(apart)) - np.logaddexp(0, -a) - np.logaddexp(0, b)


def _loss(beta: Floats, upper: Floats, lower: Floats, top: Rows, bottom: Rows, weights: Floats, ridge: Floats) -> float:
    """The penalised loss; NaN if the cuts are out of order."""
    log_probability = _log_probability(*_ends(beta, upper, lower, top, bottom))
    return float(-weights @ log_probability + 0.5 * np.sum(ridge * beta**2))


def _derivatives(
    beta: Floats, upper: Floats, lower: Floats, top: Rows, bottom: Rows, weights: Floats, ridge: Floats
) -> tuple[Floats, Floats]:
    a, b = _ends(beta, upper, lower, top, bottom)
    p = np.exp(_log_probability(a, b))
    at_a, at_b = sigmoid(a), sigmoid(b)
    density_a, density_b = at_a * (1 - at_a), at_b * (1 - at_b)
    first_a, first_b = density_a / p, -density_b / p
    second_a = density_a * (1 - 2 * at_a) / p - first_a**2
    second_b = -density_b * (1 - 2 * at_b) / p - first_b**2
    mixed = -first_a * first_b
    gradient = -(upper.T @ (weights * first_a) + lower.T @ (weights * first_b)) + ridge * beta
    crossed = (upper * (weights * mixed)[:, None]).T @ lower
    curvature = (upper * (weights * second_a)[:, None]).T @ upper + (lower * (weights * second_b)[:, None]).T @ lower
    return gradient, -(curvature + crossed + crossed.T) + np.diag(ridge)
