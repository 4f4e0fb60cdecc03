"""Intervals for means of scores with a finite range, which hold where the scores are skewed or one kind is rare.

A t interval looks at the spread that was seen. Where nearly all scores lie at one end of their range, a sample may miss
the few that do not, and its spread says nothing of them: the range does.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from hcat.core.arrays import Floats, Ints

PRIOR = 0.5
"""How much of a value is added at each end of the range: of outcomes 0 and 1 this makes Jeffreys' interval."""
NEAR_END = 0.05
"""A mean this near an end, as a part of the range, is that of scores of which rare ones decide."""
SKEWED = 2.0
"""Skewness in standard errors from which a sample is not taken for one of a nearly normal score."""

_MOST_STEPS = 200
_PRECISE = 1e-18
_PRECISION = 1e-8
"""The width, as a part of the range, to which a bound is found."""
_MARGIN = 1e-10
"""How near an end of the range, as a part of it, a bound is looked for."""
_REACH = 0.1
"""How far to either side of a normal distribution's quantile the search begins, in standard deviations."""


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
    """The distribution of Σ weighted · E / Σ weight · E over independent gamma variables E of these shapes."""

    def __init__(self, weighted: Floats, weight: Floats, shape: Floats) -> None:
        self._weighted, self._weight, self._shape = weighted, weight, shape
        self._saddle = 0.0
        total = float(shape @ weight)
        self.mean = float(shape @ weighted) / total
        self.spread = math.sqrt(float(shape @ (weighted - self.mean * weight) ** 2)) / total
        """The standard deviation to first order."""

    def normal_score(self, mean: float) -> float:
        """Where the standard normal distribution has as much below it as this one has below `mean`."""
        value, self._saddle = _normal_score(self._weighted - mean * self._weight, self._shape, self._saddle)
        return value


def _where_it_reaches(drawn: _Bootstrap, target: float, low: float, high: float) -> float:
    """The mean whose normal score is `target`, or the end of the range within which it is not reached.

    The score is almost a straight line in the mean, so the search begins around where a normal distribution would
    reach it, widens until the target lies between, and goes on along chords (`_crossing`).
    """
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
    """Where a rising function is 0, between two places with their values, of which the first is below 0 and the second
    above: to within `precision`.

    By chords; where one end stays twice, its value is halved, so that the other end moves too. A step that is shorter
    than `precision` is not followed by another. Source: Dowell & Jarratt 1971, the Illinois method.
    """
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
    """Distinct pairs in rising order, and how often each is there."""
    if portions.min() == portions.max():  # one column sorts much faster than two
        values, times = np.unique(sums, return_counts=True)
        return values, np.full(len(values), portions[0]), times
    pairs, times = np.unique(np.column_stack([sums, portions]), axis=0, return_counts=True)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), times


def _normal_score(values: Floats, shape: Floats, start: float) -> tuple[float, float]:
    """r*, the normal quantile of P(Σ values · E ≤ 0) for independent gamma variables E of these shapes, and the
    saddlepoint; some values lie on either side of 0. The search for it begins at `start`."""
    saddle, curvature = _saddlepoint(values, shape, start)
    cumulant = -float(np.sum(shape * np.log1p(-saddle * values)))
    w = math.copysign(math.sqrt(max(-2 * cumulant, 0.0)), saddle)
    u = saddle * math.sqrt(curvature)
    return w if abs(w) < 1e-5 else w + math.log(u / w) / w, saddle


def _saddlepoint(values: Floats, shape: Floats, start: float) -> tuple[float, float]:
    """Where Σ shape · values / (1 − s values) is 0, and how fast it rises there: it goes from −∞ to ∞ between the
    inverses of the ends of values.

    By Newton's method from `start`, or from 0 where that is outside, halving the way to an end that a step would pass.
    """
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
