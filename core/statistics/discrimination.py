"""AUC, with its interval: how well a score separates samples that pass from those that fail."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.statistics.clusters import case_codes, clustered_variance, effective_cases, few_cases
from hcat.core.statistics.effective_n import t_quantile
from hcat.core.types import Estimate

_HALVINGS = 60
_NO_SPREAD = 1e-15


def auc(score: ArrayLike, passed: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """The probability that a passed sample scores above a failed one, ties counting half, in [0, 1].

    The area under the ROC curve, or Mann–Whitney's U divided by the number of pairs; with weights, of pairs of the
    population. NaN if all passed or all failed. Integer ranks give the same result faster."""
    s, y = np.asarray(score), np.asarray(passed, dtype=bool)
    level = _levels(s)
    passes, fails = _weight_by_level(level, y, weights), _weight_by_level(level, ~y, weights)
    if passes.sum() == 0 or fails.sum() == 0:
        return math.nan
    size = max(len(passes), len(fails))
    passes, fails = np.pad(passes, (0, size - len(passes))), np.pad(fails, (0, size - len(fails)))
    below = np.cumsum(fails) - fails / 2
    # Sums of weights may round to an area slightly above 1.
    return min(float(np.sum(passes * below) / (passes.sum() * fails.sum())), 1.0)


def auc_estimate(
    score: ArrayLike,
    passed: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> Estimate:
    """AUC with the score interval of Newcombe (2006, method 5), whose width is above 0 even for perfect separation.

    The variance is Hanley and McNeil's (1982), evaluated at the bound itself instead of at the estimate, as Wilson does
    for proportions. With weights, effective numbers of passes and fails are used, and the method says so: Kish's, or
    fewer if DeLong's variance is larger. `clusters` (n,) name the cluster of each sample. If a cluster has several
    samples, both numbers are divided by the design effect and reduced for Student's t. The design effect is DeLong's
    variance with influences summed by cluster, over that of independent samples. Source: DeLong et al. 1988; Obuchowski
    1997, Nonparametric analysis of clustered ROC curve data."""
    y = np.asarray(passed, dtype=bool)
    value = auc(score, y, weights=weights)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    if math.isnan(value):
        return Estimate(math.nan, math.nan, math.nan, len(y), level, "AUC: needs passes and fails")
    passes, fails = float(y.sum()), float((~y).sum())
    if weights is not None:
        passes, fails = _weighted_n(np.asarray(score, dtype=np.float64), y, w)
    codes = case_codes(clusters)
    if codes is not None:
        passes, fails = _clustered_n(np.asarray(score, dtype=np.float64), y, w, codes, level)
    note = "" if weights is None and codes is None else f", effective n {passes + fails:.1f}"
    note += "" if codes is None else ", DeLong, clustered"
    low = _bound(value, 0.0, passes, fails, level)
    high = _bound(value, 1.0, passes, fails, level)
    return Estimate(value, low, high, len(y), level, f"AUC, Newcombe{note}")


def auc_difference(
    score: ArrayLike,
    other: ArrayLike,
    passed: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> Estimate:
    """The difference of the AUCs of two scores on the same samples, first less second, in [−1, 1]: DeLong's interval.

    Arguments as in `auc_estimate`. Influences are subtracted before they are squared, since both scores are of the same
    samples, and summed by test case if one has several samples. NaN if all labels are equal. Source: DeLong, DeLong &
    Clarke-Pearson 1988; Obuchowski 1997 for clusters."""
    y = np.asarray(passed, dtype=bool)
    value = auc(score, y, weights=weights) - auc(other, y, weights=weights)
    if math.isnan(value):
        return Estimate(math.nan, math.nan, math.nan, len(y), level, "AUC difference: needs passes and fails")
    influence = auc_influence(score, y, weights=weights) - auc_influence(other, y, weights=weights)
    codes = case_codes(clusters)
    codes = np.arange(len(y), dtype=np.intp) if codes is None else codes
    cases = int(codes.max()) + 1
    half = t_quantile(level, cases - 1) * math.sqrt(clustered_variance(influence, codes))
    return Estimate(value, max(value - half, -1.0), min(value + half, 1.0), len(y), level, "AUC difference, DeLong")


def effective_n(weights: ArrayLike) -> float:
    """Kish's effective sample size (Σw)² / Σw²: the number of equally weighted samples with the same precision."""
    w = np.asarray(weights, dtype=np.float64)
    return float(w.sum() ** 2 / np.sum(w**2)) if len(w) else 0.0


def auc_influence(score: ArrayLike, passed: ArrayLike, *, weights: ArrayLike | None = None) -> Floats:
    """The influence of each sample on the AUC, (n,), summing to 0 over passes and over fails: DeLong's components.

    For a pass the weighted share of fails below it (ties half), for a fail that of passes above it, each less the AUC
    and times its share of the weight of its side. At least one pass and one fail are needed."""
    s, y = np.asarray(score, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = np.ones(len(s)) if weights is None else np.asarray(weights, dtype=np.float64)
    _, at = np.unique(s, return_inverse=True)
    portion = np.where(y, w / w[y].sum(), w / w[~y].sum())
    passes = np.bincount(at, weights=np.where(y, portion, 0.0))
    fails = np.bincount(at, weights=np.where(y, 0.0, portion))
    fails_below, passes_above = np.cumsum(fails) - fails / 2, 1 - np.cumsum(passes) + passes / 2
    value = float(passes @ fails_below)
    return np.asarray(portion * (np.where(y, fails_below[at], passes_above[at]) - value), dtype=np.float64)


def _levels(score: NDArray[np.generic]) -> Ints:
    """The position of each value (n,) among the distinct ones in increasing order; integer ranks are counted, others
    sorted."""
    if score.dtype.kind != "i" or not len(score):
        return np.unique(np.asarray(score, dtype=np.float64), return_inverse=True)[1]
    rank = score.astype(np.intp) - int(score.min())
    return (np.cumsum(np.bincount(rank) > 0) - 1)[rank]


def _weight_by_level(level: Ints, side: Bools, weights: ArrayLike | None) -> Floats:
    """The total weight of the samples on this side at each level; their number if all weights are equal."""
    w = None if weights is None else np.asarray(weights, dtype=np.float64)[side]
    return np.bincount(level[side], weights=w, minlength=1).astype(np.float64)


def _weighted_n(s: Floats, y: Bools, w: Floats) -> tuple[float, float]:
    """Equally weighted numbers of passes and fails that would give the AUC the same precision."""
    passes, fails = effective_n(w[y]), effective_n(w[~y])
    if float(w.min()) == float(w.max()):
        return passes, fails
    influence = auc_influence(s, y, weights=w)
    plain = _variance(auc(s, y, weights=w), passes, fails)
    effect = max(1.0, float(influence @ influence) / plain) if plain > _NO_SPREAD else 1.0
    return passes / effect, fails / effect


def _clustered_n(s: Floats, y: Bools, w: Floats, codes: Codes, level: float) -> tuple[float, float]:
    """Numbers of independent passes and fails that would give the AUC the same precision as these clusters."""
    influence = auc_influence(s, y, weights=w)
    alone = float(influence @ influence)
    shrunk = few_cases(codes, level=level)
    if alone <= _NO_SPREAD:
        # Perfect separation shows no spread: each cluster counts once on each side that it has trials on.
        return effective_cases(w[y], codes[y]) * shrunk, effective_cases(w[~y], codes[~y]) * shrunk
    effect = max(1.0, clustered_variance(influence, codes) / alone)
    passes, fails = _weighted_n(s, y, w)
    return passes / effect * shrunk, fails / effect * shrunk


def _bound(value: float, end: float, passes: float, fails: float, level: float) -> float:
    """The θ between the estimate and the end of the range with |θ − AUC| = z · √V(θ), by bisection."""
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
