"""Stage 1 by logistic regression (Platt scaling): scores → probability that people pass the sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.calibration.maps.bounded_newton import minimise_logistic
from hcat.core.calibration.maps.design_matrix import (
    as_table,
    checked_fit,
    inside,
    linear_terms,
    metric_names,
    require_both_classes,
    row_sums,
    sigmoid,
    standardisation,
    unit_mean,
)
from hcat.core.errors import HcatError
from hcat.core.types import Finite

PENALTY = 1.0


@dataclass(frozen=True, slots=True)
class LogisticMap:
    """p = σ(intercept + Σ slope · (score − mean) / scale), one slope per metric."""

    metrics: tuple[str, ...]
    intercept: Finite
    slopes: tuple[Finite, ...]
    means: tuple[Finite, ...]
    scales: tuple[Finite, ...]
    penalty: Finite = PENALTY

    def __post_init__(self) -> None:
        if any(len(column) != len(self.metrics) for column in (self.slopes, self.means, self.scales)):
            raise HcatError("a logistic map has one slope, mean and scale a metric")

    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1). `X` has one column a metric; NaN gives NaN."""
        return inside(sigmoid(row_sums(self.intercept, self.contributions(X))))

    @property
    def baseline(self) -> float:
        """The log-odds of a pass if every metric is at its mean."""
        return self.intercept

    def contributions(self, X: ArrayLike) -> Floats:
        """The contribution of each metric to the log-odds, (n, metrics)."""
        return linear_terms(as_table(X, columns=len(self.slopes)), self.slopes, self.means, self.scales)

    def score_at(self, probability: float) -> float | None:
        """The score at which a map of one metric has this probability; None if it never does (slope 0)."""
        if len(self.slopes) != 1:
            raise HcatError("only a map of a single metric can be drawn on that metric's axis")
        if self.slopes[0] == 0:
            return None
        z = math.log(probability) - math.log1p(-probability)
        return self.means[0] + self.scales[0] * (z - self.intercept) / self.slopes[0]


def fit_logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    penalty: float = PENALTY,
) -> LogisticMap:
    """Fit by Newton's method (iteratively reweighted least squares) with an L2 penalty on the standardised slopes.

    `X` is (n, metrics), finite; `y` is (n,), 1 for a pass. Minimises Σ w·log-loss + penalty/2 · Σ slope²; the intercept
    is free. Weights are scaled to a mean of 1, so that the penalty has the same effect for any sampling design. The
    penalty must be positive: with it, the fit to separable labels is finite. A constant column gets slope 0.
    NotEnoughLabelsError if all labels agree. HCAT 5.1."""
    table, passed = checked_fit(X, y, penalty=penalty), np.asarray(y, dtype=np.float64)
    require_both_classes(passed)
    weight = unit_mean(weights, len(passed))
    means, scales = standardisation(table, weight)
    design = np.empty((len(table), 1 + table.shape[1]), order="F")  # a column at a time is read, and so it lies
    design[:, 0], design[:, 1:] = 1.0, (table - means) / scales
    ridge = np.append(0.0, np.full(table.shape[1], penalty))
    coefficients = minimise_logistic(design, passed, weight, ridge)
    return LogisticMap(
        metrics=metric_names(metrics, table.shape[1]),
        intercept=float(coefficients[0]),
        slopes=tuple(coefficients[1:].tolist()),
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        penalty=float(penalty),
    )
