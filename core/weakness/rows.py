"""The rows of a weakness table: a slice each, with its statistics and its comparison with the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.refusals.state import ANSWER_STATES
from hcat.core.statistics.refitted import Refitted
from hcat.core.weakness.against_rest import Comparison, against_rest
from hcat.core.weakness.bivariate import Interaction, bivariate
from hcat.core.weakness.cells.counts import CellCounts, Rows
from hcat.core.weakness.cells.sums import SumCells, sum_cells
from hcat.core.weakness.dependence import Dependence
from hcat.core.weakness.marginal import Grouping, SliceStatistics, marginal
from hcat.core.weakness.membership import Partition

if TYPE_CHECKING:
    import pandas as pd

Columns = Mapping[str, Sequence[str | None] | Floats | Codes]

COLUMNS = {
    "dimension_1": "str", "level_1": "str", "dimension_2": "str", "level_2": "str", "metric": "str", "n": "int64",
    "mean": "float64", "low": "float64", "high": "float64", "difference": "float64", "p": "float64", "q": "float64",
    "effect": "float64", "shrunken": "float64", "verdict": "str", "unscored": "int64", "interaction": "float64",
    "interaction_low": "float64", "interaction_high": "float64", "cases": "int64",
    **{str(state): "Int64" for state in ANSWER_STATES},
    "difference_low": "float64", "difference_high": "float64", "effect_low": "float64", "effect_high": "float64",
    "shrunken_low": "float64", "shrunken_high": "float64", "labels": "Int64", "basis": "str",
    "selected_low": "float64", "selected_high": "float64", "samples": "Int64", "label_pass_rate": "float64",
    "label_low": "float64", "label_high": "float64", "disagreement": "str",
}  # fmt: skip
"""Of the weakness file, with their types; those after the verdict came later."""


@dataclass(frozen=True, slots=True, eq=False)
class Slices:
    """Slices that share no sample: which they are (k,), how many samples they hold, and their statistics."""

    dimensions: tuple[str, str | None]
    levels: tuple[tuple[str, str | None], ...]
    counts: CellCounts
    statistics: SliceStatistics
    interaction: Interaction


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRows:
    """The rows of a run, and of those that are scored their values (n,), what ties these together, and what
    calibrations fitted to resampled labels make of them."""

    rows: Rows
    scored: Bools
    values: Floats
    dependence: Dependence | None
    minimum_n: int
    level: float
    sum_cells: SumCells = sum_cells
    refits: Refitted | None = None
    weights: Floats | None = None
    """Design weights of the values (n,): slices are then compared by these."""

    def frame(self, of: Sequence[tuple[Grouping, Grouping | None]], *, metric: str) -> pd.DataFrame:
        """All slices of these dimensions and pairs of dimensions as one frame, compared with the rest together; q and
        verdict are not there yet."""
        states = self.rows.states is not None
        counts = [sums.counted(states=states) for sums in self.sum_cells(of, self.rows)]
        codes = [self._codes(one, two, of_cells) for (one, two), of_cells in zip(of, counts, strict=True)]
        tied = self._tied(
            [
                (part, len(one.levels) if two is None else len(of_cells.places))
                for part, (one, two), of_cells in zip(codes, of, counts, strict=True)
            ]
        )
        slices = [
            self._slices(one, two, of_cells, each) for (one, two), of_cells, each in zip(of, counts, tied, strict=True)
        ]
        partitions = [Partition(of_row, part.statistics.testable) for of_row, part in zip(codes, slices, strict=True)]
        cases = None if self.dependence is None else self.dependence.cases
        compared = against_rest(self.values, partitions, cases=cases, weights=self.weights, level=self.level)
        return as_frame(list(zip(slices, compared, strict=True)), metric=metric)

    def _codes(self, one: Grouping, two: Grouping | None, counts: CellCounts) -> Codes:
        """The slice of each scored row: the level of a dimension, or which of the pairs of levels that occur."""
        first = one.codes[self.scored]
        if two is None:
            return first
        return np.searchsorted(counts.places, first * len(two.levels) + two.codes[self.scored])

    def _tied(self, partitions: Sequence[tuple[Codes, int]]) -> list[Dependence | None]:
        """What ties the values of each partition together."""
        if self.dependence is None or self.refits is None:
            return [self.dependence] * len(partitions)
        return [replace(self.dependence, refit_sums=sums) for sums in self.refits.sums(partitions)]

    def _slices(self, one: Grouping, two: Grouping | None, counts: CellCounts, tied: Dependence | None) -> Slices:
        """The levels of a dimension, or the pairs of levels of two that occur."""
        inside = replace(one, codes=one.codes[self.scored])
        if two is None:
            counts = counts.at_all(len(one.levels))
            statistics = marginal(self.values, inside, minimum_n=self.minimum_n, level=self.level, dependence=tied)
            unknown = np.full(len(one.levels), np.nan)
            interaction = Interaction(unknown, unknown, unknown)
        else:
            found = bivariate(
                self.values,
                inside,
                replace(two, codes=two.codes[self.scored]),
                minimum_n=self.minimum_n,
                level=self.level,
                dependence=tied,
                occurring=counts.places,
            )
            statistics, interaction = found.statistics, found.interaction
        statistics = replace(statistics, unscored=counts.n - statistics.of.n.astype(np.intp))
        return Slices(*named(one, two, counts), counts, statistics, interaction)


def named(
    one: Grouping, two: Grouping | None, counts: CellCounts
) -> tuple[tuple[str, str | None], tuple[tuple[str, str | None], ...]]:
    """The names of the dimensions, and of the levels of each cell that occurs."""
    if two is None:
        return (one.name, None), tuple((one.levels[place], None) for place in counts.places.tolist())
    pairs = zip(*(places.tolist() for places in np.divmod(counts.places, len(two.levels))), strict=True)
    return (one.name, two.name), tuple((one.levels[i], two.levels[j]) for i, j in pairs)


def as_frame(slices: Sequence[tuple[Slices, Comparison]], *, metric: str) -> pd.DataFrame:
    """Slices and their comparisons with the rest as rows of a table."""
    import pandas as pd

    parts = [_columns(part, comparison) for part, comparison in slices]
    # Put together column by column, since thousands of small frames take seconds.
    columns = {name: _joined([part[name] for part in parts]) for name in (parts[0] if parts else ())}
    size = sum(len(part["n"]) for part in parts)
    return pd.DataFrame({**columns, "metric": [metric] * size}, columns=list(COLUMNS)).astype(COLUMNS)


def _joined(parts: Sequence[Sequence[str | None] | Floats | Codes]) -> Sequence[str | float | None] | Floats:
    arrays = [np.asarray(part) for part in parts if isinstance(part, np.ndarray)]
    return np.concatenate(arrays) if len(arrays) == len(parts) else [value for part in parts for value in part]


def _columns(part: Slices, comparison: Comparison) -> Columns:
    k, statistics = len(part.levels), part.statistics
    return {
        "dimension_1": [part.dimensions[0]] * k,
        "level_1": [first for first, _ in part.levels],
        "dimension_2": [part.dimensions[1]] * k,
        "level_2": [second for _, second in part.levels],
        "n": statistics.of.n,
        "mean": statistics.of.mean,
        "low": statistics.low,
        "high": statistics.high,
        "difference": comparison.difference,
        "difference_low": comparison.low,
        "difference_high": comparison.high,
        "p": comparison.p,
        "effect": comparison.effect,
        "effect_low": comparison.effect_low,
        "effect_high": comparison.effect_high,
        "shrunken": statistics.shrunken,
        "shrunken_low": statistics.shrunken_low,
        "shrunken_high": statistics.shrunken_high,
        "unscored": statistics.unscored.astype(np.float64),
        "interaction": part.interaction.value,
        "interaction_low": part.interaction.low,
        "interaction_high": part.interaction.high,
        "cases": statistics.cases.astype(np.float64),
        **dict.fromkeys(("labels", "label_pass_rate", "label_low", "label_high"), np.full(k, np.nan)),
        "basis": [""] * k,
        "samples": part.counts.samples,
        "disagreement": [""] * k,
        **_state_counts(part.counts),
    }


def _state_counts(counts: CellCounts) -> dict[str, Floats]:
    """How many samples of each slice are in each state; NaN where states are not known."""
    if counts.states is None:
        return {state: np.full(len(counts.n), np.nan) for state in ANSWER_STATES}
    return dict(zip(ANSWER_STATES, counts.states.astype(np.float64), strict=True))
