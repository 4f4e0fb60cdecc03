"""Bivariate analysis: each pair of levels of two dimensions, and what the two margins do not explain. HCAT 6.2, 2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.weakness.comparison import Codes, Floats
from core.weakness.marginal import Grouping, SliceStatistics, slice_statistics

_DETERMINED = 1e-9


@dataclass(frozen=True, slots=True)
class Interaction:
    """How far each cell's mean lies from the additive fit of the two dimensions, with its interval; arrays are (k,).

    NaN where the fit runs through the cell whatever its mean, as in a row with a single cell.
    """

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True)
class Cells:
    """The pairs of levels that occur, as level numbers of the first and second dimension, with their statistics."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    statistics: SliceStatistics
    interaction: Interaction


def bivariate(values: Floats, one: Grouping, two: Grouping, *, minimum_n: int, level: float) -> Cells:
    """Each pair of levels that occurs against all other samples. `values` (N,) may hold NaN: those are unscored."""
    joint = one.codes * len(two.levels) + two.codes
    occurring, codes = np.unique(joint, return_inverse=True)
    statistics = slice_statistics(values, codes, slices=len(occurring), minimum_n=minimum_n, level=level)
    first, second = np.divmod(occurring, len(two.levels))
    return Cells(
        first=tuple(first.tolist()),
        second=tuple(second.tolist()),
        statistics=statistics,
        interaction=interactions(statistics, first, second, shape=(len(one.levels), len(two.levels)), level=level),
    )


def interactions(
    statistics: SliceStatistics, first: Codes, second: Codes, *, shape: tuple[int, int], level: float
) -> Interaction:
    """The cell's mean less α_i + β_j, fitted to all cells by least squares with their n as weights.

    Its variance is σ²(1/n − h), with σ² pooled within cells and h the cell's leverage; the interval is Student's t.
    """
    from scipy.special import stdtrit

    of, rows = statistics.of, shape[0]
    weight = np.zeros(shape)
    total = np.zeros(shape)
    weight[first, second] = of.n
    total[first, second] = np.where(of.n > 0, of.n * of.mean, 0.0)
    normal = np.block([[np.diag(weight.sum(axis=1)), weight], [weight.T, np.diag(weight.sum(axis=0))]])
    inverse = np.linalg.pinv(normal, hermitian=True)
    effects = inverse @ np.concatenate([total.sum(axis=1), total.sum(axis=0)])
    j = rows + second
    leverage = inverse[first, first] + inverse[j, j] + 2 * inverse[first, j]
    n = np.where(of.n > 0, of.n, np.nan)
    free = 1 / n - leverage
    value = np.where(free * n > _DETERMINED, of.mean - effects[first] - effects[j], np.nan)
    degrees = max(float(of.n.sum() - np.sum(of.n > 0)), 1.0)
    half = stdtrit(degrees, 0.5 + level / 2) * np.sqrt(of.within_variance * np.maximum(free, 0.0))
    return Interaction(value, value - half, value + half)
