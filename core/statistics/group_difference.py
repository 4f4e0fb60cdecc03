"""The difference of two groups within strata, if rare outcomes dominate: tests and the intervals that invert them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.statistics.mean_score import MeanScore, by_cluster, mean_score
from hcat.core.statistics.rate_score import RateScore, rate_score
from hcat.core.statistics.stratified import StratifiedDifference, stratified_difference
from hcat.core.types import Estimate

_FURTHEST = 8.0
"""The normal score beyond which p counts as 0."""
_NEAREST = 1e-3
_PRECISION = 1e-4
Side = MeanScore | RateScore
_UNSEEN = 4.0
"""The number of clusters that could differ between strata and groups without having been observed: z² at 95%."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupDifference:
    """The difference of group and reference, standardised to the strata's overlap, with tests against any true
    difference.

    `sides` are the two means by themselves. `shrink` is the factor for their distances from their bounds, since strata
    and clusters that contain both groups remove part of the variance of the difference. `widen` is the factor for each
    side's own: a skewed outcome without a range spreads in either group as much as in both together."""

    value: float
    means: tuple[float, float]
    clusters: tuple[int, int]
    strata: int
    sides: tuple[Side, Side] | None
    shrink: float
    width: float
    widen: tuple[float, float] = (1.0, 1.0)

    method = "MOVER of scores within the range"

    def bound(self, score: float) -> float:
        """The difference at which the value has this score: below the value for a score above 0, above it for one
        below."""
        if self.sides is None:
            return math.nan
        own = self.widen[0] * (self.sides[0].reaches(score) - self.means[0])
        other = self.widen[1] * (self.sides[1].reaches(-score) - self.means[1])
        far = self.shrink * math.hypot(own, other)
        return max(self.value - far, -self.width) if score > 0 else min(self.value + far, self.width)

    def interval(self, level: float, n: int) -> Estimate:
        """The value with its bounds; `n` is the number of values to report."""
        from scipy.special import ndtri

        z = float(ndtri(0.5 + level / 2))
        return Estimate(self.value, self.bound(z), self.bound(-z), n, level, self.method)

    def p(self) -> float:
        """The two-sided p-value of no difference."""
        return 2 * min(_tail(self._score(0.0)), 0.5)

    def p_outside(self, margin: float) -> float:
        """The larger p-value of the two one-sided tests that the difference is below `margin` and above −`margin`."""
        if abs(self.value) >= margin:
            return _tail(-min(self._score(-margin), self._score(margin)))
        return max(_tail(self._score(-margin)), _tail(self._score(margin)))

    def error_at(self, difference: float) -> float:
        """The standard error if the group's mean were this far from its estimate, on the side where it is larger."""
        if self.sides is None:
            return math.nan
        own, other = self.sides
        low, high = own.ends
        places = [at for at in (self.means[0] - difference, self.means[0] + difference) if low <= at <= high]
        of_own = max((own.error_at(at) for at in places), default=own.error)
        return self.shrink * math.hypot(self.widen[0] * of_own, self.widen[1] * other.error)

    def _score(self, difference: float) -> float:
        """The normal score of the value if this were the true difference."""
        from scipy.optimize import brentq

        sign = 1.0 if self.value > difference else -1.0
        if math.isnan(self.bound(sign)):
            return math.nan
        if self.value == difference or sign * (self.bound(sign * _NEAREST) - difference) <= 0:
            return 0.0
        if sign * (self.bound(sign * _FURTHEST) - difference) > 0:
            return _FURTHEST
        return float(brentq(lambda z: self.bound(sign * z) - difference, _NEAREST, _FURTHEST, xtol=_PRECISION))


def group_difference(
    y: Floats, is_group: ArrayLike, strata: ArrayLike, clusters: ArrayLike, *, within: tuple[float, float]
) -> GroupDifference:
    """The difference in y (N,) between the group (true) and its reference, for single outcomes `within` a range.

    Means and weights of strata are those of `stratified_difference`. Its bounds are derived from those of the two means
    (MOVER): for a group without a failure, the bounds show what was possible. The reduction by strata and shared
    clusters is the ratio of its bias-reduced variance (CR2) to the sum of the two means' variances. Source: Newcombe
    1998, method 10; Zou & Donner 2008; Yan & Su 2010, Stratified Wilson and Newcombe confidence intervals; Bell &
    McCaffrey 2002."""
    group = np.asarray(is_group, dtype=np.bool_)
    found = stratified_difference(y, group, strata, clusters)
    counts = found.clusters, found.clusters_of_reference
    means = found.mean, found.mean_of_reference
    width = within[1] - within[0]
    if min(counts) < 2 or math.isnan(found.error) or not (math.isfinite(width) or found.error > 0):
        return GroupDifference(found.value, means, counts, found.strata, None, 1.0, width)
    weights, codes = _weights(group, _codes(strata)), _codes(clusters)
    rows = weights > 0
    at_end = np.isin(y[rows], within)
    own, other = (
        rate_score(y[at], codes[at], weights[at])
        if at_end.all() and within == (0.0, 1.0)
        else mean_score(*by_cluster(y[at], codes[at], weights[at]), ends=within, touches_end=bool(at_end.any()))
        for at in (rows & group, rows & ~group)
    )
    shrink = _shrink(found, (own, other), width)
    widen = _widen(y, group, weights) if "skewed t" in {_kind(own), _kind(other)} else (1.0, 1.0)
    return GroupDifference(found.value, means, counts, found.strata, (own, other), shrink, width, widen)


def _kind(side: Side) -> str:
    return side.kind if isinstance(side, MeanScore) else "score"


def _widen(y: Floats, group: Bools, weights: Floats) -> tuple[float, float]:
    """The pooled standard deviation about the group means over that of each group, at least 1."""
    squares, totals = [], []
    for side in (group, ~group):
        w = weights[side]
        mean = float(w @ y[side] / w.sum())
        squares.append(float(w @ (y[side] - mean) ** 2 / w.sum()))
        totals.append(int((w > 0).sum()))
    both = (squares[0] * totals[0] + squares[1] * totals[1]) / sum(totals)
    own, other = (math.sqrt(max(both / square, 1.0)) if square > 0 else 1.0 for square in squares)
    return own, other


def _weights(group: Bools, stratum: Codes) -> Floats:
    """The weight of each row in the mean of its group: n₁n₂/(n₁ + n₂) of its stratum over its group's rows there."""
    sizes = np.bincount(stratum).astype(np.float64)
    of_group = np.bincount(stratum, weights=group)
    return np.where(group, ((sizes - of_group) / sizes)[stratum], (of_group / sizes)[stratum])


def _shrink(found: StratifiedDifference, sides: tuple[Side, Side], width: float) -> float:
    """The factor by which strata and shared clusters shrink the standard error.

    Within a finite range, variances include differences that could have remained unobserved: strata in which nothing
    differs do not remove all of the variance."""
    apart = sides[0].error ** 2 + sides[1].error ** 2
    unseen = _UNSEEN * (width / min(side.clusters for side in sides)) ** 2 if math.isfinite(width) else 0.0
    return math.sqrt((found.error**2 + unseen) / (apart + unseen)) if apart + unseen > 0 else 1.0


def _tail(score: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(-score))


def _codes(names: ArrayLike) -> Codes:
    return np.unique(np.asarray(names), return_inverse=True)[1].astype(np.intp)
