"""The guarantee of a conformal threshold in numbers: the least probability of coverage, and its variation over
draws."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.calibration.conformal.threshold import Threshold, conformal_rank


def coverage_range(threshold: Threshold, *, level: float = 0.95) -> tuple[float, float]:
    """The range of the share of new samples that this one threshold covers, with probability `level` over draws of
    labels.

    Given the n labels, the coverage of an unweighted threshold follows Beta(k, n + 1 − k) with k = ⌈(n + 1)(1 − α)⌉, if
    nonconformity has no ties; with ties it is stochastically larger. (NaN, NaN) if n is too small for α. For labels of
    m < n clusters, n and k are counted in clusters, m and ⌈k · m / n⌉: exact if all samples of a cluster are equal,
    which is the least informative case, and wider than needed otherwise. Source: Vovk 2012, Conditional validity of
    inductive conformal predictors, proposition 2a."""
    from scipy.special import betaincinv

    shape = coverage_shape(threshold)
    if shape is None:
        return math.nan, math.nan
    tail = (1 - level) / 2
    return float(betaincinv(*shape, tail)), float(betaincinv(*shape, 1 - tail))


def coverage_shape(threshold: Threshold) -> tuple[float, float] | None:
    """The parameters of the Beta distribution of the coverage (see `coverage_range`); None if every set is full.

    For labels drawn unequally it has the mean 1 − α and the variance for as many equal labels as their effective n."""
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
    """The Beta distribution with the mean and variance of the coverage over all samples; None if every set is full.

    `shares` of the samples, which sum to 1, have these thresholds."""
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
    """The least probability that a new sample is covered; for clusters, their number m replaces the number of labels n.

    For clusters this is 1 − α′ of the hierarchical conformal threshold that equals q̂, if they are equally large.
    Source: Lee, Barber & Willett 2023, Distribution-free inference with hierarchical data (HCP)."""
    if threshold.test_cases is None:
        return 1 - threshold.alpha
    return (1 - threshold.alpha) * (1 + 1 / threshold.n) / (1 + 1 / threshold.test_cases)
