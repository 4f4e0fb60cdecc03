"""Slices of the same samples under several names: they are one test, and one row of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.slices.slices import row_slice
from hcat.core.statistics.multiplicity import benjamini_hochberg

if TYPE_CHECKING:
    import pandas as pd


def same_samples(frame: pd.DataFrame) -> pd.Series[bool]:
    """Whether an earlier row of the same metric has the same samples; of files that do not say, none has."""
    return frame.duplicated(["metric", "samples"]) & frame["samples"].notna()


def tests(family: pd.DataFrame) -> int:
    """Number of different tests in the rows of a family."""
    return int((~same_samples(family) & family["p"].notna()).sum())


def q_values(family: pd.DataFrame) -> Floats:
    """Benjamini and Hochberg over the tests of a family; rows of the same samples have one q."""
    first = ~same_samples(family)
    by_row = family.assign(q=np.nan)
    by_row.loc[first, "q"] = benjamini_hochberg(family.loc[first, "p"])
    of_set = by_row[first & family["samples"].notna()].set_index("samples")["q"]
    by_row.loc[~first, "q"] = of_set.reindex(family.loc[~first, "samples"]).to_numpy(dtype=np.float64)
    return by_row["q"].to_numpy(dtype=np.float64)


def selected_share(family: pd.DataFrame, selected: Bools) -> float:
    """The share of the tests of a family that were selected."""
    return int((selected & ~same_samples(family)).sum()) / max(tests(family), 1)


def with_other_names(frame: pd.DataFrame) -> pd.DataFrame:
    """One row for each set of samples, the first, with the titles of the other slices of the same in `also`.

    Of a dimension alone and a pair the first row of a ranked list may be either: the dimension alone is chosen for
    both.
    """
    simplest = frame.assign(paired=frame["dimension_2"].notna()).sort_values("paired", kind="stable")
    repeated = same_samples(simplest).reindex(frame.index)
    kept = frame[~repeated]
    titles: dict[tuple[str, int], list[str]] = {}
    for _, row in frame[repeated].iterrows():
        titles.setdefault((str(row["metric"]), int(row["samples"])), []).append(row_slice(row).title)
    keys = zip(kept["metric"], kept["samples"].fillna(-1), strict=True)
    return kept.assign(also=["; ".join(titles.get((str(metric), int(number)), [])) for metric, number in keys])


def repeated_slices(frame: pd.DataFrame) -> pd.Series[bool]:
    """Whether a row's slice, whichever way round its pair is, has a row of the same metric before."""
    import pandas as pd

    names = ("metric", "dimension_1", "level_1", "dimension_2", "level_2")
    rows = zip(*(frame[name] for name in names), strict=True)
    keys = [(metric, *sorted([(one, first), (str(two), str(second))])) for metric, one, first, two, second in rows]
    return pd.Series(keys, index=frame.index, dtype=object).duplicated()
