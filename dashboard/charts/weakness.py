"""Marginal plots (a violin and every sample per level) and the bivariate heatmap. Source: HCAT 6.2, Figures 5 to 7."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.display.numbers import format_estimate, format_p_value
from core.display.palette import BAD, MUTED, VERDICT_COLORS
from core.types import Estimate
from core.weakness.table import INSUFFICIENT, WEAK
from dashboard.charts.style import finish, label, scale, tone


def marginal_violins(
    rows: pd.DataFrame, values: pd.Series, levels: pd.Series, *, order: Sequence[str], metric: str, dark: bool
) -> go.Figure:
    """A violin per level with each sample as a point and the mean with its interval on top.

    `rows` are the marginal rows of one dimension in a weakness table, `values` and `levels` one entry a sample,
    indexed by sample id; `order` is that of the levels from top to bottom. Points and means carry (level, sample id
    or "") as customdata for selection.
    """
    figure = go.Figure()
    tones = tone(dark)
    order = [level for level in reversed(order) if level in set(rows["level_1"])]
    generator = np.random.default_rng(7)
    for position, level in enumerate(order):
        chosen = values[levels == level].dropna()
        if len(chosen) >= 5:
            figure.add_trace(
                go.Violin(
                    x=chosen,
                    y0=position,
                    orientation="h",
                    side="both",
                    width=0.85,
                    points=False,
                    hoverinfo="skip",
                    line={"width": 0},
                    fillcolor=tones.accent,
                    opacity=0.22,
                    spanmode="hard",
                    showlegend=False,
                )
            )
        figure.add_trace(
            go.Scatter(
                x=chosen,
                y=position + generator.uniform(-0.24, 0.24, len(chosen)),
                mode="markers",
                showlegend=False,
                marker={"size": 6, "color": tones.accent, "opacity": 0.55},
                customdata=[[level, sample_id] for sample_id in chosen.index],
                text=[label(str(sample_id), most=50) for sample_id in chosen.index],
                hovertemplate="%{text}<br>" + label(metric) + " %{x:.3f}<extra></extra>",
            )
        )
    figure.add_trace(_level_means(rows.set_index("level_1").loc[order], dark=dark))
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(order))),
        ticktext=[f"{label(str(level))}  n={int(n)}" for level, n in zip(order, _sizes(rows, order), strict=True)],
        range=[-0.6, len(order) - 0.4],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=label(metric, most=60))
    figure.update_layout(hovermode="closest", clickmode="event+select")
    return finish(figure, dark=dark, height=max(220, 70 + 56 * len(order)), legend=False)


def _sizes(rows: pd.DataFrame, order: list[str]) -> list[int]:
    return [int(n) for n in rows.set_index("level_1").loc[order, "n"]]


def _level_means(rows: pd.DataFrame, *, dark: bool) -> go.Scatter:
    low = (rows["mean"] - rows["low"]).fillna(0.0)
    high = (rows["high"] - rows["mean"]).fillna(0.0)
    return go.Scatter(
        x=rows["mean"],
        y=list(range(len(rows))),
        mode="markers",
        marker={
            "size": 14,
            "symbol": "diamond",
            "color": [VERDICT_COLORS.get(str(verdict), MUTED) for verdict in rows["verdict"]],
            "line": {"width": 1.5, "color": tone(dark).paper},
        },
        error_x={
            "array": high,
            "arrayminus": low,
            "symmetric": False,
            "thickness": 2,
            "width": 6,
            "color": tone(dark).ink,
        },
        customdata=[[level, ""] for level in rows.index],
        text=[_cell_text(row) for _, row in rows.iterrows()],
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )


def _cell_title(cell: pd.Series) -> str:
    return f"<b>{label(str(cell['level_1']))} × {label(str(cell['level_2']))}</b><br>"


def _cell_text(row: pd.Series) -> str:
    estimate = Estimate(float(row["mean"]), float(row["low"]), float(row["high"]), int(row["n"]))
    lines = [f"mean {format_estimate(estimate)}", f"verdict: {row['verdict']}"]
    if not math.isnan(float(row["q"])):
        lines.insert(1, f"{float(row['difference']):+.3f} from the rest, q = {format_p_value(float(row['q']))}")
    return "<br>".join(lines)


@dataclass(frozen=True, slots=True)
class _Grid:
    """The cells of two dimensions by where they are drawn: row and column number, from the bottom left."""

    rows: list[str]
    columns: list[str]
    cells: list[tuple[int, int, pd.Series]]
    centre: float
    spread: float

    def mean(self, row: int, column: int) -> float | None:
        """The mean that colours a cell; None where there is none or too few samples."""
        found = (cell for i, j, cell in self.cells if (i, j) == (row, column))
        cell = next(found, None)
        return None if cell is None or cell["verdict"] == INSUFFICIENT else float(cell["mean"])


def heatmap(
    cells: pd.DataFrame,
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    metric: str,
    centre: float,
    higher_is_better: bool,
    dark: bool,
) -> go.Figure:
    """The mean of every pair of levels, with n in the cell; weak cells are framed, thin ones grey.

    `rows` and `columns` are the levels of the two dimensions in their order; those without a cell are left out.
    Colours diverge at `centre`, the mean of the whole run. The coloured cells are below a layer of transparent
    markers, which alone answer to clicks and carry (level_1, level_2) as customdata.
    """
    grid = _grid(cells, rows, columns, centre)
    figure = go.Figure(
        [_colours(grid, metric, higher_is_better=higher_is_better, dark=dark), _targets(grid, dark=dark)]
    )
    _draw_notes(figure, grid, dark=dark)
    figure.update_xaxes(
        tickmode="array",
        tickvals=list(range(len(grid.columns))),
        ticktext=[label(level, most=22) for level in grid.columns],
        side="top",
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(grid.columns) - 0.5],
        tickangle=0 if len(grid.columns) < 6 else -35,
    )
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(grid.rows))),
        ticktext=[label(level) for level in grid.rows],
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(grid.rows) - 0.5],
    )
    figure.update_layout(hovermode="closest", hoverdistance=-1, clickmode="event+select")
    return finish(figure, dark=dark, height=max(260, 110 + 46 * len(grid.rows)), legend=False)


def _grid(cells: pd.DataFrame, rows: Sequence[str], columns: Sequence[str], centre: float) -> _Grid:
    first = [level for level in reversed(rows) if level in set(cells["level_1"])]
    second = [level for level in columns if level in set(cells["level_2"])]
    places = [(first.index(cell["level_1"]), second.index(cell["level_2"]), cell) for _, cell in cells.iterrows()]
    spread = [abs(float(cell["mean"]) - centre) for _, _, cell in places if cell["verdict"] != INSUFFICIENT]
    return _Grid(first, second, places, centre, max(spread, default=0.0) or 1.0)


def _colours(grid: _Grid, metric: str, *, higher_is_better: bool, dark: bool) -> go.Heatmap:
    colors = tone(dark).diverging if higher_is_better else tone(dark).diverging[::-1]
    return go.Heatmap(
        z=[[grid.mean(i, j) for j in range(len(grid.columns))] for i in range(len(grid.rows))],
        x=list(range(len(grid.columns))),
        y=list(range(len(grid.rows))),
        hoverinfo="skip",
        xgap=2,
        ygap=2,
        colorscale=scale(colors),
        zmin=grid.centre - grid.spread,
        zmax=grid.centre + grid.spread,
        colorbar={"title": {"text": label(metric, most=24), "side": "right"}, "thickness": 12, "len": 0.9},
    )


def _targets(grid: _Grid, *, dark: bool) -> go.Scatter:
    return go.Scatter(
        x=[j for _, j, _ in grid.cells],
        y=[i for i, _, _ in grid.cells],
        mode="markers",
        showlegend=False,
        marker={"symbol": "square", "size": 40, "color": tone(dark).ink, "opacity": 0.0},
        customdata=[[str(cell["level_1"]), str(cell["level_2"])] for _, _, cell in grid.cells],
        text=[_cell_title(cell) + _cell_text(cell) for _, _, cell in grid.cells],
        hovertemplate="%{text}<br>click to open the samples<extra></extra>",
        selected={"marker": {"opacity": 0.25}},
        unselected={"marker": {"opacity": 0.0}},
    )


def _draw_notes(figure: go.Figure, grid: _Grid, *, dark: bool) -> None:
    """The mean and n in each cell, and a frame around the weak ones."""
    for i, j, cell in grid.cells:
        thin = cell["verdict"] == INSUFFICIENT
        text = f"n={int(cell['n'])}" if thin else f"<b>{float(cell['mean']):.2f}</b><br>n={int(cell['n'])}"
        strong = not thin and abs(float(cell["mean"]) - grid.centre) > 0.6 * grid.spread
        ink = MUTED if thin else tone(dark).paper if strong else tone(dark).ink
        figure.add_annotation(x=j, y=i, text=text, showarrow=False, font={"size": 11, "color": ink})
        if cell["verdict"] == WEAK:
            figure.add_shape(
                type="rect", x0=j - 0.47, x1=j + 0.47, y0=i - 0.46, y1=i + 0.46, line={"color": BAD, "width": 3}
            )
