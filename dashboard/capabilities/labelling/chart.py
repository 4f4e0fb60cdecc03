"""Charts of q̂, coverage, AUC and the corrected pass rate over the number of labels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from hcat.core.display.numbers import format_estimate
from hcat.core.display.palette import BAD
from hcat.core.estimates.label_evaluation import HistoryPoint
from hcat.core.types import Estimate
from hcat.dashboard.charts.style import finish, tone

PANELS = ("threshold q̂", "coverage", "AUC", "pass rate, PPI++")


def label_history(points: Sequence[HistoryPoint], *, alpha: float, at: int | None, dark: bool) -> go.Figure:
    """Four small charts over the number of labels, three with 95% bands; a line at `at`, the position of the replay.

    q̂ is hollow where labels were too few for α. Coverage has a line at 1 − α.
    """
    figure = make_subplots(rows=1, cols=4, subplot_titles=PANELS, horizontal_spacing=0.09)
    with_threshold = [point for point in points if not math.isnan(point.q_hat)]
    accent = tone(dark).accent
    figure.add_trace(
        go.Scatter(
            x=[point.labels for point in with_threshold],
            y=[point.q_hat for point in with_threshold],
            mode="lines+markers",
            line={"color": accent},
            marker={"symbol": ["circle" if point.enough else "circle-open" for point in with_threshold], "size": 8},
            hovertemplate="%{x} labels: q̂ = %{y:.3f}<extra></extra>",
            name=PANELS[0],
        ),
        row=1,
        col=1,
    )
    columns: tuple[list[tuple[int, Estimate]], ...] = (
        [(point.labels, point.coverage) for point in points if point.coverage is not None],
        [(point.labels, point.auc) for point in points if point.auc is not None],
        [(point.labels, point.pass_rate) for point in points],
    )
    for column, (name, values) in enumerate(zip(PANELS[1:], columns, strict=True), start=2):
        for trace in _band(values, accent, name=name):
            figure.add_trace(trace, row=1, col=column)
    figure.add_hline(y=1 - alpha, line={"color": BAD, "dash": "dash", "width": 1}, row=1, col=2)
    figure.add_hline(y=0.5, line={"color": BAD, "dash": "dash", "width": 1}, row=1, col=3)
    for column in range(1, 5):
        if at is not None:
            figure.add_vline(x=at, line={"color": tone(dark).ink, "dash": "dot", "width": 1}, row=1, col=column)
        figure.update_xaxes(title="labels", range=[0, 1.05 * max((p.labels for p in points), default=1)], col=column)
        figure.update_yaxes(range=[-0.03, 1.05], tickformat=".0%" if column in (2, 4) else ".1f", col=column)
    finish(figure, dark=dark, height=250, legend=False)
    figure.update_annotations(font={"size": 13})
    return figure.update_layout(margin={"t": 36})


def _band(values: Sequence[tuple[int, Estimate]], color: str, *, name: str) -> tuple[go.Scatter, go.Scatter]:
    bounded = [(n, e) for n, e in values if math.isfinite(e.low) and math.isfinite(e.high)]
    lone = [(n, e) for n, e in values if math.isfinite(e.value)]
    n = [n for n, _ in bounded]
    return (
        go.Scatter(
            x=[*n, *reversed(n)],
            y=[*(e.low for _, e in bounded), *(e.high for _, e in reversed(bounded))],
            fill="toself",
            mode="lines",
            line={"width": 0},
            fillcolor=color,
            opacity=0.25,
            hoverinfo="skip",
            name=f"{name}, 95% interval",
        ),
        go.Scatter(
            x=[n for n, _ in lone],
            y=[e.value for _, e in lone],
            mode="lines+markers",
            line={"color": color},
            text=[format_estimate(e, percent=name != PANELS[2]) for _, e in lone],
            hovertemplate="%{x} labels: %{text}<extra></extra>",
            name=name,
        ),
    )
