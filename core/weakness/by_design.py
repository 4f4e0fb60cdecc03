"""Slices of a run whose test cases were drawn with unequal probabilities: as estimates of all cases that could be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Codes, Floats
from core.records.samples.columns import Levels
from core.statistics.cluster_products import ClassProducts, ClusterProducts
from core.statistics.clusters import clustered_variance, count_clusters
from core.statistics.effective_n import t_quantile
from core.statistics.intervals import mean_interval
from core.statistics.refitted import Refitted
from core.statistics.shrinkage import shrink
from core.types import Estimate
from core.weakness.cells.of_rows import cells_of_rows
from core.weakness.marginal import Grouping

if TYPE_CHECKING:
    import pandas as pd

_NO_SPREAD = 1e-15
_ROUNDING = 1e-13
"""The part of what was added and subtracted for a variance that may be left of it where there is none."""
_AT_A_TIME = 32
"""Partitions for which refitted values are made once."""
_Rows = list[tuple[int, int]]
"""Of a table, with the number of the slice of each."""
_REPLACED = ("mean", "low", "high", "difference", "difference_low", "difference_high", "p")
_UNWEIGHTED = ("effect", "effect_low", "effect_high", "interaction", "interaction_low", "interaction_high")


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
    """The rows with means, intervals, differences from the rest and p by design weights (N,) of the values (N,).

    Means are Hájek's; the difference is compared by t with its linearised variance by cluster, which leaves out that
    cases were drawn by stratum and so is rather too large. Effects and interactions, which have no weighted form here,
    are left empty. Where neither side shows any spread, the p of the unweighted test stays. All slices of a dimension,
    or of two, come from sums over its cells; the interval of a mean takes the rows of its slice besides.
    Source: Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 5.7 and 10.3.
    """
    scored = ~np.isnan(values)
    sample = _Weighted(values[scored], weights[scored], cases[scored], refits)
    frame = rows.copy()
    numbers = {name: frame[name].to_numpy(dtype=np.float64, copy=True) for name in _REPLACED}
    errors = np.full(len(frame), np.nan)
    levels = {one.name: Levels(one.codes.astype(np.int32), one.levels) for one in groupings}
    cells = ((codes[scored], size, of_rows) for codes, size, of_rows in cells_of_rows(levels, frame))
    for slices, of_rows in sample.all_slices(cells):
        for row, place in of_rows:
            if not slices.n[place]:
                continue
            mean, errors[row] = slices.mean(place, level=level, within=within)
            numbers["mean"][row], numbers["low"][row], numbers["high"][row] = mean.value, mean.low, mean.high
            if slices.n[place] == len(sample.y) or math.isnan(numbers["p"][row]):
                continue
            difference, p = slices.difference(place, level=level)
            numbers["difference"][row] = difference.value
            if not math.isnan(p):
                numbers["difference_low"][row], numbers["difference_high"][row] = difference.low, difference.high
                numbers["p"][row] = p
    frame[list(numbers)] = np.column_stack(list(numbers.values()))
    frame[list(_UNWEIGHTED)] = np.nan
    for group in frame.groupby(["dimension_1", "dimension_2"], dropna=False).groups.values():
        at = frame.index.get_indexer(group)
        towards = shrink(numbers["mean"][at], errors[at] ** 2, level=level)
        frame.loc[group, ["shrunken", "shrunken_low", "shrunken_high"]] = np.column_stack(
            [towards.values, towards.low, towards.high]
        )
    return frame


class _Weighted:
    """Scored samples: values, weights and cluster codes (n,), and values under refitted calibrations."""

    def __init__(self, y: Floats, w: Floats, codes: Codes, refits: Refitted | None) -> None:
        self.y, self.w, self.codes, self.refits = y, w, codes, refits
        self.centre = float(np.average(y, weights=w)) if len(y) else math.nan
        """Values are summed as differences from it, so that squares lose no digits."""
        self.columns = np.stack([w, w * (y - self.centre)])
        self.products = ClusterProducts(self.columns, codes)
        self.clusters = count_clusters(codes) if len(y) else 0

    def all_slices(self, cells: Iterator[tuple[Codes, int, _Rows]]) -> Iterator[tuple[_Slices, _Rows]]:
        """The slices that codes (n,) name from 0, of each of several partitions, with what is said of it. Refitted
        values are made once for some partitions."""
        while part := list(itertools.islice(cells, _AT_A_TIME)):
            weighed: Iterable[Floats | None] = itertools.repeat(None)
            if self.refits is not None:
                weighed = self.refits.sums([(codes, size) for codes, size, _ in part], self.w)
            for (codes, size, rows), refits in zip(part, weighed, strict=False):
                yield self._slices(codes, size, refits), rows

    def _slices(self, codes: Codes, size: int, refits: Floats | None) -> _Slices:
        order = np.argsort(codes, kind="stable")
        starts = np.searchsorted(codes[order], np.arange(size + 1))
        found = self.products.classes(codes, size)
        w, strays = found.sums[:, :size]
        total, all_strays = self.columns.sum(axis=1)
        return _Slices(
            self,
            order,
            starts,
            np.diff(starts),
            _Side.of(w, strays),
            _Side.of(total - w, all_strays - strays),
            found,
            refits,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Of slices, or of their rests (k,): the sum of weights, by how much the mean is more than the centre of all
    values, and by what a cluster's columns are multiplied for what it adds to the mean (k, 2)."""

    w: Floats
    mean: Floats
    coefficients: Floats

    @classmethod
    def of(cls, w: Floats, strays: Floats) -> _Side:
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = strays / w
            return cls(w, mean, np.stack([-mean / w, 1 / w], axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class _Slices:
    """Slices that share no sample: rows in their order, where each begins, n of each (k,), and what was added up."""

    sample: _Weighted
    order: Codes
    starts: Codes
    n: Codes
    own: _Side
    rest: _Side
    products: ClassProducts
    refits: Floats | None

    def mean(self, place: int, *, level: float, within: tuple[float, float]) -> tuple[Estimate, float]:
        """The mean of a slice with its interval, and its standard error."""
        made_with = 0.0 if self.refits is None else float(np.var(self.refits[:, place] / self.own.w[place], ddof=1))
        rows = self.order[self.starts[place] : self.starts[place + 1]]
        y, w, codes = self.sample.y[rows], self.sample.w[rows], self.sample.codes[rows]
        mean = mean_interval(y, weights=w, clusters=codes, level=level, within=within, made_with=made_with)
        return mean, math.sqrt(clustered_variance(w / w.sum() * (y - mean.value), codes) + made_with)

    def difference(self, place: int, *, level: float) -> tuple[Estimate, float]:
        """The mean of a slice less that of the rest, and its p; NaN where nothing shows any spread."""
        from scipy.special import stdtr

        sample, found = self.sample, self.products
        value = float(self.own.mean[place] - self.rest.mean[place])
        a, b = self.own.coefficients[place], self.rest.coefficients[place]
        of_own, of_rest = float(a @ found.own[place] @ a), float(b @ found.rest[place] @ b)
        squares = max(of_own + of_rest - 2 * float(a @ found.between[place] @ b), 0.0)
        variance = sample.clusters / (sample.clusters - 1) * squares if sample.clusters > 1 else 0.0
        added_up = float(found.own[place, 1, 1]) * a[1] ** 2 + float(sample.products.products[1, 1]) * b[1] ** 2
        if self.refits is not None:
            outside = (self.refits.sum(axis=1) - self.refits[:, place]) / self.rest.w[place]
            variance += float(np.var(self.refits[:, place] / self.own.w[place] - outside, ddof=1))
        degrees = int(min(found.clusters[place], found.rest_clusters[place])) - 1
        if variance <= _NO_SPREAD + _ROUNDING * added_up or degrees < 1:
            return Estimate(value, math.nan, math.nan, len(sample.y), level), math.nan
        error = math.sqrt(variance)
        half = t_quantile(level, degrees) * error
        return Estimate(value, value - half, value + half, len(sample.y), level), 2 * float(
            stdtr(degrees, -abs(value) / error)
        )
