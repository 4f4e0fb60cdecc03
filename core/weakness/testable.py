"""Which dimensions have levels that can be tested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Names = NDArray[np.str_]


def testable_levels(
    dimensions: pd.DataFrame, values: pd.Series[float], *, minimum_n: int = 10, clusters: Sequence[str] | None = None
) -> dict[str, int]:
    """How many levels of each dimension have values of `minimum_n` clusters in the level and in the rest.

    `values`, by sample id, are NaN where there is none; `clusters` are those of the rows of `dimensions`, by default
    each its own.
    """
    has_value = np.isfinite(np.array(values.reindex(dimensions.index), dtype=np.float64))
    names = np.asarray(dimensions.index if clusters is None else clusters, dtype=np.str_)[has_value]
    frame = dimensions[has_value]
    return {
        str(name): _testable(frame[name].astype("str").to_numpy(dtype=np.str_), names, minimum_n)
        for name in frame.columns
    }


def by_testable_levels(levels: dict[str, int]) -> list[str]:
    """The dimensions, those with most testable levels first; of as many, in their order."""
    return sorted(levels, key=lambda name: -levels[name])


def _testable(levels: Names, clusters: Names, minimum_n: int) -> int:
    """Levels with enough clusters inside and outside; one that is in both counts on both sides."""
    count = 0
    for level in dict.fromkeys(levels.tolist()):
        inside = levels == level
        count += min(len(np.unique(clusters[inside])), len(np.unique(clusters[~inside]))) >= minimum_n
    return count
