"""Chart of each metric's contribution to one sample's log-odds, from the baseline to their sum."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import plotly.graph_objects as go

from hcat.core.display.numbers import format_difference, format_number
from hcat.core.display.palette import BAD, GOOD, MUTED
from hcat.dashboard.charts.style import finish, label, tone

BASELINE, TOTAL = "baseline: every metric at its mean", "log-odds of a pass"


def contribution_bars(baseline: float, added: Sequence[tuple[str, float]], *, dark: bool) -> go.Figure:
    """Bars that begin where the one before ends: the baseline, each metric's part in order, and from 0 their sum."""
    total = baseline + sum(value for _, value in added)
    names = [BASELINE, *(label(name, most=44) for name, _ in added), TOTAL]
    values = [baseline, *(value for _, value in added), total]
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            y=names,
            x=values,
            measure=["absolute", *("relative" for _ in added), "total"],
            text=[
                format_number(baseline),
                *(format_difference(value) for _, value in added),
                format_number(total),
            ],
            textposition="outside",
            cliponaxis=False,
            increasing={"marker": {"color": GOOD}},
            decreasing={"marker": {"color": BAD}},
            totals={"marker": {"color": MUTED}},
            connector={"line": {"color": tone(dark).faint, "width": 1}},
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    ends = [0.0, *accumulate((value for _, value in added), initial=baseline)]
    room = 0.3 * max(max(ends) - min(ends), 1.0)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    bounds = [min(ends) - room, max(ends) + room]
    figure.update_xaxes(title="log-odds of a pass: right of 0, a pass is likelier than not", range=bounds)
    figure.add_vline(x=0, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    return finish(figure, dark=dark, height=120 + 38 * len(names), legend=False)
