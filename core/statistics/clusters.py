"""Labels of clusters: samples of one, such as trials of a test case, agree more than unrelated ones and tell less."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Codes, Floats
from hcat.core.statistics.effective_n import kish_n, t_quantile

_NO_SPREAD = 1e-15


def case_codes(test_cases: ArrayLike | None) -> Codes | None:
    """The number of each sample's cluster (n,), from 0; None where no cluster has two samples."""
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
    """The variance of a mean whose samples move it by `influence` (n,), which sums to 0: by sums over clusters.

    With the small-sample factor G / (G − 1); 0 for a single cluster. Source: Liang & Zeger 1986.
    """
    sums = np.bincount(codes, weights=influence)
    cases = count_clusters(codes)
    return cases / (cases - 1) * float(sums @ sums) if cases > 1 else 0.0


def count_clusters(codes: Codes) -> int:
    """How many clusters these samples (n,) come from."""
    return int(np.count_nonzero(np.bincount(codes)))


def weighted_effective_n(hits: Floats, weights: Floats) -> float:
    """How many simple random samples would give a share as precisely as these, drawn with unequal probabilities.

    Their variance over that of the weighted share, no more than Kish's n: where heavy labels are the ones that differ,
    the weights alone do not tell. Source: Korn & Graubard 1998.
    """
    portion = weights / weights.sum()
    value = float(portion @ hits)
    influence = portion * (hits - value)
    variance = float(influence @ influence)
    if variance <= _NO_SPREAD or not 0 < value < 1:
        return kish_n(weights)
    return min(value * (1 - value) / variance, kish_n(weights))


def rate_effective_n(hits: Floats, weights: Floats, codes: Codes, *, level: float, of_the_rarer: bool = False) -> float:
    """How many simple random samples would give a share as precisely as these, of so few clusters.

    The variance of independent labels over the clustered one, no more than Kish's n, and reduced for Student's t with
    one degree fewer than clusters. Labels without any spread count as one a cluster.
    `of_the_rarer` is for rates near 0 or 1, whose variance is known from the clusters with a hit alone, or from those
    with a miss where these are fewer: there are no more degrees of freedom than those. The result is then no less than
    Kish's number of clusters, which labels that always agree within one would give.
    """
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
    """The share of an effective n that is left where errors are known from few clusters, or by `weights` (n,) from
    clusters that weigh unlike: (z / t)², with at most so many degrees of freedom."""
    cases = count_clusters(codes) if weights is None else equal_clusters(_of_cases(weights, codes))
    degrees = min(max(cases - 1, 1), most)
    return (t_quantile(level, np.inf) / t_quantile(level, degrees)) ** 2


def equal_clusters(weights: Floats) -> float:
    """So many clusters of one weight have a variance that is known as surely as that of clusters of these (n,).

    Satterthwaite's number where what a cluster adds is as large as its weight: for labels that are each for themselves,
    and for clusters whose labels agree. Kish's, which supposes less of a large cluster, is too sure (decision 0087).
    """
    return kish_n(weights**2)


def as_seen(precise: float, independent: float, *, rate: float, n: float) -> float:
    """How many simple random labels tell a rate as surely as n of which the spread says `precise`, and weights and
    clusters alone say `independent`.

    Where few of them fail, or few pass, the spread says little. So the variance is a mean of two, by the share of it
    that labels show themselves if half a pass and half a fail are added. Source: decision 0087.
    """
    unseen = (n * rate + 0.5) / (n + 1)
    seen = n * rate * (1 - rate) / ((n + 1) * unseen * (1 - unseen))
    return 1 / (seen / precise + (1 - seen) / independent)


def effective_cases(weights: Floats, codes: Codes) -> float:
    """Kish's effective number of clusters by the weight of their samples."""
    return kish_n(_of_cases(weights, codes))


def _of_cases(weights: Floats, codes: Codes) -> Floats:
    sums = np.bincount(codes, weights=weights)
    return np.asarray(sums[sums > 0], dtype=np.float64)
