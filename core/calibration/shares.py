"""Shares of labelled samples, as shares of the population where samples were drawn with unequal probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from core.calibration.discrimination import effective_n
from core.estimates.intervals import ProportionMethod, proportion_interval
from core.types import Estimate


def share(
    hits: ArrayLike, *, weights: ArrayLike | None = None, level: float = 0.95, method: ProportionMethod = "wilson"
) -> Estimate:
    """The share of hits and its interval; NaN for n = 0.

    With weights the interval is Clopper and Pearson's at the effective n (Korn & Graubard 1998); the method says so.
    """
    h = np.asarray(hits, dtype=bool)
    if weights is None or len(h) == 0:
        return proportion_interval(int(h.sum()), len(h), level=level, method=method)
    w = np.asarray(weights, dtype=np.float64)
    value, n = float(np.average(h, weights=w)), effective_n(w)
    low, high = _clopper_pearson(value * n, n, level)
    return Estimate(value, low, high, len(h), level, f"clopper-pearson at effective n = {n:.1f}")


def _clopper_pearson(hits: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail, misses = (1 - level) / 2, max(n - hits, 0.0)
    low = 0.0 if hits <= 0 else float(betaincinv(hits, misses + 1, tail))
    high = 1.0 if misses <= 0 else float(betaincinv(hits + 1, misses, 1 - tail))
    return low, high
