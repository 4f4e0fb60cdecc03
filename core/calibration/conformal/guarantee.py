"""What a conformal threshold promises, in numbers: the least probability of coverage, and how far one draw strays."""

from __future__ import annotations

import math

from core.calibration.conformal.threshold import Threshold, conformal_rank


def coverage_range(threshold: Threshold, *, level: float = 0.95) -> tuple[float, float]:
    """Between which shares of new samples this one threshold covers, with probability `level` over draws of labels.

    Given the n labels, the coverage of an unweighted threshold follows Beta(k, n + 1 − k) with k = ⌈(n + 1)(1 − α)⌉,
    where nonconformity has no ties; with ties it is stochastically larger. (NaN, NaN) where n is too small for α.
    Of labels that are trials of m < n test cases, n and k are counted in test cases, m and ⌈k · m / n⌉: exact where all
    trials of a test case are alike, the least that labels can say, and wider than needed where they are not.
    Source: Vovk 2012, Conditional validity of inductive conformal predictors, proposition 2a.
    """
    from scipy.special import betaincinv

    rank = conformal_rank(threshold.n, threshold.alpha)
    if rank > threshold.n:
        return math.nan, math.nan
    tail = (1 - level) / 2
    cases = threshold.n if threshold.test_cases is None else threshold.test_cases
    first = -(-rank * cases // threshold.n)
    second = cases + 1 - first
    return float(betaincinv(first, second, tail)), float(betaincinv(first, second, 1 - tail))


def least_coverage(threshold: Threshold) -> float:
    """The least probability that a new sample is covered; of trials, with m test cases in place of n labels behind it.

    Of trials this is 1 − α′ of the hierarchical conformal threshold that equals q̂, where test cases have equally many.
    Source: Lee, Barber & Willett 2023, Distribution-free inference with hierarchical data (HCP).
    """
    if threshold.test_cases is None:
        return 1 - threshold.alpha
    return (1 - threshold.alpha) * (1 + 1 / threshold.n) / (1 + 1 / threshold.test_cases)
