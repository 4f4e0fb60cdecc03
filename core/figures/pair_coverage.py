"""Ranks pairs of dimensions by how much of their heatmap is filled.

Cells with enough samples count against hatched or blank cells, and cells that are more informative than a level of one
dimension against those that repeat one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.slices.verdicts import INSUFFICIENT

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.slices.table import WeaknessTable

SPARSE = 1 / 3
"""The share of compared cells below which a coarser pair is more informative."""


@dataclass(frozen=True, slots=True)
class PairCoverage:
    """Two dimensions, and the number of compared cells of their heatmap.

    `repeated` of these contain all samples of a level of one dimension, so they say no more than it: all of them if one
    dimension determines the other."""

    first: str
    second: str
    compared: int
    cells: int
    repeated: int = 0

    @property
    def share(self) -> float:
        return self.compared / self.cells if self.cells else 0.0

    @property
    def usefulness(self) -> tuple[float, float]:
        """Number times share of the compared cells: of those that repeat no level, and then of all."""
        crossed = self.compared - self.repeated
        return crossed * crossed / max(1, self.cells), self.compared * self.share

    def is_of(self, first: str, second: str) -> bool:
        """Whether these are the two dimensions, in either order."""
        return {self.first, self.second} == {first, second}


def pair_coverages(table: WeaknessTable) -> tuple[PairCoverage, ...]:
    """All pairs in the table, the most informative first.

    By number and share of compared cells that are more informative than a level of one dimension."""
    pairs = table.frame[table.frame["dimension_2"].notna()]
    coverages = []
    for (first, second), rows in pairs.groupby(["dimension_1", "dimension_2"], sort=False):
        cells = rows["level_1"].nunique() * rows["level_2"].nunique()
        compared = rows["verdict"] != INSUFFICIENT
        repeated = _count(rows[compared & _repeats_level(rows)])
        coverages.append(PairCoverage(str(first), str(second), _count(rows[compared]), cells, repeated))
    return tuple(sorted(coverages, key=lambda pair: pair.usefulness, reverse=True))


def _count(rows: pd.DataFrame) -> int:
    return len(rows[["level_1", "level_2"]].drop_duplicates())


def _repeats_level(rows: pd.DataFrame) -> pd.Series[bool]:
    """Whether each cell is the only one of its row or of its column with a sample."""
    totals = [rows.groupby(["metric", level])["n"].transform("sum") for level in ("level_1", "level_2")]
    return (rows["n"] == totals[0]) | (rows["n"] == totals[1])


def fuller_pair(coverages: tuple[PairCoverage, ...], first: str, second: str) -> PairCoverage | None:
    """The pair to use instead of one whose cells are mostly hatched or blank; None if they are not, or no pair is
    better."""
    shown = next((pair for pair in coverages if pair.is_of(first, second)), None)
    if shown is None or shown.share >= SPARSE or coverages[0].share < SPARSE:
        return None
    return coverages[0]
