"""The map of topics: one point a sample, near to what it resembles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.display.palette import CATEGORICAL, MUTED
from dashboard.charts.style import finish, label, plain, scale, tone


def topic_map(
    coordinates: NDArray[np.float64],
    *,
    sample_ids: Sequence[str],
    texts: Sequence[str],
    groups: Sequence[str],
    dark: bool,
    colors: Mapping[str, str] | None = None,
    absent: Collection[str] = (),
    names: Sequence[str] = (),
) -> go.Figure:
    """Samples on the plane (n, 2), coloured by a categorical attribute. Points carry the sample id.

    `colors` are those of attributes that mean something, in their order, such as pass and fail; `absent` are those of
    samples without the attribute, grey and last. `names` (n,) are the topics of the points, each written once in the
    middle of its points; an empty one is not written.
    """
    figure = go.Figure()
    meant = dict(colors or {})
    order = {name: place for place, name in enumerate(meant)}
    levels = sorted(set(groups), key=lambda name: (name in absent, order.get(name, len(order)), name))
    member = np.asarray(groups)
    for position, name in enumerate(levels):
        rows = np.flatnonzero(member == name).tolist()
        color = MUTED if name in absent else CATEGORICAL[position % len(CATEGORICAL)]
        color = meant.get(name, color)
        symbol = ("circle", "diamond", "square", "triangle-up")[(position // len(CATEGORICAL)) % 4]
        figure.add_trace(
            _points(
                coordinates[rows], [sample_ids[row] for row in rows], [texts[row] for row in rows], name=label(name)
            )
        )
        figure.data[-1].marker.update(color=color, symbol=symbol, line={"width": 0.5, "color": tone(dark).paper})
    _write_names(figure, coordinates, names, dark=dark)
    return _plane(figure, dark=dark, legend=len(levels) <= 16)


def value_map(
    coordinates: NDArray[np.float64],
    *,
    sample_ids: Sequence[str],
    texts: Sequence[str],
    values: NDArray[np.float64],
    title: str,
    higher_is_better: bool,
    dark: bool,
) -> go.Figure:
    """Samples on the plane, coloured by a metric; unscored samples are grey."""
    figure = go.Figure()
    has_value = np.isfinite(values)
    for rows, name in ((np.flatnonzero(~has_value).tolist(), "unscored"), (np.flatnonzero(has_value).tolist(), title)):
        trace = _points(
            coordinates[rows], [sample_ids[row] for row in rows], [texts[row] for row in rows], name=label(name)
        )
        figure.add_trace(trace)
        figure.data[-1].marker.update(color=MUTED, line={"width": 0.5, "color": tone(dark).paper})
    colors = tone(dark).diverging if higher_is_better else tone(dark).diverging[::-1]
    figure.data[-1].marker.update(
        color=values[has_value],
        colorscale=scale(colors),
        showscale=True,
        colorbar={"title": {"text": label(title, most=24), "side": "right"}, "thickness": 12},
    )
    return _plane(figure, dark=dark, legend=False)


def _write_names(figure: go.Figure, coordinates: NDArray[np.float64], names: Sequence[str], *, dark: bool) -> None:
    """Each name once, at the median of its points: one of them, wherever the others lie."""
    member = np.asarray(names)
    for name in sorted(set(names) - {""}):
        own = coordinates[member == name]
        x, y = own[int(np.abs(own - np.median(own, axis=0)).sum(axis=1).argmin())]
        figure.add_annotation(
            x=x,
            y=y,
            text=label(name, most=28),
            showarrow=False,
            font={"size": 12, "color": tone(dark).ink},
            bgcolor=tone(dark).paper,
            opacity=0.85,
            borderpad=2,
        )


def _points(coordinates: NDArray[np.float64], ids: list[str], texts: list[str], *, name: str) -> go.Scatter:
    return go.Scatter(
        x=coordinates[:, 0],
        y=coordinates[:, 1],
        mode="markers",
        name=name,
        marker={"size": 9, "opacity": 0.9},
        customdata=[[sample_id] for sample_id in ids],
        text=[plain(text) for text in texts],
        hovertemplate="%{text}<extra>" + name + "</extra>",
    )


def _plane(figure: go.Figure, *, dark: bool, legend: bool) -> go.Figure:
    finish(figure, dark=dark, height=560, legend=legend)
    figure.update_layout(
        dragmode="lasso",
        clickmode="event+select",
        hovermode="closest",
        legend={"orientation": "h", "yanchor": "top", "y": -0.02, "x": 0},
        margin_r=44,  # the buttons stand beside the points, not over them
        modebar={"orientation": "v", "bgcolor": "rgba(0,0,0,0)"},
    )
    figure.update_xaxes(showticklabels=False, zeroline=False, showgrid=False)
    figure.update_yaxes(showticklabels=False, zeroline=False, showgrid=False)
    return figure
