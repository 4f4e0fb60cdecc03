"""Clusters of labels: samples of one cluster, such as trials of a test case, are correlated and carry less
information."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Codes, Floats
from hcat.core.statistics.effective_n import kish_n, t_quantile

_NO_SPREAD = 1e-15


def case_codes(test_cases: ArrayLike | None) -> Codes | None:
    """The cluster number of each sample (n,), from 0; None if no cluster has two samples."""
    if test_cases is None:
        return None
    given = np.asarray(test_cases)
    if given.dtype.kind in "OU":
        if len(set(given.tolist())) == len(given):
            return None
        given = given.astype(np.str_)  # which sort faster than objects
    names, codes = np.unique(given, return_inverse=True)
    return None if len(names) == len(codes) else np.asarray(codes, dtype=np.intp)


def clustered_variance(influence: Floats, codes: Codes) -> float:
    """The variance of a mean from the `influence` (n,) of each sample, which sums to 0, summed by cluster.

    With the small-sample factor G / (G − 1); 0 for a single cluster. Source: Liang & Zeger 1986."""
    sums = np.bincount(codes, weights=influence)
    cases = count_clusters(codes)
    return cases / (cases - 1) * float(sums @ sums) if cases > 1 else 0.0


def count_clusters(codes: Codes) -> int:
    """The number of clusters among these samples (n,)."""
    return int(np.count_nonzero(np.bincount(codes)))


def weighted_effective_n(hits: Floats, weights: Floats) -> float:
    """The effective number of simple random samples for a share of samples drawn with unequal probabilities.

    It is the binomial variance over that of the weighted share, but at most Kish's n: if labels with large weights
    differ, weights alone are not enough. Source: Korn & Graubard 1998."""
    portion = weights / weights.sum()
    value = float(portion @ hits)
    influence = portion * (hits - value)
    variance = float(influence @ influence)
    if variance <= _NO_SPREAD or not 0 < value < 1:
        return kish_n(weights)
    return min(value * (1 - value) / variance, kish_n(weights))


def rate_effective_n(hits: Floats, weights: Floats, codes: Codes, *, level: float, of_the_rarer: bool = False) -> float:
    """The effective number of simple random samples for a share of weighted samples in clusters.

    The variance of independent labels over the clustered one, at most Kish's n, and reduced for Student's t with one
    degree fewer than clusters. Labels without spread count as one per cluster. `of_the_rarer` is for rates near 0 or 1,
    whose variance depends on the clusters with a hit alone, or on those with a miss if these are fewer: the degrees of
    freedom are at most that number. The result is then at least Kish's number of clusters, which labels that always
    agree within a cluster would give."""
    portion = weights / weights.sum()
    value = float(portion @ hits)
    variance = clustered_variance(portion * (hits - value), codes)
    if variance <= _NO_SPREAD or not 0 < value < 1:
        return kish_n(_of_cases(portion, codes))
    cases = kish_n(_of_cases(portion, codes))
    precise = as_seen(min(value * (1 - value) / variance, kish_n(weights)), cases, rate=value, n=len(hits))
    if not of_the_rarer:
        return precise * few_cases(codes, level=level, weights=weights)
    rarer = min(count_clusters(codes[hits > 0]), count_clusters(codes[hits < 1]))
    return max(precise * few_cases(codes, level=level, weights=weights, most=rarer), cases)


def few_cases(codes: Codes, *, level: float, weights: Floats | None = None, most: float = np.inf) -> float:
    """The factor (z / t)² by which an effective n is reduced since its variance is estimated from few clusters.

    `weights` (n,) are those of the samples, for clusters of unequal weight; `most` is an upper bound for the degrees of
    freedom."""
    cases = count_clusters(codes) if weights is None else equal_clusters(_of_cases(weights, codes))
    degrees = min(max(cases - 1, 1), most)
    return (t_quantile(level, np.inf) / t_quantile(level, degrees)) ** 2


def equal_clusters(weights: Floats) -> float:
    """The number of equally weighted clusters that give as many degrees of freedom as clusters of these weights (n,).

    Satterthwaite's number if the contribution of a cluster is proportional to its weight: for independent labels, and
    for clusters whose labels agree. Kish's number assumes less of a large cluster and is too large (decision 0087)."""
    return kish_n(weights**2)


def as_seen(precise: float, independent: float, *, rate: float, n: float) -> float:
    """The effective number of simple random labels for a rate, a compromise between two estimates of it.

    `precise` is the effective n by the observed spread of n labels, `independent` that by weights and clusters alone.
    If few labels fail, or few pass, the observed spread is unreliable. So the variance is a mean of the two, weighted
    by the share of it that the labels show themselves once half a pass and half a fail are added. Source: decision
    0087."""
    unseen = (n * rate + 0.5) / (n + 1)
    seen = n * rate * (1 - rate) / ((n + 1) * unseen * (1 - unseen))
    return 1 / (seen / precise + (1 - seen) / independent)


def effective_cases(weights: Floats, codes: Codes) -> float:
    """Kish's effective number of clusters, from the total weights of their samples."""
    return kish_n(_of_cases(weights, codes))


def _of_cases(weights: Floats, codes: Codes) -> Floats:
    sums = np.bincount(codes, weights=weights)
    return np.asarray(sums[sums > 0], dtype=np.float64)
