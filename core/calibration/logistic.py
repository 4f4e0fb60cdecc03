"""Stage 1 by logistic regression (Platt scaling): scores → probability that people pass the sample."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import FileFormatError, HcatError, NotEnoughLabelsError
from core.types import JsonValue

Floats = NDArray[np.float64]

PENALTY = 1.0
SMALLEST_PROBABILITY = 1e-12
"""Probabilities stay this far from 0 and 1: no finite sample of labels makes a pass certain."""

_ITERATIONS = 100
_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class LogisticMap:
    """p = σ(intercept + Σ slope · (score − mean) / scale), one slope a metric."""

    metrics: tuple[str, ...]
    intercept: float
    slopes: tuple[float, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    penalty: float = PENALTY

    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1). `X` has one column a metric; NaN gives NaN.

        Columns are added one after the other, so that a row's probability never depends on the rows beside it.
        """
        table = _as_table(X)
        if table.shape[1] != len(self.slopes):
            raise HcatError(f"the map takes {len(self.slopes)} scores a sample, not {table.shape[1]}")
        z = np.full(len(table), self.intercept)
        for column, slope, mean, scale in zip(table.T, self.slopes, self.means, self.scales, strict=True):
            z = z + slope * ((column - mean) / scale)
        return np.clip(_sigmoid(z), SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY)

    def score_at(self, probability: float) -> float | None:
        """The score at which a map of one metric reaches this probability; None where it never does (slope 0)."""
        if len(self.slopes) != 1:
            raise HcatError("only a map of a single metric can be drawn on that metric's axis")
        if self.slopes[0] == 0:
            return None
        z = math.log(probability) - math.log1p(-probability)
        return self.means[0] + self.scales[0] * (z - self.intercept) / self.slopes[0]

    def parameters(self) -> dict[str, JsonValue]:
        """All that is needed to rebuild the map, as JSON."""
        return {
            "intercept": self.intercept,
            "slopes": list(self.slopes),
            "means": list(self.means),
            "scales": list(self.scales),
            "penalty": self.penalty,
        }

    @classmethod
    def from_parameters(cls, metrics: Sequence[str], parameters: Mapping[str, JsonValue]) -> LogisticMap:
        """The inverse of `parameters`. FileFormatError where something is missing or is no number."""
        try:
            columns = [tuple(_number(v) for v in _sequence(parameters[name])) for name in ("slopes", "means", "scales")]
            intercept, penalty = _number(parameters["intercept"]), _number(parameters["penalty"])
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(f"the logistic map has incomplete parameters: {error}") from error
        if any(len(column) != len(metrics) for column in columns):
            raise FileFormatError("the parameters of the logistic map do not have one slope, mean and scale a metric")
        slopes, means, scales = columns
        return cls(tuple(metrics), intercept, slopes, means, scales, penalty)


def fit_logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    penalty: float = PENALTY,
) -> LogisticMap:
    """Fit by iteratively reweighted least squares with an L2 penalty on the standardised slopes.

    `X` is (n, metrics), finite; `y` is (n,), 1 where people pass. Minimises Σ w·log-loss + penalty/2 · Σ slope²; the
    intercept is free. Weights are scaled to a mean of 1, so that the penalty counts the same however samples were
    drawn. The penalty must be positive: it keeps separable labels finite. A constant column gets slope 0.
    NotEnoughLabelsError where all labels agree. HCAT 5.1.
    """
    table, passed = _as_table(X), np.asarray(y, dtype=np.float64)
    if not 0 < penalty < math.inf:
        raise HcatError(f"the penalty must be a positive number, not {penalty}")
    if len(table) != len(passed) or not np.isfinite(table).all():
        raise HcatError("a map is fitted on scored samples only: leave out rows without a score or label")
    if len(passed) == 0 or passed.min() == passed.max():
        raise NotEnoughLabelsError("all labels agree: at least one pass and one fail are needed", needed=1)
    weight = _unit_mean(weights, len(passed))
    means, scales = _standardisation(table, weight)
    design = np.column_stack([np.ones(len(table)), (table - means) / scales])
    coefficients = _newton(design, passed, weight, penalty)
    return LogisticMap(
        metrics=tuple(metrics) if metrics is not None else tuple(f"score_{j + 1}" for j in range(table.shape[1])),
        intercept=float(coefficients[0]),
        slopes=tuple(coefficients[1:].tolist()),
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        penalty=float(penalty),
    )


def _newton(design: Floats, y: Floats, weights: Floats, penalty: float) -> Floats:
    ridge = np.full(design.shape[1], penalty)
    ridge[0] = 0.0
    share = float(np.average(y, weights=weights))
    beta = np.zeros(design.shape[1])
    beta[0] = math.log(share) - math.log1p(-share)
    loss = _loss(beta, design, y, weights, ridge)
    for _ in range(_ITERATIONS):
        p = _sigmoid(design @ beta)
        gradient = design.T @ (weights * (p - y)) + ridge * beta
        if float(np.abs(gradient).max()) <= _TOLERANCE * len(y):
            return beta
        hessian = (design * (weights * p * (1 - p))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        beta, previous = beta - step, beta
        new_loss = _loss(beta, design, y, weights, ridge)
        while new_loss > loss and float(np.abs(beta - previous).max()) > _TOLERANCE:
            beta = (beta + previous) / 2
            new_loss = _loss(beta, design, y, weights, ridge)
        if float(np.abs(beta - previous).max()) <= _TOLERANCE:
            return beta
        loss = new_loss
    raise HcatError("the logistic map did not converge: look for extreme scores or weights")


def _loss(beta: Floats, design: Floats, y: Floats, weights: Floats, ridge: Floats) -> float:
    z = design @ beta
    return float(np.sum(weights * (np.logaddexp(0, z) - y * z)) + 0.5 * np.sum(ridge * beta**2))


def _standardisation(table: Floats, weights: Floats) -> tuple[Floats, Floats]:
    means = np.average(table, axis=0, weights=weights)
    scales = np.sqrt(np.average((table - means) ** 2, axis=0, weights=weights))
    # A constant column must come out as exact zeros: rounding in its mean would otherwise be scaled up to a signal.
    constant = (table.max(axis=0) == table.min(axis=0)) | (scales <= 1e-12 * np.abs(means))
    return np.where(constant, table[0], means), np.where(constant, 1.0, scales)


def _unit_mean(weights: ArrayLike | None, n: int) -> Floats:
    if weights is None:
        return np.ones(n)
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (n,) or not (np.isfinite(array).all() and (array > 0).all()):
        raise HcatError("weights must be positive, one for each labelled sample")
    return array / float(array.mean())


def _sigmoid(z: Floats) -> Floats:
    small = np.exp(-np.abs(z))
    return np.where(z >= 0, 1 / (1 + small), small / (1 + small))


def _as_table(X: ArrayLike) -> Floats:
    table = np.asarray(X, dtype=np.float64)
    return table[:, None] if table.ndim == 1 else table


def _sequence(value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def _number(value: JsonValue) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected a number, found {value!r}")
    return float(cast(float, value))
