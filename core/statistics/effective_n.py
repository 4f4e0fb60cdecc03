"""Intervals of rates whose samples carry more, or less, information than as many simple random ones."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from core.types import Estimate


def kish_n(weights: ArrayLike) -> float:
    """Kish's effective sample size (Σw)² / Σw² of weights (n,), each > 0; 0 for none."""
    w = np.asarray(weights, dtype=np.float64)
    return float(w.sum() ** 2 / np.sum(w**2)) if w.size else 0.0


def rate_interval(value: float, effective_n: float, *, n: int, level: float = 0.95, method: str) -> Estimate:
    """A rate in [0, 1] with Wilson's score interval at a real effective n; NaN bounds where that is not positive.

    `n` is the number of samples that is reported. Plain samples, whose effective n is n, get Wilson's interval itself.
    Source: Franco, Little, Louis & Slud 2019, Comparative Study of Confidence Intervals for Proportions in Complex
    Sample Surveys, section 2.
    """
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    if math.isnan(value) or not effective_n > 0:
        return Estimate(value, math.nan, math.nan, n, level, method)
    low, high = _wilson(min(max(value, 0.0), 1.0), effective_n, level)
    # An estimate outside [0, 1] is possible where a correction overshoots: the nearest rate stands for it.
    return Estimate(min(max(value, 0.0), 1.0), low, high, n, level, method)


def interval_n(interval: Estimate) -> float:
    """The effective n of which this is Wilson's interval, as `rate_interval` makes it; NaN where it has no bounds."""
    from scipy.special import ndtri

    value, low, high = interval.value, interval.low, interval.high
    # Each end p solves (value − p)² = z² p (1 − p) / n; at a rate of 0 or 1 only the other end tells.
    end = low if value - low > high - value else high
    if math.isnan(end) or end == value:
        return math.nan
    return float(ndtri(0.5 + interval.level / 2)) ** 2 * end * (1 - end) / (value - end) ** 2


@lru_cache(maxsize=4096)  # many slices have the same n
def t_quantile(level: float, degrees: float) -> float:
    """The two-sided quantile of Student's t; infinite without a degree of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + level / 2)) if degrees > 0 else math.inf


def _wilson(value: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    z2 = float(ndtri(0.5 + level / 2)) ** 2
    centre = (value + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (value * (1 - value) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    # Rounding must not part a rate of 0 or 1 from the end of the range.
    low = 0.0 if value == 0 else max(0.0, centre - half)
    high = 1.0 if value == 1 else min(1.0, centre + half)
    return low, high
