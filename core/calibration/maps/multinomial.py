"""Stage 1 for levels without order, or with an order that a test rejects: multinomial logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.calibration.maps.design_matrix import (
    as_table,
    checked_fit,
    checked_levels,
    inside,
    metric_names,
    standardisation,
    unit_mean,
)
from hcat.core.errors import HcatError
from hcat.core.types import Finite

PENALTY = 1.0
_ITERATIONS = 100
_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class MultinomialMap:
    """P(level k) ∝ exp(intercept_k + Σ slope_k · (score − mean) / scale): a slope per level and metric.

    `slopes` is (levels, metrics). `passing` is the index of the lowest level that counts as a pass."""

    metrics: tuple[str, ...]
    intercepts: tuple[Finite, ...]
    slopes: tuple[tuple[Finite, ...], ...]
    means: tuple[Finite, ...]
    scales: tuple[Finite, ...]
    passing: int = 1
    penalty: Finite = PENALTY

    def __post_init__(self) -> None:
        rows = (*self.slopes, self.means, self.scales)
        if any(len(row) != len(self.metrics) for row in rows) or len(self.slopes) != len(self.intercepts):
            raise HcatError("a multinomial map has one slope a level and metric")
        if self.passing not in range(1, len(self.slopes)):
            raise HcatError("the passing level of a multinomial map lies between two levels")

    def level_probabilities(self, X: ArrayLike) -> Floats:
        """The probability of each level, shape (n, levels), rows summing to 1; NaN if a score is missing."""
        table = as_table(X, columns=len(self.means))
        z = (table - np.array(self.means)) / np.array(self.scales)
        lean = np.tile(np.array(self.intercepts), (len(table), 1))
        # Metric by metric, so that a row never depends on the rows next to it.
        for column, slopes in zip(z.T, np.array(self.slopes).T, strict=True):
            lean = lean + column[:, None] * slopes
        return _softmax(lean)

    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1). `X` has one column a metric; NaN gives NaN."""
        return inside(self.level_probabilities(X)[:, self.passing :].sum(axis=1))


def fit_multinomial(
    X: ArrayLike,
    levels: ArrayLike,
    *,
    n_levels: int,
    passing: int = 1,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    penalty: float = PENALTY,
) -> MultinomialMap:
    """Fit by Newton's method with an L2 penalty on the standardised slopes of all levels; the intercepts are free.

    `X` (n, metrics), finite; `levels` (n,) from 0 to n_levels − 1. Minimises Σ w · log-loss + penalty/2 · Σ slope²,
    with weights scaled to a mean of 1. Intercepts and slopes are only determined up to a constant common to all levels;
    they are given with a sum of 0 over the levels. NotEnoughLabelsError if a level has no label. Source: Hastie,
    Tibshirani & Friedman 2009, section 4.4; HCAT 5.1."""
    table = checked_fit(X, levels, penalty=penalty)
    y = checked_levels(levels, n_levels=n_levels, passing=passing)
    weight = unit_mean(weights, len(y))
    means, scales = standardisation(table, weight)
    design = np.column_stack([np.ones(len(table)), (table - means) / scales])
    beta = _newton(design, np.eye(n_levels)[y], weight, penalty)
    beta = beta - beta.mean(axis=0)
    return MultinomialMap(
        metrics=metric_names(metrics, table.shape[1]),
        intercepts=tuple(beta[:, 0].tolist()),
        slopes=tuple(tuple(row) for row in beta[:, 1:].tolist()),
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        passing=passing,
        penalty=float(penalty),
    )


def _newton(design: Floats, given: Floats, weights: Floats, penalty: float) -> Floats:
    """The coefficients (levels, columns) by Newton's method; `given` (n, levels) is 1 for the label's level."""
    n, columns = design.shape
    levels = given.shape[1]
    ridge = np.full((levels, columns), penalty)
    ridge[:, 0] = 0.0
    beta = np.zeros((levels, columns))
    beta[:, 0] = np.log(weights @ given / weights.sum())
    loss = _loss(beta, design, given, weights, ridge)
    for _ in range(_ITERATIONS):
        p = _softmax(design @ beta.T)
        gradient = (weights[:, None] * (p - given)).T @ design + ridge * beta
        if float(np.abs(gradient).max()) <= _TOLERANCE * n:
            return beta
        # A constant common to all intercepts has no effect: lstsq gives the shortest of all steps.
        step = np.linalg.lstsq(_curvature(design, p, weights, ridge), gradient.ravel(), rcond=None)[0]
        step = step.reshape(levels, columns)
        size, candidate = 1.0, beta - step
        new = _loss(candidate, design, given, weights, ridge)
        while new > loss and size > _TOLERANCE:
            size /= 2
            candidate = beta - size * step
            new = _loss(candidate, design, given, weights, ridge)
        if new > loss or float(np.abs(candidate - beta).max()) <= _TOLERANCE:
            return beta
        beta, loss = candidate, new
    raise HcatError("the multinomial map did not converge: look for extreme scores or weights")


def _curvature(design: Floats, p: Floats, weights: Floats, ridge: Floats) -> Floats:
    levels, columns = ridge.shape
    blocks = np.zeros((levels, columns, levels, columns))
    for first in range(levels):
        for second in range(first, levels):
            mass = weights * p[:, first] * ((first == second) - p[:, second])
            blocks[first, :, second] = blocks[second, :, first] = (design * mass[:, None]).T @ design
    return blocks.reshape(levels * columns, -1) + np.diag(ridge.ravel())


def _loss(beta: Floats, design: Floats, given: Floats, weights: Floats, ridge: Floats) -> float:
    z = design @ beta.T
    peak = z.max(axis=1)
    total = peak + np.log(np.exp(z - peak[:, None]).sum(axis=1))
    return float(weights @ (total - (z * given).sum(axis=1)) + 0.5 * np.sum(ridge * beta**2))


def _softmax(z: Floats) -> Floats:
    raised = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64)
