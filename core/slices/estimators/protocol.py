"""The common result of all estimators of slices: n, clusters, estimate and intervals of each, and its test against the
rest.

A row of the table is written from it once (`hcat.core.slices.rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.slices.against_rest import Comparison
from hcat.core.slices.bivariate import Interaction
from hcat.core.slices.cells.counts import CellCounts, Rows
from hcat.core.slices.cells.sums import CellSums, Pair, SumCells
from hcat.core.slices.marginal import SliceStatistics
from hcat.core.statistics.refitted import Refitted
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """All levels of one dimension, or the pairs of levels of two that occur: k slices that share no sample."""

    of: Pair
    counts: CellCounts

    @property
    def dimensions(self) -> tuple[str, str | None]:
        """The names of the dimensions."""
        one, two = self.of
        return one.name, None if two is None else two.name

    @property
    def levels(self) -> list[tuple[str, str | None]]:
        """The names of the levels of each slice."""
        one, two = self.of
        if two is None:
            return [(one.levels[place], None) for place in self.counts.places.tolist()]
        pairs = zip(*(places.tolist() for places in np.divmod(self.counts.places, len(two.levels))), strict=True)
        return [(one.levels[i], two.levels[j]) for i, j in pairs]

    def codes(self, rows: Bools) -> Codes:
        """The number of the slice of each of these rows."""
        one, two = self.of
        if two is None:
            return one.codes[rows]
        return np.searchsorted(self.counts.places, (one.codes * len(two.levels) + two.codes)[rows])

    def without_interaction(self) -> Interaction:
        """An interaction of NaN for every slice: there is none."""
        return Interaction(*(np.full(len(self.counts.places), np.nan),) * 3)


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Estimates of the slices of some cells (k,): all values of their rows, except those that are computed over many
    rows. `labels` counts those of each slice, NaN where that is not asked; `basis` is the basis of each (see
    `verdicts`)."""

    cells: Cells
    statistics: SliceStatistics
    interaction: Interaction
    comparison: Comparison
    labels: Floats
    basis: Sequence[str]

    @classmethod
    def of_scores(
        cls, cells: Cells, statistics: SliceStatistics, interaction: Interaction, comparison: Comparison
    ) -> Estimates:
        """By scores alone."""
        k = len(cells.counts.places)
        return cls(cells, statistics, interaction, comparison, np.full(k, np.nan), [""] * k)


class Estimator(Protocol):
    """One way to estimate slices."""

    def estimates(self, of: Sequence[Pair]) -> list[Estimates]:
        """All slices of these dimensions and pairs of dimensions, compared with the rest."""


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """The rows of a run, and of those that are scored the values (n,); none of these is NaN.

    `within` is the range of single values; `of_all` estimates their mean; `refits` are what calibrations fitted to
    resampled labels make of them."""

    rows: Rows
    scored: Bools
    values: Floats
    minimum_n: int
    level: float
    sum_cells: SumCells
    within: tuple[float, float]
    of_all: Callable[[], Estimate]
    refits: Refitted | None = None

    def cells(self, of: Sequence[Pair], sums: Sequence[CellSums]) -> Iterator[Cells]:
        """The cells of each pair, counted by its sums."""
        for (one, two), of_cells in zip(of, sums, strict=True):
            counts = of_cells.counted(states=self.rows.states is not None)
            yield Cells((one, two), counts if two is not None else counts.at_all(len(one.levels)))

    @cached_property
    def overall(self) -> Estimate:
        """The mean of all values. Of refitted ones their sums by slice, asked for before, spare a pass over the run."""
        return self.of_all()
