"""Interactions: the part of the means of pairs of levels that two margins do not explain. HCAT 6.2, technique 2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.dependence import CellErrors
from hcat.core.slices.marginal import SliceStatistics

_DETERMINED = 1e-9


@dataclass(frozen=True, slots=True)
class Interaction:
    """Deviation of each cell's mean from the additive fit of the two dimensions, with its interval; arrays are (k,).

    NaN where the fit runs through the cell whatever its mean, as in a row with a single cell.
    """

    value: Floats
    low: Floats
    high: Floats


def interactions(
    statistics: SliceStatistics,
    first: Codes,
    second: Codes,
    *,
    shape: tuple[int, int],
    level: float,
    tied: CellErrors | None = None,
) -> Interaction:
    """The cell's mean less α_i + β_j, fitted to all cells by least squares with their n as weights.

    Its variance is σ²(1/n − h), with σ² pooled within cells and h the cell's leverage; where test cases tie cells
    together, that of the same contrast of means which covary as `tied` says. To it comes what refitted calibrations
    add. The interval is Student's t.
    """
    from scipy.special import stdtrit

    of = statistics.of
    n = np.where(of.n > 0, of.n, np.nan)
    weight = np.zeros(shape)
    weight[first, second] = of.n
    inverse = _inverse(weight)
    j = shape[0] + second
    free = 1 / n - (inverse[first, first] + inverse[j, j] + 2 * inverse[first, j])
    value = _beyond_margins(of.mean, of.n, first, second, inverse=inverse, shape=shape)
    value = np.where(free * n > _DETERMINED, value, np.nan)
    variance = of.within_variance * np.maximum(free, 0.0)
    degrees = max(float(statistics.cases.sum() - np.sum(of.n > 0)), 1.0)
    if tied is not None:
        # The contrast of cell means (k, k): what the additive fit leaves of each.
        margins = np.zeros((len(of.n), sum(shape)))
        margins[np.arange(len(of.n)), first] = margins[np.arange(len(of.n)), j] = 1.0
        left = np.eye(len(of.n)) - margins @ inverse @ (margins * of.n[:, None]).T
        variance = np.maximum(((left @ tied.covariance) * left).sum(axis=1), 0.0)
        degrees = min(degrees, tied.degrees)
    if statistics.refit_means is not None:
        refitted = [
            _beyond_margins(means, of.n, first, second, inverse=inverse, shape=shape)
            for means in statistics.refit_means
        ]
        variance = variance + np.var(refitted, axis=0, ddof=1)
    half = stdtrit(degrees, 0.5 + level / 2) * np.sqrt(variance)
    return Interaction(value, value - half, value + half)


def _inverse(weight: Floats) -> Floats:
    """The pseudo-inverse of the normal equations of rows and columns with these weights (rows, columns)."""
    normal = np.block([[np.diag(weight.sum(axis=1)), weight], [weight.T, np.diag(weight.sum(axis=0))]])
    return np.asarray(np.linalg.pinv(normal, hermitian=True), dtype=np.float64)


def _beyond_margins(
    mean: Floats, n: Floats, first: Codes, second: Codes, *, inverse: Floats, shape: tuple[int, int]
) -> Floats:
    """Residual of each cell's mean from the additive fit."""
    total = np.zeros(shape)
    total[first, second] = np.where(n > 0, n * mean, 0.0)
    effects = inverse @ np.concatenate([total.sum(axis=1), total.sum(axis=0)])
    return np.asarray(mean - effects[first] - effects[shape[0] + second], dtype=np.float64)
