"""Tests of a mean and the intervals that invert them, for outcomes in which rare ones dominate.

Student's t uses the observed spread. If two of many pairs differ, or no one of a group failed, the observed spread is
nearly uninformative. The range is informative: it bounds the spread of outcomes for any other mean."""

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
"""The largest skewness and excess kurtosis, in standard errors, of clusters that count as nearly normal."""
MOST_UNITS = 2_000
"""Beyond this number of distinct clusters, nearby ones are merged, which changes no displayed digit."""

_EDGE = 1e-9
"""The distance from the end of the range, as a share of it, at which the search for a bound stops."""
_PRECISION = 1e-4
"""The precision of a bound, as a share of the first step."""
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
    """The mean Σ sums / Σ portions over `clusters` independent clusters, with tests against any true mean.

    `kind` names the test: "t" if clusters are nearly normal; "score" within a finite range; "skewed t", Hall's
    transformation, without a range; "alike" if no two clusters differ and there is no range. `ends` are the range of
    the mean, `typical` is the portion of the cluster of a typical value. For differences, `reach` is the largest
    absolute sum of a cluster. Without a true difference its sign could have been the opposite, and an unobserved
    cluster could have twice as much."""

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
        """The standard normal score of the value if `mean` were true: positive if the value is above it.

        NaN with fewer than two clusters, or if they are all equal and there is no range."""
        if self.kind == "alike" or self.clusters < 2:
            return math.nan
        if not self.ends[0] < mean < self.ends[1]:
            return 0.0 if mean == self.value else math.copysign(FURTHEST, self.value - mean)
        moved = self.sums - mean * self.portions
        if self.kind == "score":
            return score_in_range(moved, self.times, self._unseen(mean), self._none_at_end(mean))
        return self._t_score(moved)

    def _unseen(self, mean: float) -> tuple[float, float]:
        """The largest shift of the sum, to either side, by a cluster that was not observed."""
        low, high = self.ends
        if self.reach is None:
            return (low - mean) * self.typical, (high - mean) * self.typical
        towards_none = self._is_towards_none(mean)
        portion = float(self.times @ self.portions) / self.clusters if towards_none else self.typical
        most = self.reach / portion if towards_none else max(2 * self.reach / portion, 4 * abs(mean))
        most = most if self.reach > 0 else math.inf
        return (max(low, -most) - mean) * portion, (min(high, most) - mean) * portion

    def _none_at_end(self, mean: float) -> float:
        """The probability that no cluster is at the end of the range, if clusters there explain the distance to
        `mean`."""
        end = self.ends[1] if mean > self.value else self.ends[0]
        if end in (self.value, mean) or (self.reach is not None and self._is_towards_none(mean)):
            return 0.0
        chance = (1 - (mean - self.value) / (end - self.value)) ** self.clusters
        return chance if self.error <= _NO_SPREAD else chance / 2

    def _is_towards_none(self, mean: float) -> bool:
        return 0 <= mean < self.value or self.value < mean <= 0

    def p_at_least(self, mean: float) -> float:
        """The one-sided p-value of the hypothesis that the true mean is `mean` or more."""
        from scipy.special import ndtr

        return float(ndtr(self.score(mean)))

    def p_at_most(self, mean: float) -> float:
        """The one-sided p-value of the hypothesis that the true mean is `mean` or less."""
        from scipy.special import ndtr

        return float(ndtr(-self.score(mean)))

    def p(self, mean: float = 0.0) -> float:
        """The two-sided p-value of this mean. For clusters that are all equal it is that of equal signs by chance."""
        if self.kind == "alike":
            return 1.0 if self.value == mean else math.ldexp(2.0, -self.clusters)
        return 2 * min(self.p_at_least(mean), self.p_at_most(mean), 0.5)

    def bounds(self, level: float) -> tuple[float, float]:
        """The means whose two-sided p-value is 1 − level, so that interval and p never contradict each other."""
        from scipy.special import ndtri

        z = float(ndtri(0.5 + level / 2))
        return self.reaches(z), self.reaches(-z)

    def interval(self, level: float, n: int) -> Estimate:
        """The value with its bounds; `n` is the number of values to report."""
        return Estimate(self.value, *self.bounds(level), n, level, METHODS[self.kind])

    def reaches(self, score: float) -> float:
        """The mean at which the value has this score: below the value for a score above 0, above it for one below."""
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
        """The observed standard error, by sums over clusters."""
        centred = self.sums - self.value * self.portions
        factor = self.clusters / (self.clusters - 1) if self.clusters > 1 else math.nan
        return math.sqrt(factor * float(self.times @ centred**2)) / float(self.times @ self.portions)

    def error_at(self, mean: float) -> float:
        """The standard error if `mean` were true: within a range at least that of the most likely such distribution."""
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
        """The normal score of Student's t; with skewness, of Hall's monotone transformation of it."""
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
    """The tests of the mean Σ sums / Σ portions, (clusters,) of weighted values and of weights, in the range `ends`.

    Within a finite range a mean is tested as Tango (1998) tests a paired difference, and Wilson a rate; these are the
    cases of −1, 0, 1 and of 0, 1. The test uses the most likely distribution of clusters with the tested mean, in which
    unobserved ones may be at an end of the range, and at least the observed spread about that mean. If the distribution
    is skewed towards the tested mean, the tail is that of a Poisson number with the same skewness, and at least the
    probability of not observing the values at the end.

    Nearly normal clusters have Student's t: no value at an end of its range (`touches_end`), skewness and excess
    kurtosis within two standard errors. Without a range, t is corrected for the sample skewness (Hall 1992): for
    outcomes as skewed as log-normal ones about 50 clusters are needed.

    For paired differences (`of_differences`), a difference of 0 is tested with signs at random: unobserved differences
    are no further from 0 on one side than observed ones on the other. Without a range they have Student's t, which is
    conservative for symmetric heavy tails. Source: Tango 1998, Equivalence test and confidence interval for the
    difference in proportions for the paired-sample design; Owen 2001, Empirical Likelihood, section 2.3; Laud 2017,
    Equal-tailed confidence intervals for comparison of rates, for skewness; Hall 1992, On the removal of skewness by
    transformation."""
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
    """The tests of the mean of paired differences, `values` less `of_reference` (n,) of single outcomes `within` a
    range."""
    width = within[1] - within[0]
    sums, portions = by_cluster(values - of_reference, clusters, weights)
    touches = bool(np.isin(np.concatenate([values, of_reference]), within).any())
    return mean_score(sums, portions, ends=(-width, width), touches_end=touches, of_differences=True)


def by_cluster(values: Floats, clusters: Codes, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """Sums of weighted values and of weights for each cluster (clusters,) with any weight."""
    w = np.ones(len(values)) if weights is None else weights
    sums, portions = np.bincount(clusters, weights=w * values), np.bincount(clusters, weights=w)
    there = portions > 0
    return sums[there].astype(np.float64), portions[there].astype(np.float64)


def _kind(strays: Floats, portions: Floats, ends: tuple[float, float], *, touches_end: bool) -> Kind:
    """The kind of test that suits these clusters; `strays` are their influences on the mean."""
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
    """Distinct clusters in increasing order of their influence on the mean, and how often each occurs."""
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
    """The value of Student's t with this normal score."""
    from scipy.special import ndtr, stdtrit

    return math.copysign(-float(stdtrit(clusters - 1, ndtr(-abs(score)))), score)


def _where(falls: Callable[[float], float], near: float, far: float, *, precision: float) -> float:
    """The root of a function whose signs differ at the two points."""
    from scipy.optimize import brentq

    return float(brentq(falls, near, far, xtol=max(precision, 1e-15)))
