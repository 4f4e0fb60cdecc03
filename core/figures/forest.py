"""Means or differences with their intervals, one a row; the mean of each level of a dimension."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from hcat.core.figures.level_order import are_ranges, levels_in_order, row_mean
from hcat.core.slices.table import WeaknessTable, ranked
from hcat.core.types import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One level, variant or gap. `difference` from all other samples and `q` are None with too little evidence."""

    dimension: str
    level: str
    mean: Estimate
    verdict: str
    difference: float | None = None
    q: float | None = None


@dataclass(frozen=True, slots=True)
class ForestPlot:
    """Mean and interval of each level of one or more dimensions from the top, with the mean of all samples."""

    metric: str
    rows: tuple[ForestRow, ...]
    overall: float | None = None


def level_forest(table: WeaknessTable, metric: str, *, dimension: str, most_levels: int | None = None) -> ForestPlot:
    """The levels of one dimension: ranges of numbers in increasing order, names with the worst on top.

    With `most_levels`, the weakest of them."""
    frame = ranked(table)
    rows = frame[(frame["metric"] == metric) & (frame["dimension_1"] == dimension) & frame["dimension_2"].isna()]
    shown = [_row(row) for _, row in rows.head(len(rows) if most_levels is None else most_levels).iterrows()]
    own_order = levels_in_order(table, dimension)
    lower_is_better = table.settings.directions.get(metric, "higher") == "lower"
    if are_ranges(own_order):
        shown.sort(key=lambda row: own_order.index(row.level))
    else:
        shown.sort(key=lambda row: _worst_first(row, lower_is_better=lower_is_better))
    return ForestPlot(metric, tuple(shown), table.settings.overall[metric].value)


def _worst_first(row: ForestRow, *, lower_is_better: bool) -> tuple[bool, float]:
    """Levels without any score come last."""
    if not isfinite(row.mean.value):
        return True, 0.0
    return False, -row.mean.value if lower_is_better else row.mean.value


def _row(row: pd.Series) -> ForestRow:
    q = float(row["q"])
    return ForestRow(
        str(row["dimension_1"]),
        str(row["level_1"]),
        row_mean(row),
        str(row["verdict"]),
        float(row["difference"]) if isfinite(q) else None,
        q if isfinite(q) else None,
    )
