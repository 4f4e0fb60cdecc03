"""How well a score tells samples that people pass from those that they fail: AUC with its interval."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.types import Estimate

Floats = NDArray[np.float64]

_HALVINGS = 60


def auc(score: ArrayLike, passed: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """The probability that a passed sample scores above a failed one, ties counting half, in [0, 1].

    The area under the ROC curve, or Mann–Whitney's U divided by the number of pairs; with weights, of pairs of the
    population. NaN where everything passed or everything failed.
    """
    s, y = np.asarray(score, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = np.ones(len(s)) if weights is None else np.asarray(weights, dtype=np.float64)
    _, level = np.unique(s, return_inverse=True)
    passes = np.bincount(level[y], weights=w[y], minlength=1)
    fails = np.bincount(level[~y], weights=w[~y], minlength=1)
    if passes.sum() == 0 or fails.sum() == 0:
        return math.nan
    size = max(len(passes), len(fails))
    passes, fails = np.pad(passes, (0, size - len(passes))), np.pad(fails, (0, size - len(fails)))
    below = np.cumsum(fails) - fails / 2
    return float(np.sum(passes * below) / (passes.sum() * fails.sum()))


def auc_estimate(
    score: ArrayLike, passed: ArrayLike, *, weights: ArrayLike | None = None, level: float = 0.95
) -> Estimate:
    """AUC with the score interval of Newcombe (2006, method 5), which keeps a width where separation is perfect.

    The variance is Hanley and McNeil's (1982), taken at the bound itself instead of at the estimate, as Wilson does for
    proportions. With weights, effective numbers of passes and fails stand in, and the method says so.
    """
    y = np.asarray(passed, dtype=bool)
    value = auc(score, y, weights=weights)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    if math.isnan(value):
        return Estimate(math.nan, math.nan, math.nan, len(y), level, "AUC: needs passes and fails")
    passes, fails = effective_n(w[y]), effective_n(w[~y])
    note = "" if weights is None else f", effective n {passes + fails:.1f}"
    low = _bound(value, 0.0, passes, fails, level)
    high = _bound(value, 1.0, passes, fails, level)
    return Estimate(value, low, high, len(y), level, f"AUC, Newcombe{note}")


def effective_n(weights: ArrayLike) -> float:
    """Kish's effective sample size (Σw)² / Σw²: as many equally weighted samples would tell as much."""
    w = np.asarray(weights, dtype=np.float64)
    return float(w.sum() ** 2 / np.sum(w**2)) if len(w) else 0.0


def _bound(value: float, end: float, passes: float, fails: float, level: float) -> float:
    """Where |θ − AUC| = z · √V(θ) between the estimate and the end of the range, by bisection."""
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2))
    inside, outside = value, end
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if abs(middle - value) <= z * math.sqrt(_variance(middle, passes, fails)):
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2


def _variance(theta: float, passes: float, fails: float) -> float:
    spread = max((passes + fails) / 2 - 1, 0.0)
    return theta * (1 - theta) * (1 + spread * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / (passes * fails)
