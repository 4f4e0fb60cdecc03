"""Shares of labelled samples, as estimates for the population if samples were drawn with unequal probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.statistics.clusters import case_codes, rate_effective_n, weighted_effective_n
from hcat.core.statistics.effective_n import rate_interval
from hcat.core.statistics.intervals import ProportionMethod, proportion_interval
from hcat.core.types import Estimate

LEAST_P, MOST_P = 1e-9, 0.999
"""The range of p-values that are found by inverting intervals."""


def weighted_proportion(
    hits: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    method: ProportionMethod = "wilson",
    of_the_rarer: bool = False,
) -> Estimate:
    """The share of hits and its interval; NaN for n = 0.

    With weights the interval is Clopper and Pearson's at the effective n (Korn & Graubard 1998). `clusters` (n,) name
    the cluster of each sample. If one has several samples, the effective n is that of labels which agree within
    clusters (`rate_effective_n`, also for `of_the_rarer`), in the interval that would be used without clusters. The
    method says so."""
    h = np.asarray(hits, dtype=bool)
    codes = None if len(h) == 0 else case_codes(clusters)
    if codes is not None:
        return _clustered(h, weights, codes, level, method, of_the_rarer)
    if weights is None or len(h) == 0:
        return proportion_interval(int(h.sum()), len(h), level=level, method=method)
    w = np.asarray(weights, dtype=np.float64)
    value, n = float(np.average(h, weights=w)), weighted_effective_n(h.astype(np.float64), w)
    low, high = exact_bounds(value * n, n, level)
    return Estimate(value, low, high, len(h), level, f"clopper-pearson at effective n = {n:.1f}")


def newcombe_difference(first: Estimate, second: Estimate, *, n: int, correlation: float = 0.0) -> Estimate:
    """The second rate less the first, in [−1, 1], from two rates with intervals of one level; `n` is the n to report.

    Newcombe's hybrid of both intervals, whose width is above 0 even if neither rate shows any spread. `correlation` is
    that of the two rates, if they are from the same units. Source: Newcombe 1998, Interval estimation for the
    difference between independent proportions, method 10; Zou & Donner 2008, Construction of confidence limits about
    effect measures."""
    value = second.value - first.value
    below, above = second.value - second.low, second.high - second.value
    under, over = first.value - first.low, first.high - first.value
    low = value - math.sqrt(max(below**2 + over**2 - 2 * correlation * below * over, 0.0))
    high = value + math.sqrt(max(above**2 + under**2 - 2 * correlation * above * under, 0.0))
    method = "Newcombe's hybrid" + (", correlated" if correlation else "")
    return Estimate(value, max(low, -1.0), min(high, 1.0), n, first.level, method)


def correlation_of_rates(first: Floats, second: Floats) -> float:
    """The correlation of two rates, from the influence of each unit (units,) on either; 0 if one has no spread."""
    size = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / size if size > 0 else 0.0


def p_by_interval(interval: Callable[[float], Estimate]) -> float:
    """The two-sided p-value of 0 that agrees with `interval`: 1 less the highest level at which it excludes 0.

    1 if no interval excludes 0, and never below `LEAST_P`. NaN without bounds."""
    from scipy.optimize import brentq

    def beyond(log_p: float) -> float:
        """By how much the interval is above 0 if the value is positive, or below 0 if it is negative."""
        made = interval(-math.expm1(log_p))
        return made.low if made.value > 0 else -made.high

    if math.isnan(interval(0.95).low):
        return math.nan
    low, high = math.log(LEAST_P), math.log(MOST_P)
    if not beyond(high) > 0:
        return 1.0
    if beyond(low) > 0:
        return LEAST_P
    return math.exp(brentq(beyond, low, high, xtol=1e-13))


def _clustered(
    hits: Bools,
    weights: ArrayLike | None,
    codes: Codes,
    level: float,
    method: ProportionMethod,
    of_the_rarer: bool,
) -> Estimate:
    w = np.ones(len(hits)) if weights is None else np.asarray(weights, dtype=np.float64)
    y = hits.astype(np.float64)
    # Summed weights may round to a share a little beyond 1.
    value = min(float(np.average(y, weights=w)), 1.0)
    n = rate_effective_n(y, w, codes, level=level, of_the_rarer=of_the_rarer)
    exact = method == "clopper-pearson" or weights is not None
    name = f"{'clopper-pearson' if exact else 'wilson'} at effective n = {n:.1f}, clustered"
    if not exact:
        return rate_interval(value, n, n=len(hits), level=level, method=name)
    low, high = exact_bounds(value * n, n, level)
    return Estimate(value, low, high, len(hits), level, name)


def exact_bounds(hits: float, n: float, level: float) -> tuple[float, float]:
    """Clopper and Pearson's bounds of a share of `hits` among n; neither needs to be an integer."""
    from scipy.special import betaincinv

    tail, misses = (1 - level) / 2, max(n - hits, 0.0)
    low = 0.0 if hits <= 0 else float(betaincinv(hits, misses + 1, tail))
    high = 1.0 if misses <= 0 else float(betaincinv(hits + 1, misses, 1 - tail))
    return low, high
