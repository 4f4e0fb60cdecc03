"""Intervals for means of scores with a finite range, which hold where the scores are skewed or one kind is rare.

A t interval looks at the spread that was seen. Where nearly all scores lie at one end of their range, a sample may miss
the few that do not, and its spread says nothing of them: the range does.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from core.arrays import Floats, Ints

PRIOR = 0.5
"""How much of a value is added at each end of the range: of outcomes 0 and 1 this makes Jeffreys' interval."""
NEAR_END = 0.05
"""A mean this near an end, as a part of the range, is that of scores of which rare ones decide."""
SKEWED = 2.0
"""Skewness in standard errors from which a sample is not taken for one of a nearly normal score."""

_MOST_STEPS = 200
_PRECISE = 1e-18


def is_nearly_normal(values: Floats, strays: Floats, *, mean: float, within: tuple[float, float]) -> bool:
    """Whether a t interval can be trusted: no value at an end of the range, the mean not near one, little skewness.

    `values` (n,) are single scores, `strays` (clusters,) by how much each cluster moves the mean. Skewness is G₁, held
    against its standard error for normal values. Source: Joanes & Gill 1998, Comparing measures of sample skewness.
    """
    low, high = within
    n = len(strays)
    if n < 3 or values.min() <= low or values.max() >= high:
        return False
    if min(mean - low, high - mean) < NEAR_END * (high - low):
        return False
    centred = strays - strays.mean()
    spread = float(centred @ centred) / n
    if spread <= 0:
        return False
    skewness = float((centred**3).mean()) / spread**1.5 * math.sqrt(n * (n - 1)) / (n - 2)
    error = math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    return bool(abs(skewness) <= SKEWED * error)


def bounded_mean_bounds(
    sums: Floats, portions: Floats, *, within: tuple[float, float], level: float
) -> tuple[float, float]:
    """The bounds of Σ sums / Σ portions, (clusters,) of weighted values and of weights, by a Bayesian bootstrap.

    Each cluster weighs as an exponential draw does, and half a cluster of typical weight stands at each end of the
    range. The quantiles are computed by a saddlepoint approximation instead of draws, so that neither chance nor the
    order of rows has a part. Of n outcomes 0 and 1 the bounds are Jeffreys'.
    Source: Rubin 1981, The Bayesian Bootstrap; Gaffke 2005 and Learned-Miller & Thomas 2020 for a value added at the
    end of the range; Barndorff-Nielsen 1986 for r*; Brown, Cai & DasGupta 2001, section 4.3, for Jeffreys' interval.
    """
    from scipy.optimize import brentq

    low, high = within
    total = float(portions.sum())
    typical = float(portions @ portions) / total
    weighted, weight, times = _distinct(sums, portions)
    weighted, weight = np.append(weighted, [low * typical, high * typical]), np.append(weight, [typical, typical])
    shape = np.concatenate([times, [PRIOR, PRIOR]])

    @cache  # both quantiles begin at the ends of the range, where the saddlepoint is found slowest
    def chance_below(mean: float) -> float:
        return _chance_below_zero(weighted - mean * weight, shape)

    def quantile(tail: float) -> float:
        margin = 1e-10 * (high - low)
        if chance_below(low + margin) >= tail:
            return low
        if chance_below(high - margin) <= tail:
            return high
        ends = low + margin, high - margin
        return float(brentq(lambda mean: chance_below(mean) - tail, *ends, xtol=1e-6 * (high - low), rtol=1e-8))

    return quantile((1 - level) / 2), quantile((1 + level) / 2)


def _distinct(sums: Floats, portions: Floats) -> tuple[Floats, Floats, Ints]:
    """Distinct pairs in rising order, and how often each is there."""
    if portions.min() == portions.max():  # one column sorts much faster than two
        values, times = np.unique(sums, return_counts=True)
        return values, np.full(len(values), portions[0]), times
    pairs, times = np.unique(np.column_stack([sums, portions]), axis=0, return_counts=True)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), times


def _chance_below_zero(values: Floats, shape: Floats) -> float:
    """P(Σ values · E ≤ 0) of independent gamma variables E of these shapes; some values lie on either side of 0."""
    from scipy.special import ndtr

    saddle = _saddlepoint(values, shape)
    tilted = values / (1 - saddle * values)
    cumulant = -float(np.sum(shape * np.log1p(-saddle * values)))
    w = math.copysign(math.sqrt(max(-2 * cumulant, 0.0)), saddle)
    u = saddle * math.sqrt(float(np.sum(shape * tilted**2)))
    if abs(w) < 1e-5:
        return float(ndtr(w))
    return float(ndtr(w + math.log(u / w) / w))


def _saddlepoint(values: Floats, shape: Floats) -> float:
    """Where Σ shape · values / (1 − s values) is 0: it rises from −∞ to ∞ between the inverses of the ends of values.

    By Newton's method from 0, halving the way to an end that a step would pass.
    """
    low, high, s = 1 / float(values.min()), 1 / float(values.max()), 0.0
    tilted, squared = np.empty_like(values), np.empty_like(values)
    for _ in range(_MOST_STEPS):
        np.multiply(values, s, out=tilted)
        np.divide(values, np.subtract(1, tilted, out=tilted), out=tilted)
        slope, curvature = float(shape @ tilted), float(shape @ np.square(tilted, out=squared))
        low, high = (s, high) if slope < 0 else (low, s)
        if slope * slope <= _PRECISE * curvature:
            break
        step = s - slope / curvature
        s = step if low < step < high else (low + high) / 2
    return s
