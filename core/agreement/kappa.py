"""Cohen's κ of two annotators, plain or weighted by how far apart their levels are."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.agreement.bootstrap import LEAST_ITEMS, REPLICATES, bootstrap_by_item, perfect_bound
from core.errors import HcatError
from core.types import Estimate

Floats = NDArray[np.float64]
Weighting = Literal["none", "linear", "quadratic"]


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    rng: np.random.Generator,
    weighting: Weighting = "none",
    n_levels: int | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
) -> Estimate:
    """κ = 1 − observed / expected disagreement of two annotators over n items, with a bootstrap interval by item.

    `first` and `second` (n,) are levels 0, 1, …; an item with NaN in either is left out. Disagreement is 1 for
    different levels, or their distance ("linear") or its square ("quadratic"). NaN where no item is left, or both
    always gave one and the same level, since then chance explains everything. Complete agreement has the bound of
    `perfect_bound`: resampling it shows no spread. Bounds are NaN below 5 items.
    Source: Cohen 1960; Cohen 1968, equation 5.
    """
    table = confusion(first, second, n_levels=n_levels)
    distance = level_distances(len(table), weighting)
    name = "Cohen's κ" if weighting == "none" else f"Cohen's κ, {weighting} weights"
    n = int(table.sum())
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, level, name)

    def statistic(counts: Floats) -> Floats:
        return kappas(counts.reshape(-1, *table.shape), distance)

    if n >= LEAST_ITEMS and float(np.sum(table * distance)) == 0:
        expected = float(table.sum(axis=1) @ distance @ table.sum(axis=0)) / n**2
        if expected > 0:
            low = perfect_bound(expected, n, largest=float(distance.max()), level=level)
            return Estimate(1.0, low, 1.0, n, level, f"{name}, exact bound of complete agreement")
    return bootstrap_by_item(statistic, table.ravel(), level=level, replicates=replicates, rng=rng, name=name)


def confusion(first: ArrayLike, second: ArrayLike, *, n_levels: int | None = None) -> Floats:
    """How often each pair of levels was given, shape (levels, levels). HcatError on what are no levels."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise HcatError(f"two annotators need one level each for the same items, not {a.shape} and {b.shape}")
    both = ~(np.isnan(a) | np.isnan(b))
    a, b = a[both], b[both]
    given = np.concatenate([a, b])
    if (given != np.round(given)).any() or (given < 0).any():
        raise HcatError("levels are whole numbers from 0")
    size = int(given.max(initial=0)) + 1 if n_levels is None else n_levels
    if given.size and given.max() >= size:
        raise HcatError(f"level {int(given.max())} is none of {size}")
    counts = np.bincount((a * size + b).astype(np.intp), minlength=size * size)
    return counts.reshape(size, size).astype(np.float64)


def level_distances(size: int, weighting: Weighting) -> Floats:
    """How far each pair of levels counts as apart, shape (size, size)."""
    if weighting not in get_args(Weighting):
        raise HcatError(f"no weighting {weighting!r}: choose one of {', '.join(get_args(Weighting))}")
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    powers: dict[Weighting, Floats] = {"none": np.sign(apart), "linear": apart, "quadratic": apart**2}
    return powers[weighting]


def kappas(tables: Floats, distance: Floats) -> Floats:
    """κ of each table, (replicates, levels, levels); NaN where chance explains everything."""
    n = tables.sum(axis=(1, 2))
    observed = np.einsum("rij,ij->r", tables, distance) * n
    expected = np.einsum("ri,ij,rj->r", tables.sum(axis=2), distance, tables.sum(axis=1))
    ratio: Floats = np.divide(observed, expected, out=np.full(len(tables), np.nan), where=expected > 0)
    return 1 - ratio
