"""Every level of every dimension by every metric: low values at a glance. HCAT 6.2, technique 1."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from math import ceil

from hcat.core.figures.heatmap import WeaknessHeatmap, table_cell
from hcat.core.slices.slices import row_slice
from hcat.core.slices.table import WeaknessTable

MOST_METRICS = 12
"""The most columns that are readable."""


def marginal_heatmaps(
    table: WeaknessTable,
    *,
    titles: Mapping[str, str],
    most_metrics: int = MOST_METRICS,
    machine: Container[str] = (),
) -> tuple[WeaknessHeatmap, ...]:
    """Levels of all dimensions as rows, metrics as columns; without metrics that have no better direction.

    A cell is the level's mean, its colour the difference from the rest as a share of its metric's range. More than
    `most_metrics` metrics are divided evenly over several heatmaps. `machine` names the metrics whose scores are
    verdicts of a machine: they come last, in heatmaps of their own. `titles` are those of the metrics."""
    metrics = [name for name, direction in table.settings.directions.items() if direction != "none"]
    rated, judged = ([name for name in metrics if (name in machine) is said] for said in (False, True))
    blocks = [(block, False) for block in _blocks(rated, most_metrics)]
    blocks += [(block, True) for block in _blocks(judged, most_metrics)]
    return tuple(_heatmap(table, block, titles, machine=said) for block, said in blocks)


def _blocks(metrics: Sequence[str], most: int) -> list[Sequence[str]]:
    if not metrics:
        return []
    number = ceil(len(metrics) / most)
    size = ceil(len(metrics) / number)
    return [metrics[start : start + size] for start in range(0, len(metrics), size)]


def _heatmap(
    table: WeaknessTable, metrics: Sequence[str], titles: Mapping[str, str], *, machine: bool
) -> WeaknessHeatmap:
    rows = table.frame[table.frame["dimension_2"].isna() & table.frame["metric"].isin(metrics)]
    names = {name: titles.get(name, name) for name in metrics}
    cells = tuple(table_cell(row, table, row_slice(row).title, names[str(row["metric"])]) for _, row in rows.iterrows())
    levels = tuple(dict.fromkeys(cell.level_1 for cell in cells))
    settings = table.settings
    return WeaknessHeatmap(
        "the mean",
        "level",
        "metric",
        levels,
        tuple(names.values()),
        cells,
        float("nan"),
        q=settings.q,
        minimum_n=settings.minimum_n,
        machine=machine,
    )
