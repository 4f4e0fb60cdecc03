"""Charts of the precision of the estimate as labels were added, and of the gain expected from more labels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from hcat.core.display.palette import BAD, MUTED
from hcat.core.estimates.learning import ForecastPoint, LearningPoint
from hcat.dashboard.charts.style import finish, tone


def rate_over_labels(points: Sequence[LearningPoint], *, threshold: float | None, dark: bool) -> go.Figure:
    """The pass rate with its interval after the first labels, and the threshold that a decision hangs on."""
    with_interval = [point for point in points if math.isfinite(point.estimates.ppi.low)]
    n = [point.labels for point in with_interval]
    accent = tone(dark).accent
    figure = go.Figure(
        _band(n, [(p.estimates.ppi.low, p.estimates.ppi.high) for p in with_interval], accent, "95% interval")
    )
    figure.add_trace(
        go.Scatter(
            x=n,
            y=[point.estimates.ppi.value for point in with_interval],
            mode="lines+markers",
            name="pass rate, PPI++",
            line={"color": accent},
            hovertemplate="%{x} labels: %{y:.1%}<extra></extra>",
        )
    )
    if threshold is not None:
        figure.add_hline(y=threshold, line={"color": BAD, "dash": "dash"}, annotation_text=f"threshold {threshold:.0%}")
    figure.update_xaxes(title="labels, oldest first")
    figure.update_yaxes(title="pass rate", tickformat=".0%", range=[0, 1.02])
    return finish(figure, dark=dark, height=340)


def width_over_labels(
    points: Sequence[LearningPoint], ahead: Sequence[ForecastPoint], *, target: float | None, dark: bool
) -> go.Figure:
    """The width of the interval: as it was with labels only and with PPI++, and as it is forecast to be."""
    with_interval = [point for point in points if math.isfinite(point.estimates.ppi.low)]
    accent = tone(dark).accent
    figure = go.Figure()
    for name, color, estimates in (
        ("labels only", MUTED, [point.estimates.labels_only for point in with_interval]),
        ("PPI++", accent, [point.estimates.ppi for point in with_interval]),
    ):
        figure.add_trace(
            go.Scatter(
                x=[point.labels for point in with_interval],
                y=[estimate.high - estimate.low for estimate in estimates],
                mode="lines+markers",
                name=f"observed, {name}",
                line={"color": color},
                hovertemplate="%{x} labels: %{y:.1%} wide<extra></extra>",
            )
        )
    if ahead:
        n = [point.labels for point in ahead]
        figure.add_trace(_band(n, [(p.low, p.high) for p in ahead], accent, "range of the forecast"))
        figure.add_trace(
            go.Scatter(
                x=n,
                y=[point.width for point in ahead],
                mode="lines",
                name="forecast, PPI++",
                line={"color": accent, "dash": "dot"},
                hovertemplate="%{x} labels: about %{y:.1%} wide<extra></extra>",
            )
        )
    if target is not None:
        figure.add_hline(
            y=target,
            line={"color": BAD, "dash": "dash"},
            annotation_text=f"target: {target:.0%}",
            annotation_position="bottom left",
        )
    figure.update_xaxes(title="labels")
    figure.update_yaxes(title="width of the interval", tickformat=".0%", rangemode="tozero")
    return finish(figure, dark=dark, height=340)


def _band(n: Sequence[int], ends: Sequence[tuple[float, float]], color: str, name: str) -> go.Scatter:
    low, high = [end[0] for end in ends], [end[1] for end in ends]
    return go.Scatter(
        x=[*n, *reversed(n)],
        y=[*high, *reversed(low)],
        fill="toself",
        fillcolor=color,
        opacity=0.18,
        line={"width": 0},
        mode="lines",
        name=name,
        hoverinfo="skip",
    )
