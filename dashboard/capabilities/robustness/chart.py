"""Variants against their origins: the change of each family, and how it grows with the strength."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import plotly.graph_objects as go

from hcat.core.capabilities.robustness.dose_response import DoseResponse
from hcat.core.display.numbers import counted, format_count, format_difference, format_interval, p_value_text
from hcat.core.display.palette import MUTED, VERDICT_COLORS
from hcat.core.figures.forest import ForestPlot, ForestRow
from hcat.core.types import Estimate
from hcat.dashboard.charts.style import finish, label, tone

ROW = 34


def family_changes(forest: ForestPlot, dark: bool) -> go.Figure:
    """One row a family, worst on top: the mean change with its interval, coloured by its verdict, and a line at no
    change. Marks carry (family,) as customdata for selection."""
    figure = go.Figure()
    rows = forest.rows[::-1]
    places = {row.level: place for place, row in enumerate(rows)}
    for verdict in dict.fromkeys(row.verdict for row in forest.rows):
        group = [row for row in rows if row.verdict == verdict]
        figure.add_trace(
            go.Scatter(
                x=[row.mean.value for row in group],
                y=[places[row.level] for row in group],
                mode="markers",
                name=verdict,
                marker={"size": 11, "color": VERDICT_COLORS.get(verdict, MUTED)},
                error_x=_bars([row.mean for row in group], color=VERDICT_COLORS.get(verdict, MUTED)),
                customdata=[[row.level] for row in group],
                text=[_hover(row) for row in group],
                hovertemplate="%{text}<extra></extra>",
            )
        )
    figure.add_vline(x=forest.overall or 0.0, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[f"{label(row.level)}  n={format_count(row.mean.n)}" for row in rows],
        range=[-0.6, len(rows) - 0.4],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=label(forest.metric, most=60))
    figure.update_layout(hovermode="closest", clickmode="event+select")
    return finish(figure, dark=dark, height=max(200, 110 + ROW * len(rows)), legend=True)


def dose_curve(dose: DoseResponse, *, title: str, dark: bool) -> go.Figure:
    """The mean change at each strength with its interval, from no change at no strength."""
    steps = [step for step in dose.steps if isfinite(step.change.value)]
    figure = go.Figure(
        go.Scatter(
            x=[step.strength for step in steps],
            y=[step.change.value for step in steps],
            mode="lines+markers",
            name=label(dose.family),
            marker={"size": 10, "color": tone(dark).accent},
            line={"color": tone(dark).accent, "width": 2},
            error_y=_bars([step.change for step in steps], color=tone(dark).accent),
            text=[f"n = {format_count(step.n)}, {counted(step.cases, 'origin')}" for step in steps],
            hovertemplate="strength %{x}<br>change %{y:.3f}<br>%{text}<extra></extra>",
        )
    )
    figure.add_hline(y=0.0, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    figure.update_xaxes(title="strength of the variant", range=[0, 1.05])
    figure.update_yaxes(title=label(f"change in {title}", most=60))
    return finish(figure, dark=dark, height=300, legend=False)


def _bars(estimates: Sequence[Estimate], *, color: str) -> dict[str, object]:
    """Error bars up and down; none of estimates without an interval."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [each.high - each.value if isfinite(each.high) else 0.0 for each in estimates],
        "arrayminus": [each.value - each.low if isfinite(each.low) else 0.0 for each in estimates],
        "color": color,
        "thickness": 2,
        "width": 5,
    }


def _hover(row: ForestRow) -> str:
    shown = f"{format_difference(row.mean.value, decimals=3)} {format_interval(row.mean)}".rstrip()
    tested = f", {p_value_text('q', row.q)}" if row.q is not None and isfinite(row.q) else ""
    return f"{label(row.level)}<br>{shown}, n = {format_count(row.mean.n)}<br>{row.verdict}{tested}"
