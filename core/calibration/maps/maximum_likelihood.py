"""Stage 1 by plain logistic regression: the maximum likelihood map, without a penalty, if it exists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.maps.bounded_newton import minimise_logistic
from hcat.core.calibration.maps.design_matrix import (
    checked_scores,
    metric_names,
    require_both_classes,
    standardisation,
    unit_mean,
)
from hcat.core.calibration.maps.logistic import LogisticMap
from hcat.core.errors import HcatError, NoMaximumError

_SEPARATED = 1e-6
"""The mean distance from the boundary, in standard deviations, that counts as separated.

The precision of the linear program is 1e-7."""


def fit_maximum_likelihood(
    X: ArrayLike, y: ArrayLike, *, metrics: Sequence[str] | None = None, weights: ArrayLike | None = None
) -> LogisticMap:
    """Maximise the (weighted) likelihood of a logistic map: Platt's sigmoid, with labels as 0 and 1.

    `X` is (n, metrics), finite; `y` is (n,), 1 for a pass. Platt's own targets, smoothed towards ½, are not used. A
    constant column gets slope 0. NoMaximumError if no finite maximum exists, because a line or plane separates the
    labels, or if it is not unique, because the scores are linear combinations of each other. NotEnoughLabelsError if
    all labels agree. Source: HCAT 5.1; Platt 1999, section 2; Albert & Anderson 1984, theorems 1 to 3 (existence)."""
    table, passed = checked_scores(X, y), np.asarray(y, dtype=np.float64)
    require_both_classes(passed)
    weight = unit_mean(weights, len(passed))
    means, scales = standardisation(table, weight)
    standardised = (table - means) / scales
    varying = np.asarray(standardised.any(axis=0), dtype=bool)
    coefficients = _coefficients(standardised[:, varying], passed, weight)
    slopes = np.zeros(table.shape[1])
    slopes[varying] = coefficients[1:]
    return LogisticMap(
        metrics=metric_names(metrics, table.shape[1]),
        intercept=float(coefficients[0]),
        slopes=tuple(slopes.tolist()),
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        penalty=0.0,
    )


def _coefficients(standardised: Floats, passed: Floats, weight: Floats) -> Floats:
    design = np.column_stack([np.ones(len(passed)), standardised])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise NoMaximumError(
            "the scores of these metrics determine each other on the labelled samples, so maximum likelihood has no "
            "single maximum: leave a metric out, label more, or use logistic"
        )
    if _separable(design, passed == 1):
        raise NoMaximumError(
            "the scores separate the labels (some cut has every pass at it or on one side, every fail at it or on the "
            "other), so maximum likelihood has no finite maximum: use logistic, whose penalty keeps the map finite"
        )
    return minimise_logistic(design, passed, weight, np.zeros(design.shape[1]))


def _separable(design: Floats, passed: Bools) -> bool:
    """Whether a plane has every pass on one side and every fail on the other; points on the plane may be of either.

    `design` (n, columns) with its intercept. By a linear program for the plane with the largest total distance of
    labels on the correct sides. Source: Albert & Anderson 1984, section 3; Konis 2007, Linear Programming Algorithms
    for Detecting Separated Data in Binary Logistic Regression Models, section 4.2."""
    from scipy.optimize import linprog

    towards = np.where(passed[:, None], design, -design)
    furthest = linprog(-towards.mean(axis=0), A_ub=-towards, b_ub=np.zeros(len(towards)), bounds=(-1, 1))
    if furthest.status != 0:
        raise HcatError("it could not be told whether the scores separate the labels: use logistic")
    return float(-furthest.fun) > _SEPARATED
