"""The trade-off of a policy: the share that each threshold accepts, and the error among accepted answers."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import plotly.graph_objects as go

from hcat.core.capabilities.policy.drift import Drift
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.thresholds import CurvePoint
from hcat.core.display.numbers import format_count, format_estimate, format_percent
from hcat.dashboard.charts.style import finish, label, tone


def trade_off_chart(
    points: Sequence[CurvePoint], promise: Promise, *, accept_from: float | None, dark: bool
) -> go.Figure:
    """By threshold the share of answers accepted, the failures among accepted labels, and their upper bound. It is
    shaded where the promise is shown, with lines at ε and at the chosen threshold. Marks carry the threshold as
    customdata."""
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
                text=[f"n = {format_count(p.accepted)}" for p in labelled]
                if labelled
                else [format_percent(y) for _, y in values],
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


def drift_chart(drift: Drift, *, dark: bool) -> go.Figure:
    """Each window's own share with its interval, in the order of time; shaded between the bounds from all windows so
    far, with lines at the promised values. The window of the alarm has a mark of its own."""
    colours, figure = tone(dark), go.Figure()
    places = list(range(len(drift.windows)))
    seen = [(place, window) for place, window in enumerate(drift.windows) if window.share.n]
    figure.add_trace(
        go.Scatter(
            x=[*places, *reversed(places)],
            y=[*(window.high for window in drift.windows), *(window.low for window in reversed(drift.windows))],
            mode="lines",
            fill="toself",
            line={"width": 0},
            fillcolor=colours.accent,
            opacity=0.2,
            name="all windows so far",
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[place for place, _ in seen],
            y=[window.share.value for _, window in seen],
            mode="markers",
            name="this window",
            marker={
                "size": [16 if place == drift.alarm else 10 for place, _ in seen],
                "symbol": ["x" if place == drift.alarm else "circle" for place, _ in seen],
                "color": colours.ink,
            },
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [window.share.high - window.share.value for _, window in seen],
                "arrayminus": [window.share.value - window.share.low for _, window in seen],
                "color": colours.ink,
            },
            text=[
                f"{label(window.name)}<br>{format_estimate(window.share, percent=True)}<br>so far "
                f"{format_percent(window.low)} to {format_percent(window.high)}"
                for _, window in seen
            ],
            hovertemplate="%{text}<extra></extra>",
        )
    )
    for edge in {drift.least, drift.most} - {0.0, 1.0}:
        figure.add_hline(y=edge, line={"color": colours.accent, "dash": "dot", "width": 2})
    figure.update_xaxes(
        tickmode="array",
        tickvals=places,
        ticktext=[label(window.name, most=16) for window in drift.windows],
        range=[-0.5, len(places) - 0.5],
        showgrid=False,
    )
    figure.update_yaxes(title=drift.quantity, range=[0, 1.02], tickformat=".0%")
    return finish(figure, dark=dark, height=300, legend=True)
