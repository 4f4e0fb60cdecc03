"""Tests of a mean and the intervals that follow from them, for outcomes of which rare ones decide.

Student's t knows the spread that was seen. Of pairs of which two differ, or of a group in which nothing failed, the
spread that was seen says next to nothing. The range does: how far outcomes would spread if the mean were another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.statistics.range_score import FURTHEST, likeliest_at, score_in_range
from hcat.core.types import Estimate

USUAL = 2.0
"""In standard errors, the most skewness and excess kurtosis of clusters that count as nearly normal."""
MOST_UNITS = 2_000
"""More distinct clusters than this are put together with their nearest ones, which moves no digit that is shown."""

_EDGE = 1e-9
"""How near the end of the range, as a part of it, a bound is looked for."""
_PRECISION = 1e-4
"""To which part of the first step a bound is found."""
_NO_SPREAD = 1e-12

Kind = Literal["t", "score", "skewed t", "alike"]
METHODS = {
    "t": "t of clusters",
    "score": "score within the range",
    "skewed t": "t corrected for skewness",
    "alike": "clusters are alike, and no range says what was not seen",
}


@dataclass(frozen=True, slots=True, eq=False)
class MeanScore:
    """A mean, Σ sums / Σ portions over `clusters` independent clusters, and how it compares with means it may be of.

    `kind` says by what: "t" where clusters are nearly normal; "score" within a finite range; "skewed t", Hall's
    transformation, without a range; "alike" where no two clusters differ and there is no range. `ends` are the range of
    the mean, `typical` is the portion of the cluster of a typical value. Of differences, `reach` is the largest sum of
    a cluster: where nothing differs in truth, it could as well have been the other way round, and twice as much could
    be in a cluster that was not seen.
    """

    value: float
    clusters: int
    kind: Kind
    sums: Floats
    portions: Floats
    times: Floats
    ends: tuple[float, float]
    typical: float
    reach: float | None = None

    def score(self, mean: float) -> float:
        """The standard normal score of the value if `mean` were true: above 0 where the value lies above it.

        NaN with fewer than two clusters, or where they are alike without a range.
        """
        if self.kind == "alike" or self.clusters < 2:
            return math.nan
        if not self.ends[0] < mean < self.ends[1]:
            return 0.0 if mean == self.value else math.copysign(FURTHEST, self.value - mean)
        moved = self.sums - mean * self.portions
        if self.kind == "score":
            return score_in_range(moved, self.times, self._unseen(mean), self._none_at_end(mean))
        return self._t_score(moved)

    def _unseen(self, mean: float) -> tuple[float, float]:
        """How far a cluster that was not seen would move the sum, to either side."""
        low, high = self.ends
        if self.reach is None:
            return (low - mean) * self.typical, (high - mean) * self.typical
        towards_none = self._is_towards_none(mean)
        portion = float(self.times @ self.portions) / self.clusters if towards_none else self.typical
        most = self.reach / portion if towards_none else max(2 * self.reach / portion, 4 * abs(mean))
        most = most if self.reach > 0 else math.inf
        return (max(low, -most) - mean) * portion, (min(high, most) - mean) * portion

    def _none_at_end(self, mean: float) -> float:
        """How probable it is that no cluster lies at the end of the range, if those there make the mean what it is."""
        end = self.ends[1] if mean > self.value else self.ends[0]
        if end in (self.value, mean) or (self.reach is not None and self._is_towards_none(mean)):
            return 0.0
        chance = (1 - (mean - self.value) / (end - self.value)) ** self.clusters
        return chance if self.error <= _NO_SPREAD else chance / 2

    def _is_towards_none(self, mean: float) -> bool:
        return 0 <= mean < self.value or self.value < mean <= 0

    def p_at_least(self, mean: float) -> float:
        """The one-sided p of a true mean of `mean` or more."""
        from scipy.special import ndtr

        return float(ndtr(self.score(mean)))

    def p_at_most(self, mean: float) -> float:
        """The one-sided p of a true mean of `mean` or less."""
        from scipy.special import ndtr

        return float(ndtr(-self.score(mean)))

    def p(self, mean: float = 0.0) -> float:
        """The two-sided p of this mean. Of clusters that are alike it is that of equal signs by chance."""
        if self.kind == "alike":
            return 1.0 if self.value == mean else math.ldexp(2.0, -self.clusters)
        return 2 * min(self.p_at_least(mean), self.p_at_most(mean), 0.5)

    def bounds(self, level: float) -> tuple[float, float]:
        """The means of which the two-sided p is 1 − level, so that interval and p never contradict each other."""
        from scipy.special import ndtri

        z = float(ndtri(0.5 + level / 2))
        return self.reaches(z), self.reaches(-z)

    def interval(self, level: float, n: int) -> Estimate:
        """The value with its bounds; `n` is the number of values that is reported."""
        return Estimate(self.value, *self.bounds(level), n, level, METHODS[self.kind])

    def reaches(self, score: float) -> float:
        """The mean at which the value has this score: below the value for one above 0, above it for one below."""
        if self.clusters < 2 or self.kind == "alike":
            return math.nan
        if self.kind == "t":
            return min(max(self.value - self.error * _t_of(score, self.clusters), self.ends[0]), self.ends[1])
        side, end = (-1.0, self.ends[0]) if score > 0 else (1.0, self.ends[1])
        if self.reach is not None and side * self.value < 0 and side * (self.score(0.0) - score) <= 0:
            end = 0.0
        scale = abs(end - self.value) if math.isfinite(end) else abs(self.value) or 1.0
        step = max(abs(score) * self.error, scale / 1000)
        near, far = self.value, self.value + side * step
        if step == 0 or side * (self.score(near) - score) <= 0:
            return near
        while side * (far - end) < 0 and side * (self.score(far) - score) > 0:
            near, far = far, self.value + 2 * (far - self.value)
        if side * (far - end) >= 0:
            far = end - side * _EDGE * (self.ends[1] - self.ends[0]) if end else end
            if side * (far - near) <= 0 or side * (self.score(far) - score) > 0:
                return end
        return _where(lambda mean: self.score(mean) - score, near, far, precision=_PRECISION * step)

    @property
    def error(self) -> float:
        """The standard error by sums over clusters, of the spread that was seen."""
        centred = self.sums - self.value * self.portions
        factor = self.clusters / (self.clusters - 1) if self.clusters > 1 else math.nan
        return math.sqrt(factor * float(self.times @ centred**2)) / float(self.times @ self.portions)

    def error_at(self, mean: float) -> float:
        """The standard error if `mean` were true: within a range no less than the likeliest such distribution has."""
        if self.kind != "score" or not self.ends[0] < mean < self.ends[1]:
            return self.error
        moved = self.sums - mean * self.portions
        sign = -1.0 if float(self.times @ moved) > 0 else 1.0
        end = sign * self._unseen(mean)[1 if sign > 0 else 0]
        likeliest, at_end = likeliest_at(sign * moved, self.times, end)
        g = float(self.times.sum())
        variance = g * (float(self.times * likeliest @ moved**2) + at_end * end**2)
        return max(math.sqrt(variance) / float(self.times @ self.portions), self.error)

    def _t_score(self, moved: Floats) -> float:
        """Of Student's t; with skewness, of Hall's monotone transformation of it."""
        from scipy.special import ndtri, stdtr

        g, total = self.clusters, float(self.times @ self.portions)
        root = float(self.times @ moved) / total / (self.error * math.sqrt(g))
        if self.kind == "skewed t":
            centred = self.sums - self.value * self.portions
            skewness = float(self.times @ centred**3) / g / (float(self.times @ centred**2) / g) ** 1.5
            root += skewness * root**2 / 3 + skewness**2 * root**3 / 27 + skewness / (6 * g)
        t = math.sqrt(g) * root
        return math.copysign(min(-float(ndtri(stdtr(g - 1, -abs(t)))), FURTHEST), t)


def mean_score(
    sums: Floats, portions: Floats, *, ends: tuple[float, float], touches_end: bool = True, of_differences: bool = False
) -> MeanScore:
    """The scores of Σ sums / Σ portions, (clusters,) of weighted values and of weights, in the range `ends`.

    Within a finite range a mean is tested as Tango (1998) tests a difference of pairs, and Wilson a rate, of which
    these are the cases of −1, 0, 1 and of 0, 1: by the likeliest distribution of clusters that has this mean, in which
    those that were not seen may lie at an end of the range, and by no less spread than was seen about the mean tested.
    Where that distribution is skewed towards the mean tested, the tail is that of a Poisson number of as much
    skewness, and no less than the probability of not having seen what lies at the end.

    Nearly normal clusters have Student's t: no value at an end of its range (`touches_end`), skewness and excess
    kurtosis within two standard errors. Without a range t is corrected for skewness (Hall 1992), which it takes from
    the sample: of outcomes as skewed as log-normal ones some 50 clusters are needed.

    Of paired differences (`of_differences`) no difference is tested as if signs were of chance: what was not seen lies
    no further from 0 on one side than was seen on the other. Without a range they have Student's t, which errs to the
    safe side where heavy tails are symmetric.
    Source: Tango 1998, Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design; Owen 2001, Empirical Likelihood, section 2.3; Laud 2017, Equal-tailed confidence intervals for comparison
    of rates, for skewness; Hall 1992, On the removal of skewness by transformation.
    """
    total = float(portions.sum())
    value = float(sums.sum()) / total if total > 0 else math.nan
    typical = float(portions @ portions) / total if total > 0 else math.nan
    reach = float(np.abs(sums).max(initial=0.0)) if of_differences else None
    kind = _kind(sums - value * portions, portions, ends, touches_end=touches_end)
    if kind == "skewed t" and of_differences:
        kind = "t"
    return MeanScore(value, len(sums), kind, *_distinct(sums, portions, value), ends, typical, reach)


def difference_score(
    values: Floats,
    of_reference: Floats,
    clusters: Codes,
    *,
    within: tuple[float, float],
    weights: Floats | None = None,
) -> MeanScore:
    """The scores of the mean of paired differences, `values` less `of_reference` (n,) of single outcomes `within`."""
    width = within[1] - within[0]
    sums, portions = by_cluster(values - of_reference, clusters, weights)
    touches = bool(np.isin(np.concatenate([values, of_reference]), within).any())
    return mean_score(sums, portions, ends=(-width, width), touches_end=touches, of_differences=True)


def by_cluster(values: Floats, clusters: Codes, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """Sums of weighted values and of weights for each cluster (clusters,) that has any."""
    w = np.ones(len(values)) if weights is None else weights
    sums, portions = np.bincount(clusters, weights=w * values), np.bincount(clusters, weights=w)
    there = portions > 0
    return sums[there].astype(np.float64), portions[there].astype(np.float64)


def _kind(strays: Floats, portions: Floats, ends: tuple[float, float], *, touches_end: bool) -> Kind:
    """`strays` are by how much clusters move the mean."""
    bounded = all(map(math.isfinite, ends))
    n = len(strays)
    largest = float(np.abs(strays).max(initial=0.0))
    if n < 2 or largest <= _NO_SPREAD * max(float(np.abs(portions).max(initial=0.0)), 1.0):
        return "score" if bounded else "alike"
    normal = n > 3 and not (bounded and touches_end)
    if normal:
        scaled = strays / largest
        second = float(scaled @ scaled) / n
        skewness = float((scaled**3).mean()) / second**1.5 * math.sqrt(n * (n - 1)) / (n - 2)
        error = math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
        kurtosis = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (float((scaled**4).mean()) / second**2 - 3) + 6)
        of_kurtosis = 2 * error * math.sqrt((n * n - 1) / ((n - 3) * (n + 5)))
        normal = abs(skewness) <= USUAL * error and kurtosis <= USUAL * of_kurtosis
    return "t" if normal else "score" if bounded else "skewed t"


def _distinct(sums: Floats, portions: Floats, value: float) -> tuple[Floats, Floats, Floats]:
    """Distinct clusters in rising order of how they move the mean, with how often each is there."""
    order = np.lexsort((portions, sums - value * portions))
    s, m = sums[order], portions[order]
    if not len(s):
        return s, m, s
    new = np.concatenate([[True], (np.diff(s) != 0) | (np.diff(m) != 0)])
    place = np.cumsum(new) - 1
    if place[-1] >= MOST_UNITS:
        inner = np.arange(len(s)) * MOST_UNITS // len(s)
        place = inner
    times = np.bincount(place).astype(np.float64)
    return np.bincount(place, weights=s) / times, np.bincount(place, weights=m) / times, times


def _t_of(score: float, clusters: int) -> float:
    """The value of Student's t that has this normal score."""
    from scipy.special import ndtr, stdtrit

    return math.copysign(-float(stdtrit(clusters - 1, ndtr(-abs(score)))), score)


def _where(falls: Callable[[float], float], near: float, far: float, *, precision: float) -> float:
    """Where a function is 0 that has another sign at either place."""
    from scipy.optimize import brentq

    return float(brentq(falls, near, far, xtol=max(precision, 1e-15)))
