"""Bootstrap intervals of an agreement coefficient, drawn by item, or by cluster if items depend on one another."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats, Ints
from hcat.core.statistics.clusters import case_codes, effective_cases
from hcat.core.types import Estimate

Statistic = Callable[[Floats], Floats]
"""Maps counts of each kind of item, (replicates, kinds), to one value per replicate; NaN where undefined."""

REPLICATES = 2000
LEAST_ITEMS = 5
_CHUNK = 250


def bootstrap_by_item(
    statistic: Statistic,
    kind_of: Ints,
    unseen: Floats,
    *,
    level: float,
    replicates: int,
    rng: np.random.Generator,
    name: str,
    test_cases: ArrayLike | None = None,
) -> Estimate:
    """A Bayesian bootstrap interval of a statistic of items; `kind_of` (n,) is the kind of each item.

    Each replicate weights the items by a Dirichlet draw. `unseen` (kinds,) is the pseudo-count that is added for each
    kind: half an item in each cell of a two-by-two table is Jeffreys' prior. Without it, kinds that happened not to
    occur would count as impossible, such as failures that both annotators see where nearly all pass. `test_cases` (n,)
    name the clusters: whole clusters are then weighted, and a pseudo-count has their mean size. Fewer than 5 items or
    clusters give NaN bounds: see `complete_agreement` for items that all agree. Source: Rubin 1981, The Bayesian
    Bootstrap; Brown, Cai & DasGupta 2001, section 4.3, on Jeffreys' prior."""
    kinds = len(unseen)
    value = float(statistic(np.bincount(kind_of, minlength=kinds)[None, :].astype(np.float64))[0])
    units, times = _units(kind_of, kinds, test_cases)
    drawn_by = "item" if case_codes(test_cases) is None else "cluster"
    method = f"{name}, Bayesian bootstrap by {drawn_by} with Jeffreys' prior ({replicates} replicates)"
    nothing = Estimate(value, math.nan, math.nan, len(kind_of), level, method)
    if times.sum() < LEAST_ITEMS or math.isnan(value):
        return nothing
    size = len(kind_of) / times.sum()
    added = unseen > 0
    units, times = np.vstack([units, size * np.eye(kinds)[added]]), np.concatenate([times, unseen[added]])
    # Drawn from a copy: equal items have equal intervals, whatever was drawn for others before.
    drawn = _replicates(statistic, units, times, len(kind_of), replicates, deepcopy(rng))
    drawn = drawn[~np.isnan(drawn)]
    if drawn.size < replicates / 2:
        return nothing
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, min(float(low), value), max(float(high), value), len(kind_of), level, method)


def complete_agreement(
    expected_disagreement: float,
    n: int,
    *,
    largest: float,
    level: float,
    name: str,
    test_cases: ArrayLike | None = None,
) -> Estimate:
    """1 − observed / expected disagreement for n items that all agree, for which resampling shows no spread.

    The share of items that disagree is below 1 − (α/2)^(1/n) (Clopper and Pearson); each disagrees by at most
    `largest`. For clustered items, n is Kish's effective number of clusters."""
    codes = case_codes(test_cases)
    independent = n if codes is None else effective_cases(np.ones(n), codes)
    share = -math.expm1(math.log((1 - level) / 2) / independent)
    low = max(-1.0, 1 - share * largest / expected_disagreement)
    method = f"{name}, exact bound of complete agreement{'' if codes is None else ' by cluster'}"
    return Estimate(1.0, low, 1.0, n, level, method)


def _units(kind_of: Ints, kinds: int, test_cases: ArrayLike | None) -> tuple[Floats, Floats]:
    """The distinct resampling units: the items of each kind in each unit, (units, kinds), and how often each occurs."""
    codes = case_codes(test_cases)
    if codes is None:
        return np.eye(kinds), np.bincount(kind_of, minlength=kinds).astype(np.float64)
    counts = np.zeros((int(codes.max()) + 1, kinds))
    np.add.at(counts, (codes, kind_of), 1)
    units, times = np.unique(counts, axis=0, return_counts=True)
    return units, times.astype(np.float64)


def _replicates(
    statistic: Statistic, units: Floats, times: Floats, n: int, replicates: int, rng: np.random.Generator
) -> Floats:
    # In chunks: replicates times kinds times levels squared would not fit in memory for many raters.
    sizes = [min(_CHUNK, replicates - start) for start in range(0, replicates, _CHUNK)]
    return np.concatenate([statistic(_weighed(units, times, n, size, rng)) for size in sizes])


def _weighed(units: Floats, times: Floats, n: int, replicates: int, rng: np.random.Generator) -> Floats:
    """Weighted counts of each kind, (replicates, kinds), that sum to n items in each replicate."""
    counts = rng.standard_gamma(times, size=(replicates, len(times))) @ units
    scaled: Floats = n * counts / counts.sum(axis=1, keepdims=True)
    return scaled
