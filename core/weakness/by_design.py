"""Slices of a run whose test cases were drawn with unequal probabilities: as estimates of all cases that could be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.records.samples.columns import Levels
from hcat.core.statistics.clusters import clustered_variance
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.refitted import Refitted
from hcat.core.statistics.shrinkage import shrink
from hcat.core.types import Estimate
from hcat.core.weakness.cells.of_rows import cells_of_rows
from hcat.core.weakness.marginal import Grouping

if TYPE_CHECKING:
    import pandas as pd

_AT_A_TIME = 32
"""Partitions for which refitted values are made once."""
_Rows = list[tuple[int, int]]
"""Of a table, with the number of the slice of each."""


def weighted_rows(
    rows: pd.DataFrame,
    values: Floats,
    weights: Floats,
    groupings: list[Grouping],
    *,
    cases: Codes,
    refits: Refitted | None,
    level: float,
    within: tuple[float, float],
) -> pd.DataFrame:
    """The rows with means and intervals by design weights (N,) of the values (N,); interactions, which have no weighted
    form here, are left empty.

    Means are Hájek's, with the linearised variance by cluster, which leaves out that cases were drawn by stratum and so
    is rather too large. Source: Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 5.7.
    """
    scored = ~np.isnan(values)
    sample = _Weighted(values[scored], weights[scored], cases[scored], refits)
    frame = rows.copy()
    numbers = {name: frame[name].to_numpy(dtype=np.float64, copy=True) for name in ("mean", "low", "high")}
    errors = np.full(len(frame), np.nan)
    levels = {one.name: Levels(one.codes.astype(np.int32), one.levels) for one in groupings}
    cells = ((codes[scored], size, of_rows) for codes, size, of_rows in cells_of_rows(levels, frame))
    for slices, of_rows in sample.all_slices(cells):
        for row, place in of_rows:
            if slices.n[place]:
                mean, errors[row] = slices.mean(place, level=level, within=within)
                numbers["mean"][row], numbers["low"][row], numbers["high"][row] = mean.value, mean.low, mean.high
    frame[list(numbers)] = np.column_stack(list(numbers.values()))
    frame[["interaction", "interaction_low", "interaction_high"]] = np.nan
    for group in frame.groupby(["dimension_1", "dimension_2"], dropna=False).groups.values():
        at = frame.index.get_indexer(group)
        towards = shrink(numbers["mean"][at], errors[at] ** 2, level=level)
        frame.loc[group, ["shrunken", "shrunken_low", "shrunken_high"]] = np.column_stack(
            [towards.values, towards.low, towards.high]
        )
    return frame


@dataclass(frozen=True, slots=True, eq=False)
class _Weighted:
    """Scored samples: values, weights and cluster codes (n,), and values under refitted calibrations."""

    y: Floats
    w: Floats
    codes: Codes
    refits: Refitted | None

    def all_slices(self, cells: Iterator[tuple[Codes, int, _Rows]]) -> Iterator[tuple[_Slices, _Rows]]:
        """The slices that codes (n,) name from 0, of each of several partitions, with what is said of it. Refitted
        values are made once for some partitions."""
        while part := list(itertools.islice(cells, _AT_A_TIME)):
            weighed: Iterable[Floats | None] = itertools.repeat(None)
            if self.refits is not None:
                weighed = self.refits.sums([(codes, size) for codes, size, _ in part], self.w)
            for (codes, size, rows), refits in zip(part, weighed, strict=False):
                order = np.argsort(codes, kind="stable")
                starts = np.searchsorted(codes[order], np.arange(size + 1))
                yield _Slices(self, order, starts, np.diff(starts), refits), rows


@dataclass(frozen=True, slots=True, eq=False)
class _Slices:
    """Slices that share no sample: rows in their order, where each begins, and n of each (k,)."""

    sample: _Weighted
    order: Codes
    starts: Codes
    n: Codes
    refits: Floats | None

    def mean(self, place: int, *, level: float, within: tuple[float, float]) -> tuple[Estimate, float]:
        """The mean of a slice with its interval, and its standard error."""
        rows = self.order[self.starts[place] : self.starts[place + 1]]
        y, w, codes = self.sample.y[rows], self.sample.w[rows], self.sample.codes[rows]
        made_with = 0.0 if self.refits is None else float(np.var(self.refits[:, place] / w.sum(), ddof=1))
        mean = mean_interval(y, weights=w, clusters=codes, level=level, within=within, made_with=made_with)
        return mean, math.sqrt(clustered_variance(w / w.sum() * (y - mean.value), codes) + made_with)
