"""Variance between and within test cases, with an interval of the share between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.errors import HcatError
from hcat.core.statistics.beta_binomial import share_interval
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class OneWaySplit:
    """Variance between test cases and between trials of one, and the share of the former (intraclass correlation).

    `between` is below 0 if trials differ more than test cases, and counts as 0 in `share`. The interval of `share` is
    `beta_binomial.share_interval` for outcomes 0 and 1, and else Searle's F interval, exact for equal numbers of trials
    and normal outcomes. Its n counts test cases."""

    between: float
    within: float
    share: Estimate


def one_way_split(outcomes: ArrayLike, test_cases: Sequence[str], *, level: float = 0.95) -> OneWaySplit:
    """One-way random effects by the ANOVA estimators: outcomes (T,), any finite numbers, NaN if unscored.

    within = mean square within; between = (mean square between − within) / m₀, m₀ = (T − Σm²/T) / (n − 1). Both are NaN
    without two test cases, or without two trials of any. Source: Searle, Casella & McCulloch 1992, Variance Components,
    sections 3.5 and 3.6."""
    y, names = np.asarray(outcomes, dtype=np.float64), np.asarray(test_cases, dtype=np.str_)
    if y.shape != names.shape or np.isinf(y).any():
        raise HcatError("every trial needs a finite outcome, or NaN, and the name of its test case")
    scored = ~np.isnan(y)
    cases, row = np.unique(names[scored], return_inverse=True)
    y = y[scored]
    m = np.bincount(row, minlength=len(cases)).astype(np.float64)
    n, total = len(cases), len(y)
    if n < 2 or total <= n:
        nothing = Estimate(math.nan, math.nan, math.nan, n, level, "ANOVA")
        return OneWaySplit(math.nan, math.nan, nothing)
    means = np.bincount(row, weights=y, minlength=n) / m
    within = float(np.sum((y - means[row]) ** 2)) / (total - n)
    between_square = float(m @ (means - y.mean()) ** 2) / (n - 1)
    m0 = (total - float(m @ m) / total) / (n - 1)
    between = (between_square - within) / m0
    if ((y == 0) | (y == 1)).all():
        share = _share_of_passes(
            max(0.0, between), within, np.bincount(row, weights=y, minlength=n).astype(np.float64), m, level
        )
    else:
        share = _share(max(0.0, between), within, between_square, m0, n=n, total=total, level=level)
    return OneWaySplit(between, within, share)


def _share_of_passes(between: float, within: float, passes: Floats, trials: Floats, level: float) -> Estimate:
    n, method = len(trials), "ANOVA, beta-binomial likelihood interval"
    if between + within == 0:
        return Estimate(math.nan, math.nan, math.nan, n, level, "ANOVA: no variance at all")
    value = between / (between + within)
    low, high = share_interval(passes, trials, level=level)
    return Estimate(value, min(low, value), max(high, value), n, level, method)


def _share(
    between: float, within: float, between_square: float, m0: float, *, n: int, total: int, level: float
) -> Estimate:
    from scipy.special import fdtri

    if between + within == 0:
        return Estimate(math.nan, math.nan, math.nan, n, level, "ANOVA: no variance at all")
    value = between / (between + within)
    if within == 0:
        return Estimate(value, math.nan, math.nan, n, level, "ANOVA: no variance between trials")
    ratio = between_square / within
    ends = []
    for tail in ((1 + level) / 2, (1 - level) / 2):
        scaled = ratio / float(fdtri(n - 1, total - n, tail))
        ends.append(min(1.0, max(0.0, (scaled - 1) / (scaled + m0 - 1))))
    return Estimate(value, ends[0], ends[1], n, level, "ANOVA, Searle's F interval")
