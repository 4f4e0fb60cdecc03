"""Marginal plots (a violin and every sample per level) and the bivariate heatmap. Source: HCAT 6.2, Figures 5 to 7."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.display.numbers import format_difference, format_estimate, format_number, p_value_text
from core.display.palette import BAD, MUTED, VERDICT_COLORS, readable_on
from core.figures.forest import ForestPlot, ForestRow
from core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from core.weakness.verdicts import SHOWN
from dashboard.charts.style import finish, label, scale, tone

Place = tuple[int, int, HeatmapCell]
"""A cell by row and column number, from the bottom left."""


def marginal_violins(forest: ForestPlot, values: pd.Series, levels: pd.Series, *, metric: str, dark: bool) -> go.Figure:
    """A violin per level with each sample as a point and the mean with its interval on top.

    `values` and `levels` have one entry a sample, indexed by sample id. Points and means carry (level, sample id or "")
    as customdata for selection.
    """
    figure = go.Figure()
    tones = tone(dark)
    rows = forest.rows[::-1]
    generator = np.random.default_rng(7)
    for position, level in enumerate(row.level for row in rows):
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
    figure.add_trace(_level_means(rows, dark=dark))
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[f"{label(row.level)}  n={row.mean.n}" for row in rows],
        range=[-0.6, len(rows) - 0.4],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=label(metric, most=60))
    figure.update_layout(hovermode="closest", clickmode="event+select")
    return finish(figure, dark=dark, height=max(220, 70 + 56 * len(rows)), legend=False)


def _level_means(rows: Sequence[ForestRow], *, dark: bool) -> go.Scatter:
    known = [row.mean if math.isfinite(row.mean.low) else None for row in rows]
    return go.Scatter(
        x=[row.mean.value for row in rows],
        y=list(range(len(rows))),
        mode="markers",
        marker={
            "size": 14,
            "symbol": "diamond",
            "color": [VERDICT_COLORS.get(row.verdict, MUTED) for row in rows],
            "line": {"width": 1.5, "color": tone(dark).paper},
        },
        error_x={
            "array": [0.0 if mean is None else mean.high - mean.value for mean in known],
            "arrayminus": [0.0 if mean is None else mean.value - mean.low for mean in known],
            "symmetric": False,
            "thickness": 2,
            "width": 6,
            "color": tone(dark).ink,
        },
        customdata=[[row.level, ""] for row in rows],
        text=[_hover(row) for row in rows],
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )


def _hover(slice_: ForestRow | HeatmapCell) -> str:
    lines = [f"mean {format_estimate(slice_.mean)}", f"verdict: {slice_.verdict}"]
    if slice_.difference is not None and slice_.q is not None:
        lines.insert(
            1, f"{format_difference(slice_.difference, decimals=3)} from the rest, {p_value_text('q', slice_.q)}"
        )
    return "<br>".join(lines)


def heatmap(data: WeaknessHeatmap, *, metric: str, dark: bool) -> go.Figure:
    """The mean of every pair of levels, with n in the cell; weak cells are framed, thin ones grey.

    The coloured cells are below a layer of transparent markers, which alone answer to clicks and carry (level_1,
    level_2) as customdata. `metric` is the title of the scale.
    """
    rows, columns = data.rows[::-1], data.columns
    places = [(rows.index(cell.level_1), columns.index(cell.level_2), cell) for cell in data.cells]
    figure = go.Figure([_colours(data, places, metric, dark=dark), _targets(places, dark=dark)])
    _draw_notes(figure, data, places, dark=dark)
    figure.update_xaxes(
        tickmode="array",
        tickvals=list(range(len(columns))),
        ticktext=[label(level, most=22) for level in columns],
        side="top",
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(columns) - 0.5],
        tickangle=0 if len(columns) < 6 else -35,
    )
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[label(level) for level in rows],
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(rows) - 0.5],
    )
    figure.update_layout(hovermode="closest", hoverdistance=-1, clickmode="event+select")
    return finish(figure, dark=dark, height=max(260, 110 + 46 * len(rows)), legend=False)


def _colours(data: WeaknessHeatmap, places: Sequence[Place], metric: str, *, dark: bool) -> go.Heatmap:
    values = {(i, j): cell.value for i, j, cell in places}
    return go.Heatmap(
        z=[[values.get((i, j)) for j in range(len(data.columns))] for i in range(len(data.rows))],
        x=list(range(len(data.columns))),
        y=list(range(len(data.rows))),
        hoverinfo="skip",
        xgap=2,
        ygap=2,
        colorscale=scale(data.scale(tone(dark).diverging)),
        zmin=data.limits[0],
        zmax=data.limits[1],
        colorbar={"title": {"text": label(metric, most=24), "side": "right"}, "thickness": 12, "len": 0.9},
    )


def _targets(places: Sequence[Place], *, dark: bool) -> go.Scatter:
    return go.Scatter(
        x=[j for _, j, _ in places],
        y=[i for i, _, _ in places],
        mode="markers",
        showlegend=False,
        marker={"symbol": "square", "size": 40, "color": tone(dark).ink, "opacity": 0.0},
        customdata=[[cell.level_1, cell.level_2] for _, _, cell in places],
        text=[f"<b>{label(cell.level_1)} × {label(cell.level_2)}</b><br>{_hover(cell)}" for _, _, cell in places],
        hovertemplate="%{text}<br>click to open the samples<extra></extra>",
        selected={"marker": {"opacity": 0.25}},
        unselected={"marker": {"opacity": 0.0}},
    )


def _draw_notes(figure: go.Figure, data: WeaknessHeatmap, places: Sequence[Place], *, dark: bool) -> None:
    """The mean and n in each cell, and a frame around those that are shown to be worse."""
    tones = tone(dark)
    for i, j, cell in places:
        n = f"n={cell.mean.n}"
        text = n if cell.value is None else f"<b>{format_number(cell.value)}</b><br>{n}"
        color = data.color(cell, tones.diverging)
        ink = MUTED if color is None else readable_on(color, (tones.ink, tones.paper))
        figure.add_annotation(x=j, y=i, text=text, showarrow=False, font={"size": 11, "color": ink})
        if cell.verdict in SHOWN:
            figure.add_shape(
                type="rect", x0=j - 0.47, x1=j + 0.47, y0=i - 0.46, y1=i + 0.46, line={"color": BAD, "width": 3}
            )
