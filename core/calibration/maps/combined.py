"""The combined evaluator: a weighted sum of metrics, each only in the direction in which it improves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.maps.bounded_newton import minimise_logistic
from hcat.core.calibration.maps.design_matrix import (
    as_table,
    checked_partial_fit,
    inside,
    linear_terms,
    metric_names,
    row_sums,
    sigmoid,
    standardisation,
    unit_mean,
)
from hcat.core.errors import HcatError
from hcat.core.statistics.partition import grouped_folds
from hcat.core.types import Direction, Finite

PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
USUAL_PENALTY = 1.0
FOLDS = 5
_SIGNS: Mapping[Direction, float] = {"higher": 1.0, "lower": -1.0, "none": 1.0}


@dataclass(frozen=True, slots=True)
class CombinedMap:
    """p = σ(intercept + Σ term), with the term slope · (score − mean) / scale for each scored metric.

    A slope never has the sign against its metric's direction: if the labels would imply it, it is 0. If a metric left a
    sample unscored, its term is `unscored`, which was learned from labelled samples that lack it too (the score is set
    to the mean, and an indicator is added); it is None if there was no such sample, and a sample that lacks the metric
    then has no probability. `losses` are the cross-validated log-losses of PENALTIES; empty if there were too few
    labels for folds."""

    metrics: tuple[str, ...]
    intercept: Finite
    slopes: tuple[Finite, ...]
    means: tuple[Finite, ...]
    scales: tuple[Finite, ...]
    unscored: tuple[Finite | None, ...]
    directions: tuple[Direction, ...]
    penalty: Finite
    losses: tuple[Finite, ...] = ()

    def __post_init__(self) -> None:
        columns = (self.slopes, self.means, self.scales, self.unscored, self.directions)
        if any(len(column) != len(self.metrics) for column in columns):
            raise HcatError("a combined map has a slope, mean, scale, unscored term and direction for each metric")

    @property
    def penalties(self) -> tuple[float, ...]:
        """The penalties to which `losses` belong."""
        return PENALTIES[: len(self.losses)]

    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1); NaN if a required score is missing."""
        return inside(sigmoid(row_sums(self.intercept, self.contributions(X))))

    @property
    def baseline(self) -> float:
        """The log-odds of a pass if every metric is at its mean."""
        return self.intercept

    def contributions(self, X: ArrayLike) -> Floats:
        """The contribution of each metric to the log-odds, (n, metrics), an unscored one included.

        NaN if that is not known, and throughout for a sample without any score."""
        table = as_table(X, columns=len(self.slopes))
        lacking = np.array([np.nan if term is None else term for term in self.unscored])
        terms = np.where(np.isnan(table), lacking, linear_terms(table, self.slopes, self.means, self.scales))
        terms[np.isnan(table).all(axis=1)] = np.nan
        return terms


def fit_combined(
    X: ArrayLike,
    y: ArrayLike,
    *,
    directions: Sequence[Direction] | None = None,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    penalty: float | None = None,
) -> CombinedMap:
    """Fit a logistic map with slopes ≥ 0 for "higher", ≤ 0 for "lower", free for "none", and an L2 penalty.

    `X` is (n, metrics), NaN = unscored; `y` (n,) is 1 for a pass; `groups` (n,) are test cases. Minimises Σ w ·
    log-loss + penalty/2 · Σ coefficient² over standardised scores, the intercept being free. The penalty is the one of
    PENALTIES with the smallest log-loss in 5 folds that divide no group, unless it is given; 1 if some fold would leave
    labels of one class only. NotEnoughLabelsError if all labels agree."""
    table, passed = checked_partial_fit(X, y)
    known: tuple[Direction, ...] = tuple(directions) if directions else ("none",) * table.shape[1]
    weight = unit_mean(weights, len(passed))
    losses: tuple[float, ...] = ()
    if penalty is None:
        fold_of = grouped_folds(np.arange(len(passed)) if groups is None else groups, passed, folds=FOLDS)
        losses = _cross_validated(table, passed, weight, known, fold_of)
        penalty = PENALTIES[int(np.argmin(losses))] if losses else USUAL_PENALTY
    means, scales = _observed_standardisation(table, weight)
    lacking = _lacking(table)
    design, signs, bounded = _design(table, means, scales, lacking, known)
    beta = minimise_logistic(design, passed, weight, _ridge(design, penalty), bounded=bounded)
    columns = table.shape[1]
    terms = np.full(columns, np.nan)
    terms[lacking] = beta[1 + columns :]
    return CombinedMap(
        metrics=metric_names(metrics, columns),
        intercept=float(beta[0]),
        slopes=tuple((signs * beta[1 : 1 + columns]).tolist()),
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        unscored=tuple(None if np.isnan(term) else term for term in terms.tolist()),
        directions=known,
        penalty=float(penalty),
        losses=losses,
    )


def _cross_validated(
    table: Floats, passed: Floats, weights: Floats, directions: Sequence[Direction], fold_of: Ints
) -> tuple[float, ...]:
    """The mean log-loss of each penalty on held-out folds; empty if a fit has one class only."""
    losses = np.zeros(len(PENALTIES))
    for fold in range(FOLDS):
        out = fold_of == fold
        train = passed[~out]
        if not out.any() or train.size == 0 or train.min() == train.max():
            return ()
        means, scales = _observed_standardisation(table[~out], weights[~out])
        design, _, bounded = _design(table, means, scales, _lacking(table), directions)
        beta: Floats | None = None
        for place in reversed(range(len(PENALTIES))):
            ridge = _ridge(design, PENALTIES[place])
            beta = minimise_logistic(design[~out], train, weights[~out], ridge, bounded=bounded, start=beta)
            z = design[out] @ beta
            losses[place] += float(weights[out] @ (np.logaddexp(0, z) - passed[out] * z))
    return tuple((losses / weights.sum()).tolist())


def _observed_standardisation(table: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each metric over the samples that it scored."""
    if not np.isnan(table).any():
        return standardisation(table, weights)
    means, scales = np.zeros(table.shape[1]), np.ones(table.shape[1])
    for column in range(table.shape[1]):
        scored = ~np.isnan(table[:, column])
        if scored.any():
            mean, scale = standardisation(table[scored, column : column + 1], weights[scored])
            means[column], scales[column] = mean[0], scale[0]
    return means, scales


def _lacking(table: Floats) -> Bools:
    """Whether each metric left a sample unscored, (metrics,)."""
    return np.array([np.isnan(column).any() for column in table.T], dtype=bool)


def _design(
    table: Floats, means: Floats, scales: Floats, lacking: Bools, directions: Sequence[Direction]
) -> tuple[Floats, Floats, Bools]:
    """The design: intercept, scores with higher as better, indicators of unscored ones; and their signs and bounds."""
    signs = np.array([_SIGNS[direction] for direction in directions])
    z = np.where(np.isnan(table), 0.0, signs * (table - means) / scales)
    missing = np.isnan(table[:, lacking]).astype(np.float64)
    known = np.array([direction != "none" for direction in directions])
    bounded = np.concatenate([[False], known, np.zeros(missing.shape[1], dtype=bool)])
    return np.column_stack([np.ones(len(table)), z, missing]), signs, bounded


def _ridge(design: Floats, penalty: float) -> Floats:
    ridge = np.full(design.shape[1], penalty)
    ridge[0] = 0.0
    return ridge
