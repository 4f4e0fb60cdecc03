"""Means of one metric over the levels of two dimensions. HCAT, Figure 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from hcat.core.display.numbers import format_difference, format_number
from hcat.core.display.palette import SHADES
from hcat.core.figures.level_order import levels_in_order, row_mean
from hcat.core.figures.shading import PALE_BETTER, PALE_WORSE, shade, shading_unit
from hcat.core.slices.table import WeaknessTable
from hcat.core.slices.verdicts import INSUFFICIENT
from hcat.core.types import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """One pair of levels.

    `difference` is from the heatmap's comparison; None with too little evidence to compare, and so are `q` and `shade`,
    the index of the cell's colour in `SHADES`."""

    level_1: str
    level_2: str
    mean: Estimate
    difference: float | None
    verdict: str
    q: float | None = None
    shade: int | None = None

    @property
    def value(self) -> float | None:
        """The mean that the cell shows; None with too little evidence, and the cell is hatched."""
        return self.mean.value if self.verdict != INSUFFICIENT and isfinite(self.mean.value) else None


@dataclass(frozen=True, slots=True)
class WeaknessHeatmap:
    """Means of one metric over the levels of two dimensions.

    `rows` are the levels of `dimension_1` from the top, and `columns` those of `dimension_2` from the left. A cell's
    colour says first whether it is shown to differ (q at most `q`): if not, it is pale. Blue is better and orange is
    worse; the intensity says how much, in steps that are shares of `unit`, the width of the metric's range, and the
    same for all heatmaps. `overall` is the mean of all samples. `machine` says that the scores are verdicts of a
    machine: these are grey. `against` names the run that cells are compared with; None if that is the rest."""

    metric: str
    dimension_1: str
    dimension_2: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[HeatmapCell, ...]
    overall: float
    unit: float = 1.0
    higher_is_better: bool = True
    q: float = 0.05
    minimum_n: int = 10
    machine: bool = False
    against: str | None = None

    def color(self, cell: HeatmapCell, colors: Sequence[str] = SHADES) -> str | None:
        """The colour of one cell, as #rrggbb; None if it is hatched."""
        return None if cell.shade is None else colors[cell.shade]

    def text(self, cell: HeatmapCell) -> str:
        """The number in a cell, with its mark; empty if it is hatched."""
        if cell.value is None:
            return ""
        number = format_number(cell.value) if self.against is None else format_difference(cell.value)
        return f"{self.mark(cell.shade)} {number}".lstrip()

    def mark(self, shade: int | None) -> str:
        """The direction in which values of this shade differ: for verdicts of a machine, whose greys are the same both
        ways."""
        if not self.machine or shade is None or shade in (PALE_WORSE, PALE_BETTER):
            return ""
        worse_is_down = self.higher_is_better or not isfinite(self.overall)
        return "▼" if (shade < PALE_WORSE) == worse_is_down else "▲"

    @property
    def empty(self) -> int:
        """The number of pairs of levels without a sample."""
        return len(self.rows) * len(self.columns) - len(self.cells)

    @property
    def hatched(self) -> int:
        """The number of cells with too few samples."""
        return sum(cell.shade is None for cell in self.cells)

    @property
    def worst_first(self) -> tuple[HeatmapCell, ...]:
        """The compared cells, from those shown to be worse to those shown to be better, by q within a shade."""
        compared = [cell for cell in self.cells if cell.shade is not None]
        return tuple(sorted(compared, key=lambda cell: (cell.shade, cell.q)))


def weakness_heatmap(
    table: WeaknessTable,
    metric: str,
    *,
    rows: str,
    columns: str,
    most_levels: int | None = None,
    machine: bool = False,
) -> WeaknessHeatmap:
    """The pairs of levels of two dimensions of the table; with `most_levels`, of the levels with most samples."""
    pairs = pair_rows(table, metric, rows=rows, columns=columns)
    chosen_1 = _most_frequent(pairs, "level_1", most_levels)
    chosen_2 = _most_frequent(pairs, "level_2", most_levels)
    pairs = pairs[pairs["level_1"].isin(chosen_1) & pairs["level_2"].isin(chosen_2)]
    return WeaknessHeatmap(
        metric,
        rows,
        columns,
        levels_in_order(table, rows, among=pairs["level_1"]),
        levels_in_order(table, columns, among=pairs["level_2"]),
        tuple(table_cell(row, table, str(row["level_1"]), str(row["level_2"])) for _, row in pairs.iterrows()),
        table.settings.overall[metric].value,
        unit=shading_unit(table, metric),
        higher_is_better=table.settings.directions.get(metric, "higher") != "lower",
        q=table.settings.q,
        minimum_n=table.settings.minimum_n,
        machine=machine,
    )


def pair_rows(table: WeaknessTable, metric: str, *, rows: str, columns: str) -> pd.DataFrame:
    """The rows of the table on two dimensions, with `rows` as dimension_1 in either order of the table."""
    frame = table.frame[table.frame["metric"] == metric]
    pairs = frame[(frame["dimension_1"] == rows) & (frame["dimension_2"] == columns)]
    if len(pairs):
        return pairs
    swap = {"level_1": "level_2", "level_2": "level_1", "dimension_1": "dimension_2", "dimension_2": "dimension_1"}
    return frame[(frame["dimension_1"] == columns) & (frame["dimension_2"] == rows)].rename(columns=swap)


def table_cell(row: pd.Series, table: WeaknessTable, level_1: str, level_2: str) -> HeatmapCell:
    """A row of the table as the cell of these levels."""
    metric, mean, verdict = str(row["metric"]), row_mean(row), str(row["verdict"])
    difference, q = float(row["difference"]), float(row["q"])
    if verdict == INSUFFICIENT or not isfinite(difference) or not isfinite(q):
        return HeatmapCell(level_1, level_2, mean, None, verdict)
    turned = -1.0 if table.settings.directions.get(metric) == "lower" else 1.0
    share = turned * difference / shading_unit(table, metric)
    return HeatmapCell(level_1, level_2, mean, difference, verdict, q, shade(share, shown=q <= table.settings.q))


def _most_frequent(pairs: pd.DataFrame, column: str, most: int | None) -> set[str]:
    sizes = pairs.groupby(column, sort=True)["n"].sum().sort_values(ascending=False, kind="stable")
    return {str(level) for level in sizes.index[:most]}
