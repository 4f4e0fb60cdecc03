"""Intervals of rates whose samples carry more or less information than the same number of simple random ones."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.types import Estimate

MANY, FEW_OF_FEW, FEW_OF_MANY = 50, 2, 3
"""Up to `MANY` samples a count of at most `FEW_OF_FEW` is small, beyond that one of at most `FEW_OF_MANY`."""
ROUNDING = 1e-9
"""The largest difference of numbers that differ by rounding alone, which must not decide which bound is used."""


def kish_n(weights: ArrayLike) -> float:
    """Kish's effective sample size (Σw)² / Σw² of weights (n,), each > 0; 0 for none."""
    w = np.asarray(weights, dtype=np.float64)
    return float(w.sum() ** 2 / np.sum(w**2)) if w.size else 0.0


def rate_interval(value: float, effective_n: float, *, n: int, level: float = 0.95, method: str) -> Estimate:
    """A rate in [0, 1] with the bounds of `wilson_bounds` at a real effective n; NaN unless that is positive.

    `n` is the number of samples to report. An infinite effective n has the rate itself as both bounds. Source: Franco,
    Little, Louis & Slud 2019, Comparative Study of Confidence Intervals for Proportions in Complex Sample Surveys,
    section 2."""
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    if math.isnan(value) or not effective_n > 0:
        return Estimate(value, math.nan, math.nan, n, level, method)
    low, high = wilson_bounds(min(max(value, 0.0), 1.0), effective_n, level)
    # An estimate outside [0, 1] is possible if a correction overshoots: the nearest rate replaces it.
    return Estimate(min(max(value, 0.0), 1.0), low, high, n, level, method)


def interval_n(interval: Estimate) -> float:
    """The effective n for which this is Wilson's interval, as made by `rate_interval`; NaN without bounds."""
    from scipy.special import ndtri

    # Each end p solves (value − p)² = z² p (1 − p) / n; the end on the side of the rarer kind may be modified.
    value, end = interval.value, interval.high if interval.value < 0.5 else interval.low
    if math.isnan(end) or end == value:
        return math.nan
    return float(ndtri(0.5 + interval.level / 2)) ** 2 * end * (1 - end) / (value - end) ** 2


@lru_cache(maxsize=4096)  # many slices have the same n
def t_quantile(level: float, degrees: float) -> float:
    """The two-sided quantile of Student's t; infinite without a degree of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + level / 2)) if degrees > 0 else math.inf


def wilson_bounds(value: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's score bounds of a rate in [0, 1] at n > 0, modified if the rarer kind was seen at most three times.

    Wilson's bound on that side is then too narrow: the interval covers as little as 84 % at 95 %. Poisson's exact
    one-sided bound at `level` replaces it. At 0 or 1 the bound is the rate itself. Source: Brown, Cai & DasGupta 2001,
    Interval Estimation for a Binomial Proportion, section 4.1.1."""
    from scipy.special import ndtri

    z2 = float(ndtri(0.5 + level / 2)) ** 2
    centre = (value + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (value * (1 - value) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    # Rounding must not separate a rate of 0 or 1 from the end of the range.
    low = 0.0 if value == 0 else max(0.0, centre - half)
    high = 1.0 if value == 1 else min(1.0, centre + half)
    if 0 < value < 0.5 - ROUNDING:
        low = min(low, _least_rate(value * n, n, level))
    elif 0.5 + ROUNDING < value < 1:
        high = max(high, 1 - _least_rate((1 - value) * n, n, level))
    return low, high


def _least_rate(count: float, n: float, level: float) -> float:
    """Poisson's one-sided lower bound of a rate from a small count of n; 1 if the count is not small."""
    from scipy.special import gammaincinv

    few = FEW_OF_MANY if n > MANY * (1 + ROUNDING) else FEW_OF_FEW
    return float(gammaincinv(count, 1 - level)) / n if count <= few * (1 + ROUNDING) else 1.0
