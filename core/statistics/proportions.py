"""Shares of labelled samples, as shares of the population where samples were drawn with unequal probabilities."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Bools, Codes
from core.statistics.clusters import case_codes, rate_effective_n, weighted_effective_n
from core.statistics.effective_n import rate_interval
from core.statistics.intervals import ProportionMethod, proportion_interval
from core.types import Estimate


def weighted_proportion(
    hits: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    method: ProportionMethod = "wilson",
) -> Estimate:
    """The share of hits and its interval; NaN for n = 0.

    With weights the interval is Clopper and Pearson's at the effective n (Korn & Graubard 1998). `clusters` (n,) name
    the cluster of each: where one has several samples, the effective n is that of labels which agree within test
    cases (`rate_effective_n`), in the interval that would be taken without. The method says so.
    """
    h = np.asarray(hits, dtype=bool)
    codes = None if len(h) == 0 else case_codes(clusters)
    if codes is not None:
        return _clustered(h, weights, codes, level, method)
    if weights is None or len(h) == 0:
        return proportion_interval(int(h.sum()), len(h), level=level, method=method)
    w = np.asarray(weights, dtype=np.float64)
    value, n = float(np.average(h, weights=w)), weighted_effective_n(h.astype(np.float64), w)
    low, high = _clopper_pearson(value * n, n, level)
    return Estimate(value, low, high, len(h), level, f"clopper-pearson at effective n = {n:.1f}")


def newcombe_difference(first: Estimate, second: Estimate, *, n: int) -> Estimate:
    """The second rate less the first, in [-1, 1], of two rates with their intervals of one level; `n` is reported.

    The hybrid of both intervals, which has a width where neither rate shows any spread. Source: Newcombe 1998,
    Interval estimation for the difference between independent proportions, method 10.
    """
    value = second.value - first.value
    low = value - math.hypot(second.value - second.low, first.high - first.value)
    high = value + math.hypot(second.high - second.value, first.value - first.low)
    return Estimate(value, low, high, n, first.level, "Newcombe's hybrid")


def _clustered(
    hits: Bools, weights: ArrayLike | None, codes: Codes, level: float, method: ProportionMethod
) -> Estimate:
    w = np.ones(len(hits)) if weights is None else np.asarray(weights, dtype=np.float64)
    y = hits.astype(np.float64)
    # Summed weights may round to a share a little beyond 1.
    value = min(float(np.average(y, weights=w)), 1.0)
    n = rate_effective_n(y, w, codes, level=level)
    exact = method == "clopper-pearson" or weights is not None
    name = f"{'clopper-pearson' if exact else 'wilson'} at effective n = {n:.1f}, clustered"
    if not exact:
        return rate_interval(value, n, n=len(hits), level=level, method=name)
    low, high = _clopper_pearson(value * n, n, level)
    return Estimate(value, low, high, len(hits), level, name)


def _clopper_pearson(hits: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail, misses = (1 - level) / 2, max(n - hits, 0.0)
    low = 0.0 if hits <= 0 else float(betaincinv(hits, misses + 1, tail))
    high = 1.0 if misses <= 0 else float(betaincinv(hits + 1, misses, 1 - tail))
    return low, high
