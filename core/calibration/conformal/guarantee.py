"""What a conformal threshold promises, in numbers: the least probability of coverage, and how far one draw strays."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.calibration.conformal.threshold import Threshold, conformal_rank


def coverage_range(threshold: Threshold, *, level: float = 0.95) -> tuple[float, float]:
    """Between which shares of new samples this one threshold covers, with probability `level` over draws of labels.

    Given the n labels, the coverage of an unweighted threshold follows Beta(k, n + 1 − k) with k = ⌈(n + 1)(1 − α)⌉,
    where nonconformity has no ties; with ties it is stochastically larger. (NaN, NaN) where n is too small for α.
    Of labels of m < n clusters, n and k are counted in clusters, m and ⌈k · m / n⌉: exact where all
    samples of a cluster are alike, the least that labels can say, and wider than needed where they are not.
    Source: Vovk 2012, Conditional validity of inductive conformal predictors, proposition 2a.
    """
    from scipy.special import betaincinv

    shape = coverage_shape(threshold)
    if shape is None:
        return math.nan, math.nan
    tail = (1 - level) / 2
    return float(betaincinv(*shape, tail)), float(betaincinv(*shape, 1 - tail))


def coverage_shape(threshold: Threshold) -> tuple[float, float] | None:
    """The parameters of the Beta distribution of the coverage (see `coverage_range`); None where every set holds all.

    Of labels drawn unequally it has the mean 1 − α and the spread of as many equal labels as their effective n.
    """
    if not threshold.enough:
        return None
    if threshold.effective_n is not None:
        spread = threshold.effective_n + 1
        return (1 - threshold.alpha) * spread, threshold.alpha * spread
    rank = conformal_rank(threshold.n, threshold.alpha)
    cases = threshold.n if threshold.test_cases is None else threshold.test_cases
    first = -(-rank * cases // threshold.n)
    return first, cases + 1 - first


def mixed_coverage_shape(thresholds: Sequence[Threshold], shares: Sequence[float]) -> tuple[float, float] | None:
    """The Beta distribution with the mean and the variance of the coverage over all samples, where `shares` of them,
    which sum to 1, have these thresholds; None where every set of all of them holds all."""
    mean, variance = 0.0, 0.0
    for threshold, share in zip(thresholds, shares, strict=True):
        a, b = coverage_shape(threshold) or (1.0, 0.0)
        mean += share * a / (a + b)
        variance += share**2 * a * b / ((a + b) ** 2 * (a + b + 1))
    if variance == 0:
        return None
    spread = mean * (1 - mean) / variance - 1
    return mean * spread, (1 - mean) * spread


def least_coverage(threshold: Threshold) -> float:
    """The least probability that a new sample is covered; of clusters, with m of them in place of n labels behind it.

    Of clusters this is 1 − α′ of the hierarchical conformal threshold that equals q̂, where they are equally large.
    Source: Lee, Barber & Willett 2023, Distribution-free inference with hierarchical data (HCP).
    """
    if threshold.test_cases is None:
        return 1 - threshold.alpha
    return (1 - threshold.alpha) * (1 + 1 / threshold.n) / (1 + 1 / threshold.test_cases)
