"""Charts of the correlation between metrics: every pair's rank correlation, and one pair sample by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from hcat.core.display.numbers import format_estimate
from hcat.core.statistics.rank_correlation import RankCorrelations
from hcat.dashboard.charts.style import finish, label, scale, tone

CELL = 22
"""Pixels of a row."""
NAMED_TWICE = 20
"""Up to so many metrics, columns are labelled with names too."""


def correlation_heatmap(
    correlations: RankCorrelations, names: Sequence[str], titles: Mapping[str, str], *, dark: bool
) -> go.Figure:
    """Spearman's ρ of each pair of the named metrics, with interval and n in the hover text.

    Each pair appears once, below the diagonal. Cells carry (first, second) as customdata of transparent markers, which
    answer to clicks.
    """
    pairs = [(i, j) for i in range(len(names)) for j in range(i)]
    values = [[np.nan] * len(names) for _ in names]
    for i, j in pairs:
        estimate = correlations.of(names[i], names[j])
        values[i][j] = np.nan if estimate is None else estimate.value
    shown = [label(titles[name], most=30) for name in names]
    down, across = shown, shown
    if len(names) > NAMED_TWICE:  # names would overlap, so columns have the numbers of the rows
        down, across = [f"{text}  {i}" for i, text in enumerate(shown, 1)], [str(i + 1) for i in range(len(names))]
    figure = go.Figure([_colours(values, dark=dark), _targets(correlations, names, shown, pairs, dark=dark)])
    places = list(range(len(names)))
    last = len(names) - 0.5  # the first row and the last column would hold no pair
    ticks = {"tickmode": "array", "tickvals": places, "showgrid": False, "zeroline": False, "tickfont": {"size": 11}}
    figure.update_xaxes(**ticks, ticktext=across, tickangle=-90, range=[-0.5, last - 1])
    figure.update_yaxes(**ticks, ticktext=down, range=[last, 0.5])
    figure.update_layout(hovermode="closest", clickmode="event+select")
    return finish(
        figure, dark=dark, height=max(320, (230 if across is shown else 60) + CELL * len(names)), legend=False
    )


def _colours(values: list[list[float]], *, dark: bool) -> go.Heatmap:
    return go.Heatmap(
        z=[[None if np.isnan(value) else value for value in row] for row in values],
        x=list(range(len(values))),
        y=list(range(len(values))),
        hoverinfo="skip",
        hoverongaps=False,
        xgap=1,
        ygap=1,
        colorscale=scale(tone(dark).diverging),
        zmin=-1,
        zmax=1,
        colorbar={"title": {"text": "Spearman's ρ", "side": "right"}, "thickness": 12},
    )


def _targets(
    correlations: RankCorrelations,
    names: Sequence[str],
    shown: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    *,
    dark: bool,
) -> go.Scatter:
    def note(i: int, j: int) -> str:
        estimate = correlations.of(names[i], names[j])
        text = "undefined: one of the two never varies" if estimate is None else f"ρ = {format_estimate(estimate)}"
        return f"<b>{shown[i]}<br>{shown[j]}</b><br>{text}"

    return go.Scatter(
        x=[j for _, j in pairs],
        y=[i for i, _ in pairs],
        mode="markers",
        marker={"symbol": "square", "size": CELL - 4, "color": tone(dark).ink, "opacity": 0.0},
        customdata=[[names[j], names[i]] for i, j in pairs],
        text=[note(i, j) for i, j in pairs],
        hovertemplate="%{text}<br>click to see the samples<extra></extra>",
        selected={"marker": {"opacity": 0.3}},
        unselected={"marker": {"opacity": 0.0}},
        showlegend=False,
    )


def metric_scatter(
    x: NDArray[np.float64], y: NDArray[np.float64], sample_ids: Sequence[str], *, x_title: str, y_title: str, dark: bool
) -> go.Figure:
    """One point a sample that both metrics scored, with its id as customdata."""
    both = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    ids = [sample_ids[int(i)] for i in both]
    figure = go.Figure(
        go.Scatter(
            x=x[both],
            y=y[both],
            mode="markers",
            marker={"size": 8, "color": tone(dark).accent, "opacity": 0.6},
            customdata=[[sample_id] for sample_id in ids],
            text=[label(sample_id, most=50) for sample_id in ids],
            hovertemplate="%{text}<br>%{x:.3f}, %{y:.3f}<br>click to open the sample<extra></extra>",
        )
    )
    figure.update_xaxes(title=label(x_title, most=60))
    figure.update_yaxes(title=label(y_title, most=60))
    figure.update_layout(hovermode="closest", clickmode="event+select")
    return finish(figure, dark=dark, height=400, legend=False)
