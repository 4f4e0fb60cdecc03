"""Means of one metric over the levels of two dimensions. HCAT, Figure 7."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from core.display.palette import DIVERGING, blend
from core.figures.level_order import levels_in_order, row_mean
from core.types import Estimate
from core.weakness.table import INSUFFICIENT, WeaknessTable

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """One pair of levels. `difference` is from all other samples; None where there is too little evidence to compare,
    and so is `q`."""

    level_1: str
    level_2: str
    mean: Estimate
    difference: float | None
    verdict: str
    q: float | None = None

    @property
    def value(self) -> float | None:
        """The mean that colours the cell; None where too little evidence leaves it grey."""
        return self.mean.value if self.verdict != INSUFFICIENT and isfinite(self.mean.value) else None


@dataclass(frozen=True, slots=True)
class WeaknessHeatmap:
    """Means of one metric over `rows`, the levels of `dimension_1` from the top, and `columns`, those of `dimension_2`
    from the left.

    A cell's colour says where its mean lies between `limits`: `overall`, the mean of all samples, is neutral, blue is
    better and orange is worse. The limits are one standard deviation of single values to either side, so the colours of
    all heatmaps of one metric mean the same and chance differences stay pale; means beyond them take the last colour.
    """

    metric: str
    dimension_1: str
    dimension_2: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[HeatmapCell, ...]
    overall: float
    limits: tuple[float, float]
    higher_is_better: bool = True

    def scale(self, colors: tuple[str, ...] = DIVERGING) -> tuple[str, ...]:
        """The colours from the lower limit to the upper; `colors` run from bad to good."""
        return colors if self.higher_is_better else colors[::-1]

    def color(self, cell: HeatmapCell, colors: tuple[str, ...] = DIVERGING) -> str | None:
        """Of one cell, as #rrggbb; None where it is grey."""
        if cell.value is None:
            return None
        low, high = self.limits
        return blend(self.scale(colors), (cell.value - low) / (high - low))


def weakness_heatmap(
    table: WeaknessTable, metric: str, *, rows: str, columns: str, most_levels: int | None = None
) -> WeaknessHeatmap:
    """The pairs of levels of two dimensions of the table; with `most_levels`, of the levels with most samples."""
    pairs = pair_rows(table, metric, rows=rows, columns=columns)
    overall, spread = table.settings.overall[metric].value, table.settings.spread[metric]
    reach = spread if isfinite(spread) and spread > 0 else 1.0
    centre = overall if isfinite(overall) else 0.0
    chosen_1 = _most_frequent(pairs, "level_1", most_levels)
    chosen_2 = _most_frequent(pairs, "level_2", most_levels)
    pairs = pairs[pairs["level_1"].isin(chosen_1) & pairs["level_2"].isin(chosen_2)]
    return WeaknessHeatmap(
        metric,
        rows,
        columns,
        levels_in_order(table, rows, among=pairs["level_1"]),
        levels_in_order(table, columns, among=pairs["level_2"]),
        tuple(_cell(row) for _, row in pairs.iterrows()),
        overall,
        (centre - reach, centre + reach),
        table.settings.directions.get(metric, "higher") != "lower",
    )


def pair_rows(table: WeaknessTable, metric: str, *, rows: str, columns: str) -> pd.DataFrame:
    """The rows of the table on two dimensions, `rows` as dimension_1 whichever way round the table has them."""
    frame = table.frame[table.frame["metric"] == metric]
    pairs = frame[(frame["dimension_1"] == rows) & (frame["dimension_2"] == columns)]
    if len(pairs):
        return pairs
    swap = {"level_1": "level_2", "level_2": "level_1", "dimension_1": "dimension_2", "dimension_2": "dimension_1"}
    return frame[(frame["dimension_1"] == columns) & (frame["dimension_2"] == rows)].rename(columns=swap)


def _most_frequent(pairs: pd.DataFrame, column: str, most: int | None) -> set[str]:
    sizes = pairs.groupby(column, sort=True)["n"].sum().sort_values(ascending=False, kind="stable")
    return {str(level) for level in sizes.index[:most]}


def _cell(row: pd.Series) -> HeatmapCell:
    tested = row["verdict"] != INSUFFICIENT
    return HeatmapCell(
        str(row["level_1"]),
        str(row["level_2"]),
        row_mean(row),
        _finite(row["difference"]) if tested else None,
        str(row["verdict"]),
        _finite(row["q"]) if tested else None,
    )


def _finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
