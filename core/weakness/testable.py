"""Which dimensions have levels that can be tested, and with which pair of them a view says most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.weakness.verdicts import INSUFFICIENT

if TYPE_CHECKING:
    import pandas as pd

    from core.weakness.table import WeaknessTable

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


def telling_pair(table: WeaknessTable, metric: str) -> tuple[str, str] | None:
    """The two dimensions with the most pairs of levels that were tested; None where no pair was."""
    frame = table.frame
    pairs = frame[frame["dimension_2"].notna() & (frame["metric"] == metric) & (frame["verdict"] != INSUFFICIENT)]
    if pairs.empty:
        return None
    first, second = Counter(zip(pairs["dimension_1"], pairs["dimension_2"], strict=True)).most_common(1)[0][0]
    return str(first), str(second)


def _testable(levels: Names, clusters: Names, minimum_n: int) -> int:
    """Levels with enough clusters inside and outside; one that is in both counts on both sides."""
    count = 0
    for level in dict.fromkeys(levels.tolist()):
        inside = levels == level
        count += min(len(np.unique(clusters[inside])), len(np.unique(clusters[~inside]))) >= minimum_n
    return count
