"""Marginal plots: a violin and every sample per level. Source: HCAT 6.2, Figures 5 and 6."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hcat.core.display.numbers import format_count, format_difference, format_estimate, p_value_text
from hcat.core.display.palette import MUTED, VERDICT_COLORS
from hcat.core.figures.forest import ForestPlot, ForestRow
from hcat.dashboard.charts.style import finish, label, tone

MOST_VALUES, FEWEST_POINTS, MOST_POINTS = 1_000, 100, 5_000
"""A violin's shape follows from so many values of its level; points of a level, and of all: a browser takes seconds to
draw more."""


def points_of_a_level(levels: int) -> int:
    """The maximum number of points drawn for each of so many levels."""
    return max(FEWEST_POINTS, min(MOST_VALUES, MOST_POINTS // max(levels, 1)))


def marginal_violins(forest: ForestPlot, values: pd.Series, levels: pd.Series, *, metric: str, dark: bool) -> go.Figure:
    """A violin per level with each sample as a point and the mean with its interval on top.

    `values` and `levels` have one entry a sample, indexed by sample id. Points and means carry (level, sample id or "")
    as customdata for selection. Of a level with more values than `points_of_a_level` as many points are drawn, evenly
    through their order.
    """
    figure = go.Figure()
    tones = tone(dark)
    rows = forest.rows[::-1]
    generator = np.random.default_rng(7)
    places = values.groupby(levels.reindex(values.index).astype("category").array, observed=True).indices
    for position, level in enumerate(row.level for row in rows):
        shape = _evenly(values.iloc[places.get(level, [])].dropna(), MOST_VALUES)
        chosen = _evenly(shape, points_of_a_level(len(rows)))
        if len(shape) >= 5:
            figure.add_trace(
                go.Violin(
                    x=shape,
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
        ticktext=[f"{label(row.level)}  n={format_count(row.mean.n)}" for row in rows],
        range=[-0.6, len(rows) - 0.4],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=label(metric, most=60))
    figure.update_layout(hovermode="closest", clickmode="event+select")
    return finish(figure, dark=dark, height=max(220, 70 + 56 * len(rows)), legend=False)


def _evenly(values: pd.Series, most: int) -> pd.Series:
    """All values of a level, or as many as requested at equal steps of their order. The lowest and the highest are
    among them, and the shape is the same."""
    if len(values) <= most:
        return values
    places = np.linspace(0, len(values) - 1, most).round().astype(np.intp)
    return values.iloc[np.argsort(values.to_numpy(), kind="stable")[places]]


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


def _hover(slice_: ForestRow) -> str:
    lines = [f"mean {format_estimate(slice_.mean)}", f"verdict: {slice_.verdict}"]
    if slice_.difference is not None and slice_.q is not None:
        lines.insert(
            1, f"{format_difference(slice_.difference, decimals=3)} from the rest, {p_value_text('q', slice_.q)}"
        )
    return "<br>".join(lines)
