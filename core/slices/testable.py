"""Dimensions with levels that can be tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.slices import MISSING

if TYPE_CHECKING:
    import pandas as pd


def testable_levels(
    dimensions: pd.DataFrame, values: pd.Series[float], *, minimum_n: int = 10, clusters: Codes | None = None
) -> dict[str, int]:
    """Number of levels of each dimension with values of `minimum_n` clusters in the level and in the rest.

    `values`, by sample id, are NaN where there is none; `clusters` number those of the rows of `dimensions`, by default
    each its own.
    """
    own = values if values.index.equals(dimensions.index) else values.reindex(dimensions.index)
    has_value = np.isfinite(np.array(own, dtype=np.float64))
    numbers = None if clusters is None else np.unique(clusters[has_value], return_inverse=True)[1]
    return {
        str(name): _testable(level_codes(dimensions[name])[0][has_value], numbers, minimum_n) for name in dimensions
    }


def level_codes(column: pd.Series) -> tuple[Codes, tuple[str, ...]]:
    """The level of each row (N,) as a number from 0, and the names of the levels that occur. These are in the order of
    the categories; of a column without categories, alphabetically. A row without one is at the level "(none)", the
    last."""
    import pandas as pd

    if not isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype("str").astype("category")
    codes = np.asarray(column.cat.codes, dtype=np.intp)
    missing, names = codes < 0, [str(level) for level in column.cat.categories]
    occurs = np.bincount(codes[~missing], minlength=len(names)) > 0
    number = np.append(np.cumsum(occurs) - 1, int(occurs.sum()))  # what is missing points to the last
    levels = [name for name, here in zip(names, occurs, strict=True) if here]
    return number[codes], (*levels, MISSING) if missing.any() else tuple(levels)


def by_testable_levels(levels: dict[str, int]) -> list[str]:
    """The dimensions, those with most testable levels first; of as many, in their order."""
    return sorted(levels, key=lambda name: -levels[name])


def _testable(levels: Codes, clusters: Codes | None, minimum_n: int) -> int:
    """Levels with enough clusters inside and outside; one that is in both counts on both sides."""
    if clusters is None:
        n = np.bincount(levels)
        return int((np.minimum(n, len(levels) - n) >= minimum_n)[n > 0].sum())
    inside, outside = clusters_of_slices(levels, clusters, slices=int(levels.max(initial=-1)) + 1)
    return int((np.minimum(inside, outside) >= minimum_n)[inside > 0].sum())


def clusters_of_slices(codes: Codes, clusters: Codes, *, slices: int) -> tuple[Floats, Floats]:
    """In how many clusters each slice (k,) has values, and in how many its rest: one that is in both counts twice.
    `codes` and `clusters` (n,) number the slice and the cluster of each value; clusters have no gap."""
    number = int(clusters.max(initial=-1)) + 1
    pairs = np.sort(codes * number + clusters)
    pairs = pairs[np.append(True, np.diff(pairs) > 0)[: len(pairs)]]
    of, cluster = np.divmod(pairs, max(number, 1))
    inside = np.bincount(of, minlength=slices)
    alone = np.bincount(of[np.bincount(cluster, minlength=number)[cluster] == 1], minlength=slices)
    return inside.astype(np.float64), (number - alone).astype(np.float64)
