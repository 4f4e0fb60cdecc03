"""Bootstrap intervals of an agreement, drawn by item."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.types import Estimate

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From counts of each kind of item, (replicates, kinds), to one value a replicate; NaN where undefined."""

REPLICATES = 2000
LEAST_ITEMS = 5
_CHUNK = 250


def bootstrap_by_item(
    statistic: Statistic, counts: Floats, *, level: float, replicates: int, rng: np.random.Generator, name: str
) -> Estimate:
    """A bias-corrected and accelerated interval of a statistic of items, each of one of some kinds, `counts` (kinds,).

    Items of one kind are alike, so that a bootstrap sample is one multinomial draw, and the jackknife leaves out one
    item of each kind. Replicates where the statistic is undefined are left out; fewer than 5 items, or no spread
    among replicates, leave NaN bounds: see `perfect_bound` for items that all agree.
    Source: Efron & Tibshirani 1993, An Introduction to the Bootstrap, section 14.3.
    """
    n = int(counts.sum())
    value = float(statistic(counts[None, :])[0])
    method = f"{name}, bootstrap by item (BCa, {replicates} replicates)"
    nothing = Estimate(value, math.nan, math.nan, n, level, method)
    if n < LEAST_ITEMS or math.isnan(value):
        return nothing
    drawn = _replicates(statistic, counts / n, n, replicates, rng)
    drawn = np.sort(drawn[~np.isnan(drawn)])
    if drawn.size < replicates / 2 or drawn[0] == drawn[-1]:
        return nothing
    low, high = _bca(drawn, value, _acceleration(statistic, counts), level)
    return Estimate(value, min(low, value), max(high, value), n, level, method)


def perfect_bound(expected_disagreement: float, n: int, *, largest: float, level: float) -> float:
    """The lower bound where n items all agree, of 1 − observed / expected disagreement.

    The share of items that disagree lies below 1 − (α/2)^(1/n) (Clopper and Pearson); each disagrees by `largest` at
    most.
    """
    share = -math.expm1(math.log((1 - level) / 2) / n)
    return max(-1.0, 1 - share * largest / expected_disagreement)


def _replicates(statistic: Statistic, shares: Floats, n: int, replicates: int, rng: np.random.Generator) -> Floats:
    # In chunks: replicates times kinds times levels squared would not fit in memory for many raters.
    sizes = [min(_CHUNK, replicates - start) for start in range(0, replicates, _CHUNK)]
    drawn = [statistic(rng.multinomial(n, shares / shares.sum(), size=size).astype(np.float64)) for size in sizes]
    return np.concatenate(drawn)


def _acceleration(statistic: Statistic, counts: Floats) -> float:
    kinds = np.flatnonzero(counts)
    without = np.repeat(counts[None, :], len(kinds), axis=0)
    without[np.arange(len(kinds)), kinds] -= 1
    values, times = statistic(without), counts[kinds]
    known = ~np.isnan(values)
    if not known.any():
        return 0.0
    spread = np.average(values[known], weights=times[known]) - values[known]
    scale = float(times[known] @ spread**2)
    return 0.0 if scale == 0 else float(times[known] @ spread**3) / (6 * scale**1.5)


def _bca(drawn: Floats, value: float, acceleration: float, level: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    # Ties count half: with few levels many replicates equal the value.
    below = (np.sum(drawn < value) + np.sum(drawn <= value)) / (2 * drawn.size)
    bias = float(ndtri(min(max(below, 1 / drawn.size), 1 - 1 / drawn.size)))
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + float(ndtri(tail))
        ends.append(float(ndtr(bias + z / (1 - acceleration * z))))
    low, high = np.quantile(drawn, ends)
    return float(low), float(high)
