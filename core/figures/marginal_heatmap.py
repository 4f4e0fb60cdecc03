"""Every level of every dimension against every metric: where something is low, at one look. HCAT 6.2, technique 1."""

from __future__ import annotations

from math import isfinite

import pandas as pd

from core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from core.types import Estimate
from core.weakness.slices import row_slice
from core.weakness.table import INSUFFICIENT, WeaknessTable

UNIT = "standard deviations from the mean of the run, better upwards"


def marginal_heatmap(table: WeaknessTable, *, most_metrics: int | None = None) -> WeaknessHeatmap:
    """Levels of all dimensions as rows, metrics as columns; of a metric without a better direction there is none.

    A cell is the level's mean less that of the run in standard deviations of single values, turned so that higher is
    better: the colours mean the same as in a heatmap of one metric. Intervals are those of the means in that unit.
    """
    settings = table.settings
    metrics = [name for name, direction in settings.directions.items() if direction != "none"][:most_metrics]
    rows = table.frame[table.frame["dimension_2"].isna() & table.frame["metric"].isin(metrics)]
    cells = tuple(_cell(row, table) for _, row in rows.iterrows())
    levels = tuple(dict.fromkeys(cell.level_1 for cell in cells))
    return WeaknessHeatmap(UNIT, "level", "metric", levels, tuple(metrics), cells, 0.0, (-1.0, 1.0))


def _cell(row: pd.Series, table: WeaknessTable) -> HeatmapCell:
    metric = str(row["metric"])
    spread, overall = table.settings.spread[metric], table.settings.overall[metric].value
    turned = -1.0 if table.settings.directions[metric] == "lower" else 1.0
    unit = turned / spread if isfinite(spread) and spread > 0 else float("nan")
    mean, *ends = ((float(row[name]) - overall) * unit for name in ("mean", "low", "high"))
    tested = row["verdict"] != INSUFFICIENT
    return HeatmapCell(
        row_slice(row).title,
        metric,
        Estimate(mean, min(ends), max(ends), int(row["n"])),
        float(row["difference"]) * unit if tested else None,
        str(row["verdict"]),
        float(row["q"]) if tested else None,
    )
