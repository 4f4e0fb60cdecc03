"""Bootstrap intervals of an agreement, drawn by item, or by test case where items are trials of one."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Floats, Ints
from core.statistics.clusters import case_codes, effective_cases
from core.types import Estimate

Statistic = Callable[[Floats], Floats]
"""From counts of each kind of item, (replicates, kinds), to one value a replicate; NaN where undefined."""

REPLICATES = 2000
LEAST_ITEMS = 5
_CHUNK = 250


def bootstrap_by_item(
    statistic: Statistic,
    kind_of: Ints,
    kinds: int,
    *,
    level: float,
    replicates: int,
    rng: np.random.Generator,
    name: str,
    test_cases: ArrayLike | None = None,
) -> Estimate:
    """A bias-corrected and accelerated interval of a statistic of items, `kind_of` (n,) telling which of the kinds.

    Items of one kind are alike, so that a bootstrap sample is one multinomial draw, and the jackknife leaves out one
    item of each kind. `test_cases` (n,) name what is independent where items are trials: whole test cases are then
    drawn and left out, those with the same items being alike. Replicates where the statistic is undefined are left
    out; fewer than 5 items or test cases, or no spread among replicates, leave NaN bounds: see `complete_agreement`
    for items that all agree.
    Source: Efron & Tibshirani 1993, An Introduction to the Bootstrap, section 14.3; Davison & Hinkley 1997, Bootstrap
    Methods, section 3.8, on whole test cases.
    """
    units, times = _units(kind_of, kinds, test_cases)
    value = float(statistic((times @ units)[None, :])[0])
    drawn_by = "item" if case_codes(test_cases) is None else "test case"
    method = f"{name}, bootstrap by {drawn_by} (BCa, {replicates} replicates)"
    nothing = Estimate(value, math.nan, math.nan, len(kind_of), level, method)
    if times.sum() < LEAST_ITEMS or math.isnan(value):
        return nothing
    # A copy is drawn from: the same items have the same interval, whatever was drawn for others before.
    drawn = _replicates(statistic, units, times, replicates, deepcopy(rng))
    drawn = np.sort(drawn[~np.isnan(drawn)])
    if drawn.size < replicates / 2 or drawn[0] == drawn[-1]:
        return nothing
    low, high = _bca(drawn, value, _acceleration(statistic, units, times), level)
    return Estimate(value, min(low, value), max(high, value), len(kind_of), level, method)


def complete_agreement(
    expected_disagreement: float,
    n: int,
    *,
    largest: float,
    level: float,
    name: str,
    test_cases: ArrayLike | None = None,
) -> Estimate:
    """1 − observed / expected disagreement where n items all agree, which resampling shows no spread of.

    The share of items that disagree lies below 1 − (α/2)^(1/n) (Clopper and Pearson); each disagrees by `largest` at
    most. Where items are trials, n is Kish's effective number of test cases.
    """
    codes = case_codes(test_cases)
    independent = n if codes is None else effective_cases(np.ones(n), codes)
    share = -math.expm1(math.log((1 - level) / 2) / independent)
    low = max(-1.0, 1 - share * largest / expected_disagreement)
    method = f"{name}, exact bound of complete agreement{'' if codes is None else ' by test case'}"
    return Estimate(1.0, low, 1.0, n, level, method)


def _units(kind_of: Ints, kinds: int, test_cases: ArrayLike | None) -> tuple[Floats, Floats]:
    """What is drawn: the items of each kind in units that differ, (units, kinds), and how often each occurs."""
    codes = case_codes(test_cases)
    if codes is None:
        return np.eye(kinds), np.bincount(kind_of, minlength=kinds).astype(np.float64)
    counts = np.zeros((int(codes.max()) + 1, kinds))
    np.add.at(counts, (codes, kind_of), 1)
    units, times = np.unique(counts, axis=0, return_counts=True)
    return units, times.astype(np.float64)


def _replicates(
    statistic: Statistic, units: Floats, times: Floats, replicates: int, rng: np.random.Generator
) -> Floats:
    n, shares = int(times.sum()), times / times.sum()
    # In chunks: replicates times kinds times levels squared would not fit in memory for many raters.
    sizes = [min(_CHUNK, replicates - start) for start in range(0, replicates, _CHUNK)]
    drawn = [statistic(rng.multinomial(n, shares / shares.sum(), size=size) @ units) for size in sizes]
    return np.concatenate(drawn)


def _acceleration(statistic: Statistic, units: Floats, times: Floats) -> float:
    present = times > 0
    values, times = statistic(times @ units - units[present]), times[present]
    known = ~np.isnan(values)
    if not known.any():
        return 0.0
    spread = np.average(values[known], weights=times[known]) - values[known]
    scale = float(times[known] @ spread**2)
    return 0.0 if scale == 0 else float(times[known] @ spread**3) / (6 * scale**1.5)


def _bca(drawn: Floats, value: float, acceleration: float, level: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    # Ties count half: with few levels many replicates equal the value.
    below = (np.sum(drawn < value) + np.sum(drawn <= value)) / (2 * drawn.size)
    bias = float(ndtri(min(max(below, 1 / drawn.size), 1 - 1 / drawn.size)))
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + float(ndtri(tail))
        ends.append(float(ndtr(bias + z / (1 - acceleration * z))))
    low, high = np.quantile(drawn, ends)
    return float(low), float(high)
