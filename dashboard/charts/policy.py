"""The trade-off of a policy: what each threshold accepts, and the error that it lets through."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import plotly.graph_objects as go

from core.display.numbers import format_percent
from core.estimates.policy.promise import Promise
from core.estimates.policy.thresholds import CurvePoint
from dashboard.charts.style import finish, tone


def trade_off_chart(
    points: Sequence[CurvePoint], promise: Promise, *, accept_from: float | None, dark: bool
) -> go.Figure:
    """By threshold the share of answers accepted, the failures among accepted labels, and their upper bound; shaded
    where the promise is shown, with lines at ε and at the chosen threshold. Marks carry the threshold as customdata."""
    colours, figure = tone(dark), go.Figure()
    shown = [point.threshold for point in points if point.shown]
    if shown:
        figure.add_vrect(
            x0=min(shown) - 0.005,
            x1=max(shown) + 0.005,
            fillcolor=colours.accent,
            opacity=0.15,
            line_width=0,
            annotation_text="promise shown",
            annotation_position="top left",
            annotation_font_color=colours.ink,
        )
    seen = [point for point in points if isfinite(point.failure_rate)]
    series = (
        ("accepted, of all with a score", [(p.threshold, p.share) for p in points], colours.ink, "dot", None),
        (
            "failures among accepted labels",
            [(p.threshold, p.failure_rate) for p in seen],
            colours.accent,
            "solid",
            seen,
        ),
        ("upper bound at this threshold alone", [(p.threshold, p.bound) for p in seen], colours.quiet, "dash", seen),
    )
    for name, values, colour, dash, labelled in series:
        figure.add_trace(
            go.Scatter(
                x=[x for x, _ in values],
                y=[y for _, y in values],
                name=name,
                mode="lines+markers",
                marker={"size": 5, "color": colour},
                line={"color": colour, "dash": dash, "width": 2},
                customdata=[[f"{x:.2f}"] for x, _ in values],
                text=[f"n = {p.accepted}" for p in labelled] if labelled else [format_percent(y) for _, y in values],
                hovertemplate="from %{x:.2f}: %{y:.1%}<br>%{text}<extra>" + name + "</extra>",
            )
        )
    figure.add_hline(y=promise.error, line={"color": colours.accent, "dash": "dot", "width": 1}, annotation_text="ε")
    if accept_from is not None:
        figure.add_vline(x=accept_from, line={"color": colours.ink, "width": 3})
    figure.update_xaxes(title="accept from this probability of a pass on", range=[0, 1])
    figure.update_yaxes(title="share", range=[0, 1.02], tickformat=".0%")
    figure.update_layout(hovermode="closest", clickmode="event+select")
    return finish(figure, dark=dark, height=380, legend=True)
