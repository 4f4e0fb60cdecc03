"""Rates with their intervals in rows: the gain from labels, slices as a forest, and the difference of two runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from hcat.core.display.numbers import format_count, format_estimate, format_number
from hcat.core.display.palette import BAD, MUTED
from hcat.core.estimates.paired_difference import DifferenceEstimates
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.estimates.slices import SliceEstimate
from hcat.core.types import Estimate
from hcat.dashboard.charts.style import finish, label, tone

NAIVE, LABELS_ONLY, POWERED = "Naive (machine)", "Labels only", "PPI++ (both)"
ROW = 34


def what_labels_bought(estimates: PassRateEstimates, *, dark: bool) -> go.Figure:
    """The three estimates with their intervals, and next to them the number of random labels to which each is
    equivalent."""
    figure = make_subplots(cols=2, column_widths=[0.66, 0.34], shared_yaxes=True, horizontal_spacing=0.04)
    rows = (
        (NAIVE, estimates.naive, BAD),
        (LABELS_ONLY, estimates.labels_only, MUTED),
        (POWERED, estimates.ppi, _accent(dark)),
    )
    for name, estimate, color in rows:
        figure.add_trace(_row([name], [estimate], name, color, percent=True), row=1, col=1)
    worth = (estimates.labels_only_effective_n, estimates.effective_n)
    figure.add_trace(
        go.Bar(
            x=[None if math.isnan(n) else n for n in worth],
            y=[LABELS_ONLY, POWERED],
            orientation="h",
            marker={"color": [MUTED, _accent(dark)]},
            text=["" if math.isnan(n) else format_number(n, decimals=0) for n in worth],
            textposition="outside",
            cliponaxis=False,
            width=0.45,
            hovertemplate="as precise as %{x:.0f} random labels<extra></extra>",
            name="worth",
        ),
        row=1,
        col=2,
    )
    figure.add_annotation(x=0, y=NAIVE, text="no label used", xanchor="left", showarrow=False, row=1, col=2)
    figure.update_yaxes(categoryorder="array", categoryarray=[POWERED, LABELS_ONLY, NAIVE])
    figure.update_xaxes(title="pass rate of the whole run", tickformat=".0%", range=[-0.02, 1.02], row=1, col=1)
    top = max((n for n in worth if not math.isnan(n)), default=1.0)
    figure.update_xaxes(title="worth in random labels", range=[0, 1.25 * top], row=1, col=2)
    return finish(figure, dark=dark, height=270, legend=False)


def forest(slices: Sequence[SliceEstimate], overall: Estimate, *, dark: bool) -> go.Figure:
    """One row a level: PPI++ with its interval, labels only behind it, and a line at the whole run's rate.

    Levels without enough labels have no mark, only their n.
    """
    names = [label(level.level, most=44) for level in slices]
    enough = [position for position, level in enumerate(slices) if level.enough]
    figure = go.Figure()
    for title, color, shift, estimates in (
        (LABELS_ONLY, MUTED, 0.22, [slices[position].estimates.labels_only for position in enough]),
        (POWERED, _accent(dark), 0.0, [slices[position].estimates.ppi for position in enough]),
    ):
        trace = _row([position - shift for position in enough], estimates, title, color, percent=True)
        figure.add_trace(trace.update(customdata=[[slices[position].level] for position in enough]))
    if not math.isnan(overall.value):
        figure.add_vline(x=overall.value, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    for position, level in enumerate(slices):
        n = f"n = {format_count(level.estimates.n_labels)}"
        text = f"{n}, worth {format_number(level.estimates.effective_n, decimals=0)}" if level.enough else n
        where = {"x": 1.0, "xref": "paper", "xanchor": "left", "xshift": 8}
        figure.add_annotation(y=position, text=text, showarrow=False, font={"size": 12}, **where)
        if not level.enough:
            figure.add_annotation(x=0.02, y=position, text="insufficient evidence", xanchor="left", showarrow=False)
    figure.update_yaxes(
        tickvals=list(range(len(slices))),
        ticktext=names,
        range=[len(slices) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title="pass rate", tickformat=".0%", range=[-0.02, 1.02])
    finish(figure, dark=dark, height=110 + ROW * max(len(slices), 2))
    return figure.update_layout(margin={"r": 130})


def difference_rows(difference: DifferenceEstimates, *, first: str, second: str, dark: bool) -> go.Figure:
    """The difference three ways around a line at no difference."""
    figure = go.Figure()
    rows = (
        (NAIVE, difference.naive, BAD),
        (LABELS_ONLY, difference.labels_only, MUTED),
        (POWERED, difference.ppi, _accent(dark)),
    )
    for name, estimate, color in rows:
        figure.add_trace(_row([name], [estimate], name, color, percent=True))
    figure.add_vline(x=0, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    figure.update_yaxes(categoryorder="array", categoryarray=[POWERED, LABELS_ONLY, NAIVE])
    figure.update_xaxes(title=f"{label(second)} less {label(first)}, in share of answers that pass", tickformat="+.0%")
    return finish(figure, dark=dark, height=240, legend=False)


def _row(
    y: Sequence[str] | Sequence[float], estimates: Sequence[Estimate], name: str, color: str, *, percent: bool
) -> go.Scatter:
    return go.Scatter(
        x=[_known(estimate.value) for estimate in estimates],
        y=list(y),
        mode="markers",
        name=name,
        marker={"color": color, "size": 11},
        error_x={
            "array": [_known(estimate.high - estimate.value) for estimate in estimates],
            "arrayminus": [_known(estimate.value - estimate.low) for estimate in estimates],
            "symmetric": False,
            "thickness": 3,
            "width": 6,
            "color": color,
        },
        text=[f"{name}: {format_estimate(estimate, percent=percent)}" for estimate in estimates],
        hovertemplate="%{text}<extra></extra>",
    )


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _accent(dark: bool) -> str:
    return tone(dark).accent
