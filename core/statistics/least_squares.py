"""Least squares of one variable within groups of rows, with errors by clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Codes, Floats
from core.statistics.effective_n import t_quantile
from core.types import Estimate

_NO_SPREAD = 1e-20


@dataclass(frozen=True, slots=True)
class Slope:
    """The slope with its interval, its standard error and two-sided p (NaN without any spread or with too few
    clusters), and of how many clusters with more than one value of the variable it comes."""

    estimate: Estimate
    error: float
    p: float
    clusters: int


def slope_within(
    y: Floats,
    x: Floats,
    within: ArrayLike,
    clusters: ArrayLike,
    *,
    minimum_n: int = 5,
    level: float = 0.95,
    method: str = "least squares within strata, clustered t",
    count_clusters: bool = False,
) -> Slope:
    """Of y (N,) on x (N,), each less its mean within the same name in `within`; errors by sums over clusters.

    The variance is Liang and Zeger's with the factor G / (G − 1), t has one degree fewer than the clusters that tell
    something; with fewer than `minimum_n` of these there are no bounds. `n` of the estimate counts rows, or those
    clusters. Source: Liang & Zeger 1986; Cameron & Miller 2015, A practitioner's guide to cluster-robust inference.
    """
    from scipy.special import stdtr

    strata, codes = _codes(within), _codes(clusters)
    y_centred, x_centred = _centred(y, strata), _centred(x, strata)
    squares = float(x_centred @ x_centred)
    if squares <= _NO_SPREAD:
        return Slope(Estimate(math.nan, math.nan, math.nan, 0, level, method), math.nan, math.nan, 0)
    value = float(x_centred @ y_centred) / squares
    number = len(np.unique(codes[np.abs(x_centred) > _NO_SPREAD]))
    n = number if count_clusters else len(y)
    sums = np.bincount(codes, weights=x_centred * (y_centred - value * x_centred))
    variance = number / (number - 1) * float(sums @ sums) / squares**2 if number > 1 else math.nan
    if number < max(minimum_n, 2) or not variance > _NO_SPREAD:
        return Slope(Estimate(value, math.nan, math.nan, n, level, method), math.nan, math.nan, number)
    error = math.sqrt(variance)
    half = t_quantile(level, number - 1) * error
    p = 2 * float(stdtr(number - 1, -abs(value) / error))
    return Slope(Estimate(value, value - half, value + half, n, level, method), error, p, number)


def _centred(values: Floats, codes: Codes) -> Floats:
    """Each value less the mean of its stratum."""
    if not len(values):
        return values
    means = np.bincount(codes, weights=values) / np.maximum(np.bincount(codes), 1)
    return np.asarray(values - means[codes], dtype=np.float64)


def _codes(names: ArrayLike) -> Codes:
    return np.unique(np.asarray(names), return_inverse=True)[1].astype(np.intp)
