"""Cohen's κ of two annotators, unweighted or weighted by the distance between levels."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats, Ints
from hcat.core.capabilities.agreement.kinds import PRIOR_ITEMS
from hcat.core.errors import HcatError
from hcat.core.statistics.bootstrap import LEAST_ITEMS, REPLICATES, bootstrap_by_item, complete_agreement
from hcat.core.types import Estimate

Weighting = Literal["none", "linear", "quadratic"]


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    rng: np.random.Generator,
    weighting: Weighting = "none",
    n_levels: int | None = None,
    test_cases: ArrayLike | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
) -> Estimate:
    """κ = 1 − observed / expected disagreement of two annotators over n items, with an interval by item.

    `first` and `second` (n,) are levels 0, 1, …; an item with NaN in either is left out. Disagreement is 1 for
    different levels, or their distance ("linear") or its square ("quadratic"). NaN if no item is left, or if both
    always gave the same single level, since then chance explains everything. Complete agreement has the bound of
    `complete_agreement`, any other the interval of `bootstrap_by_item`. Bounds are NaN below 5 items. If items are
    trials, `test_cases` (n,) name that of each, and the interval is by test case. Source: Cohen 1960; Cohen 1968,
    equation 5."""
    cell_of, size = _cells(first, second, n_levels)
    known = cell_of >= 0
    cell_of, cases = cell_of[known], None if test_cases is None else np.asarray(test_cases)[known]
    swapped = cell_of % size * size + cell_of // size
    if _table(swapped, size).tolist() < _table(cell_of, size).tolist():
        cell_of = swapped  # κ is symmetric, and so is its interval: who is first decides no draw
    table = _table(cell_of, size)
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
            largest = float(distance.max())
            return complete_agreement(expected, n, largest=largest, level=level, name=name, test_cases=cases)
    unseen = np.full(size * size, PRIOR_ITEMS / size**2)
    return bootstrap_by_item(
        statistic, cell_of, unseen, level=level, replicates=replicates, rng=rng, name=name, test_cases=cases
    )


def confusion(first: ArrayLike, second: ArrayLike, *, n_levels: int | None = None) -> Floats:
    """The number of items with each pair of levels, shape (levels, levels). HcatError if they are not levels."""
    cell_of, size = _cells(first, second, n_levels)
    return _table(cell_of[cell_of >= 0], size)


def level_distances(size: int, weighting: Weighting) -> Floats:
    """The disagreement weight of each pair of levels, shape (size, size)."""
    if weighting not in get_args(Weighting):
        raise HcatError(f"no weighting {weighting!r}: choose one of {', '.join(get_args(Weighting))}")
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    powers: dict[Weighting, Floats] = {"none": np.sign(apart), "linear": apart, "quadratic": apart**2}
    return powers[weighting]


def kappas(tables: Floats, distance: Floats) -> Floats:
    """κ of each table, (replicates, levels, levels); NaN if chance explains everything."""
    n = tables.sum(axis=(1, 2))
    observed = np.einsum("rij,ij->r", tables, distance) * n
    expected = np.einsum("ri,ij,rj->r", tables.sum(axis=2), distance, tables.sum(axis=1))
    ratio: Floats = np.divide(observed, expected, out=np.full(len(tables), np.nan), where=expected > 0)
    return 1 - ratio


def _cells(first: ArrayLike, second: ArrayLike, n_levels: int | None) -> tuple[Ints, int]:
    """The cell of each item (n,) in the table of both annotators' levels, −1 if one is missing; the table's size."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise HcatError(f"two annotators need one level each for the same items, not {a.shape} and {b.shape}")
    both = ~(np.isnan(a) | np.isnan(b))
    given = np.concatenate([a[both], b[both]])
    if (given != np.round(given)).any() or (given < 0).any():
        raise HcatError("levels are whole numbers from 0")
    size = int(given.max(initial=0)) + 1 if n_levels is None else n_levels
    if given.size and given.max() >= size:
        raise HcatError(f"level {int(given.max())} is not one of {size}")
    return np.where(both, a * size + b, -1).astype(np.intp), size


def _table(cell_of: Ints, size: int) -> Floats:
    return np.bincount(cell_of, minlength=size * size).reshape(size, size).astype(np.float64)
