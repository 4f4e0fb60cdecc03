"""Intervals for means of scores with a finite range, which cover also if the scores are skewed or one kind is rare.

A t interval depends on the observed spread. If nearly all scores are at one end of their range, a sample may miss the
few that are not, and its spread does not show them: the range does."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from hcat.core.arrays import Floats, Ints

PRIOR = 0.5
"""The weight of the value that is added at each end of the range: for outcomes 0 and 1 this gives Jeffreys'
interval."""
NEAR_END = 0.05
"""A mean closer than this to an end, as a share of the range, depends on rare scores."""
SKEWED = 2.0
"""Skewness, in standard errors, above which a sample does not count as nearly normal."""

_MOST_STEPS = 200
_PRECISE = 1e-18
_PRECISION = 1e-8
"""The width, as a share of the range, to which a bound is computed."""
_MARGIN = 1e-10
"""The distance from an end of the range, as a share of it, at which the search for a bound stops."""
_REACH = 0.1
"""The first half-width of the search around the normal quantile, in standard deviations."""


def is_nearly_normal(values: Floats, strays: Floats, *, mean: float, within: tuple[float, float]) -> bool:
    """Whether a t interval can be trusted: no value at an end of the range, the mean not near one, little skewness.

    `values` (n,) are single scores, `strays` (clusters,) the influence of each cluster on the mean. Skewness is G₁,
    compared with its standard error for normal values. Source: Joanes & Gill 1998, Comparing measures of sample
    skewness."""
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

    Each cluster has an exponentially distributed weight, and half a cluster of typical weight is added at each end of
    the range. The quantiles are computed by a saddlepoint approximation instead of draws, so that neither random
    numbers nor the order of rows matter. For n outcomes 0 and 1 the bounds are Jeffreys'. Source: Rubin 1981, The
    Bayesian Bootstrap; Gaffke 2005 and Learned-Miller & Thomas 2020 for a value added at the end of the range;
    Barndorff-Nielsen 1986 for r*; Brown, Cai & DasGupta 2001, section 4.3, for Jeffreys' interval."""
    from scipy.special import ndtri

    low, high = within
    total = float(portions.sum())
    typical = float(portions @ portions) / total
    weighted, weight, times = _distinct(sums, portions)
    weighted, weight = np.append(weighted, [low * typical, high * typical]), np.append(weight, [typical, typical])
    drawn = _Bootstrap(weighted, weight, np.concatenate([times, [PRIOR, PRIOR]]))
    tails = (1 - level) / 2, (1 + level) / 2
    below, above = (_where_it_reaches(drawn, float(ndtri(tail)), low, high) for tail in tails)
    return below, above


class _Bootstrap:
    """The distribution of Σ weighted · E / Σ weight · E for independent gamma variables E with these shapes."""

    def __init__(self, weighted: Floats, weight: Floats, shape: Floats) -> None:
        self._weighted, self._weight, self._shape = weighted, weight, shape
        self._saddle = 0.0
        total = float(shape @ weight)
        self.mean = float(shape @ weighted) / total
        self.spread = math.sqrt(float(shape @ (weighted - self.mean * weight) ** 2)) / total
        """The first-order standard deviation."""

    def normal_score(self, mean: float) -> float:
        """The standard normal quantile of P(X ≤ mean) under this distribution."""
        value, self._saddle = _normal_score(self._weighted - mean * self._weight, self._shape, self._saddle)
        return value


def _where_it_reaches(drawn: _Bootstrap, target: float, low: float, high: float) -> float:
    """The mean whose normal score is `target`, or the end of the range if it is not reached within the range.

    The score is almost linear in the mean. So the search begins around the normal approximation, widens until it
    brackets the target, and continues by the secant method (`_crossing`)."""
    margin = _MARGIN * (high - low)
    first, last = low + margin, high - margin
    guess, reach = drawn.mean + target * drawn.spread, _REACH * drawn.spread
    below, above = (min(max(guess + side * reach, first), last) for side in (-1, 1))
    under, over = drawn.normal_score(below) - target, drawn.normal_score(above) - target
    while under >= 0:
        if below == first:
            return low
        reach *= 2
        below, above, over = max(below - reach, first), below, under
        under = drawn.normal_score(below) - target
    while over <= 0:
        if above == last:
            return high
        reach *= 2
        below, above, under = above, min(above + reach, last), over
        over = drawn.normal_score(above) - target
    return _crossing(
        lambda mean: drawn.normal_score(mean) - target, (below, under), (above, over), _PRECISION * (high - low)
    )


def _crossing(
    rises: Callable[[float], float], low: tuple[float, float], high: tuple[float, float], precision: float
) -> float:
    """The root of an increasing function between two points, given with their values, to within `precision`.

    The first value is below 0, the second above. By the secant method; if one end stays twice, its value is halved, so
    that the other end moves too. The search stops after a step shorter than `precision`. Source: Dowell & Jarratt 1971,
    the Illinois method."""
    (left, under), (right, over) = low, high
    place, side = math.inf, 0
    for _ in range(_MOST_STEPS):
        chord = right - over * (right - left) / (over - under)
        if abs(chord - place) <= precision:
            return chord
        place = chord
        value = rises(place)
        if value < 0:
            left, under, over = place, value, over / 2 if side == -1 else over
            side = -1
        elif value > 0:
            right, over, under = place, value, under / 2 if side == 1 else under
            side = 1
        else:
            break
    return place


def _distinct(sums: Floats, portions: Floats) -> tuple[Floats, Floats, Ints]:
    """Distinct pairs in increasing order, and how often each occurs."""
    if portions.min() == portions.max():  # one column sorts much faster than two
        values, times = np.unique(sums, return_counts=True)
        return values, np.full(len(values), portions[0]), times
    pairs, times = np.unique(np.column_stack([sums, portions]), axis=0, return_counts=True)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), times


def _normal_score(values: Floats, shape: Floats, start: float) -> tuple[float, float]:
    """r*, the normal quantile of P(Σ values · E ≤ 0) for independent gamma variables E, and the saddlepoint.

    `shape` are the shapes of E; some values are below 0 and some above. The search for the saddlepoint begins at
    `start`."""
    saddle, curvature = _saddlepoint(values, shape, start)
    cumulant = -float(np.sum(shape * np.log1p(-saddle * values)))
    w = math.copysign(math.sqrt(max(-2 * cumulant, 0.0)), saddle)
    u = saddle * math.sqrt(curvature)
    return w if abs(w) < 1e-5 else w + math.log(u / w) / w, saddle


def _saddlepoint(values: Floats, shape: Floats, start: float) -> tuple[float, float]:
    """The root s of Σ shape · values / (1 − s values), and the slope there.

    The sum increases from −∞ to ∞ between the inverses of the smallest and largest value. By Newton's method from
    `start`, or from 0 if that is outside, halving the distance to an end that a step would pass."""
    low, high = 1 / float(values.min()), 1 / float(values.max())
    s = start if low < start < high else 0.0
    tilted, squared, curvature = np.empty_like(values), np.empty_like(values), 0.0
    for _ in range(_MOST_STEPS):
        np.multiply(values, s, out=tilted)
        np.divide(values, np.subtract(1, tilted, out=tilted), out=tilted)
        slope, curvature = float(shape @ tilted), float(shape @ np.square(tilted, out=squared))
        low, high = (s, high) if slope < 0 else (low, s)
        if slope * slope <= _PRECISE * curvature:
            break
        step = s - slope / curvature
        s = step if low < step < high else (low + high) / 2
    return s, curvature
