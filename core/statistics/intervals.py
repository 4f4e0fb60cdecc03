"""Intervals for means and proportions. Each result is an `Estimate` that carries its n and its method."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Codes, Floats
from hcat.core.statistics.bounded_mean import bounded_mean_bounds, is_nearly_normal
from hcat.core.statistics.clusters import rate_effective_n, weighted_effective_n
from hcat.core.statistics.effective_n import kish_n, rate_interval, wilson_bounds
from hcat.core.types import Estimate

NO_SPREAD, CLUSTERS_ALIKE = "no spread, Wilson", "no spread between clusters, Wilson"
NO_SPREAD_OF_UNKNOWN_RANGE = "no spread, and no range that bounds what was not seen"
"""The methods for values, or means of clusters, that are all equal."""
BOUNDED = "Bayesian bootstrap within the range"
"""Appended to the method if scores are skewed."""
ROUNDING = 1e-14
"""The largest difference of equal cluster means by rounding, as a share of the largest value."""

ProportionMethod = Literal["wilson", "clopper-pearson"]


def mean_interval(
    values: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    within: tuple[float, float] = (-np.inf, np.inf),
    made_with: float = 0.0,
    rare_values: bool = False,
) -> Estimate:
    """The mean of a metric and its interval: Student's t, or that of a bounded mean if scores are skewed.

    values: (N,), where NaN means unscored; those are left out, and n counts the rest. weights: (N,), each > 0, the
    inverse sampling probabilities; the mean is then Hájek's ratio Σwy/Σw with its linearised variance, which for equal
    weights gives the plain t interval. clusters: (N,), the independent units, see `hcat.core.records.clusters`; by
    default each value is one. Errors and degrees of freedom then come from sums over clusters. `made_with` is a
    variance of the mean that comes from how the values were produced, such as a fitted calibration.

    The interval is cut at `within`, the range of single values. In a finite range, skewed scores, such as scores nearly
    all at one end, have the interval of `bounded_mean_bounds`, which covers where t does not. Values that are all at
    one end or the other have Wilson's interval of a rate, at the effective n of clusters and weights. `rare_values`
    requests the interval of a bounded mean for any sample: in squared errors of 0 and 1 the rare class costs most, and
    may not have occurred. If values, or means of clusters, do not differ at all, a width of 0 would be wrong: in a
    finite range the interval is Wilson's for a rate, since no mean varies more; without a range there are no bounds.

    n = 0 gives NaN throughout, a single value or cluster the value with NaN bounds. Raises ValueError for infinite
    values, weights that are not positive, and a level outside (0, 1). Source: Särndal, Swensson & Wretman, Model
    Assisted Survey Sampling, result 5.7.1."""
    _check_level(level)
    y, w, group = _scored(values, weights, clusters)
    n = y.size
    independent = int(group.max(initial=-1)) + 1
    clustered = ", clustered" if independent < n else ""
    method = ("t" if weights is None else "hajek-t") + clustered
    if n == 0:
        return Estimate(np.nan, np.nan, np.nan, 0, level, method)
    share = w / w.sum()
    flat = y.min() == y.max()
    mean = float(y[0] if flat else share @ y)
    if independent == 1:
        return Estimate(mean, np.nan, np.nan, n, level, method)
    residual: Floats = np.bincount(group, weights=share * (y - mean)).astype(np.float64)
    portion: Floats = np.bincount(group, weights=share).astype(np.float64)
    alike = flat or float(np.abs(residual / portion).max()) <= ROUNDING * float(np.abs(y).max())
    bounded = bool(np.isfinite(within).all())
    if alike and not made_with:
        if not bounded:
            return Estimate(mean, np.nan, np.nan, n, level, NO_SPREAD_OF_UNKNOWN_RANGE)
        name = NO_SPREAD if flat else CLUSTERS_ALIKE
        return _without_spread(mean, kish_n(portion), n=n, level=level, within=within, method=name)
    normal = not rare_values and is_nearly_normal(y, residual, mean=mean, within=within)
    if bounded and not alike and not normal:
        if not made_with and np.isin(y, within).all():
            return _of_two_values(y, w, group, mean, level=level, within=within)
        sums: Floats = np.bincount(group, weights=share * y).astype(np.float64)
        bounds = bounded_mean_bounds(sums, portion, within=within, level=level)
        name = ("mean" if weights is None else "hajek") + clustered
        return _bounded(mean, bounds, made_with, n=n, level=level, method=name, within=within)
    variance = independent / (independent - 1) * float(residual @ residual) + made_with
    half = _t_quantile(level, independent - 1) * float(np.sqrt(variance))
    low, high = max(mean - half, within[0]), min(mean + half, within[1])
    return Estimate(mean, low, high, n, level, method)


def proportion_interval(
    successes: int, n: int, *, level: float = 0.95, method: ProportionMethod = "wilson"
) -> Estimate:
    """A share of n and its interval: Wilson's score interval (see `wilson_bounds`), or Clopper and Pearson's exact one.

    Bounds are in [0, 1]. n = 0 gives NaN throughout. Raises ValueError unless 0 ≤ successes ≤ n. Source: Brown, Cai &
    DasGupta, Interval Estimation for a Binomial Proportion, equations 4 and 9."""
    _check_level(level)
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie between 0 and n = {n}, not {successes}")
    if method not in ("wilson", "clopper-pearson"):
        raise ValueError(f"unknown method {method!r}: choose wilson or clopper-pearson")
    if n == 0:
        return Estimate(np.nan, np.nan, np.nan, 0, level, method)
    low, high = wilson_bounds(successes / n, n, level) if method == "wilson" else _clopper_pearson(successes, n, level)
    return Estimate(successes / n, low, high, n, level, method)


def _bounded(
    mean: float,
    bounds: tuple[float, float],
    made_with: float,
    *,
    n: int,
    level: float,
    method: str,
    within: tuple[float, float],
) -> Estimate:
    further = _t_quantile(level, np.inf) ** 2 * made_with
    low = max(mean - math.sqrt(max(mean - bounds[0], 0.0) ** 2 + further), within[0])
    high = min(mean + math.sqrt(max(bounds[1] - mean, 0.0) ** 2 + further), within[1])
    return Estimate(mean, low, high, n, level, f"{method}, {BOUNDED}")


def _of_two_values(
    y: Floats, w: Floats, group: Codes, mean: float, *, level: float, within: tuple[float, float]
) -> Estimate:
    low, high = within
    hits = np.asarray(y == high, dtype=np.float64)
    independent = int(group.max()) + 1
    effective_n = (
        rate_effective_n(hits, w, group, level=level) if independent < y.size else weighted_effective_n(hits, w)
    )
    rate = rate_interval((mean - low) / (high - low), effective_n, n=y.size, level=level, method="")
    name = f"two values, Wilson at effective n = {effective_n:.1f}"
    ends = [low + (high - low) * end for end in (rate.low, rate.high)]
    return Estimate(mean, min(ends[0], mean), max(ends[1], mean), y.size, level, name)


def _without_spread(
    mean: float, effective_n: float, *, n: int, level: float, within: tuple[float, float], method: str
) -> Estimate:
    low, high = within
    rate = rate_interval((mean - low) / (high - low), effective_n, n=n, level=level, method=method)
    ends = [low + (high - low) * end for end in (rate.low, rate.high)]
    return Estimate(mean, min(ends[0], mean), max(ends[1], mean), n, level, rate.method)


def _scored(
    values: ArrayLike, weights: ArrayLike | None, clusters: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """The values that are scored, their weights, and the cluster number of each, from 0."""
    y = np.asarray(values, dtype=np.float64)
    w = np.ones_like(y) if weights is None else np.asarray(weights, dtype=np.float64)
    if y.ndim != 1 or y.shape != w.shape:
        raise ValueError(
            f"values and weights must be one-dimensional and of the same length, not {y.shape} and {w.shape}"
        )
    names = np.arange(y.size) if clusters is None else np.asarray(clusters)
    if names.shape != y.shape:
        raise ValueError(f"clusters must name the cluster of each of the {y.size} values")
    kept = ~np.isnan(y)
    # In the order of values: sums then round alike, for any order of the rows.
    rising = np.argsort(y[kept], kind="stable") if weights is None else np.lexsort((w[kept], y[kept]))
    order = np.flatnonzero(kept)[rising]
    y, w = y[order], w[order]
    group = np.arange(y.size) if clusters is None else np.unique(names[order], return_inverse=True)[1]
    if not np.isfinite(y).all():
        raise ValueError("values must be finite; use NaN for unscored samples")
    if not (np.isfinite(w).all() and (w > 0).all()):
        raise ValueError("weights must be positive and finite")
    return y, w, np.asarray(group, dtype=np.intp)


def _clopper_pearson(successes: int, n: int, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return low, high


def _t_quantile(level: float, degrees: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + level / 2))


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
