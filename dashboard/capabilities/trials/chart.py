"""Repeated trials: how often each test case does well, and where the variance of judgements lies."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from hcat.core.capabilities.trials.variance_components import Component
from hcat.core.display.numbers import counted, format_estimate
from hcat.core.display.palette import BAD
from hcat.core.estimates.probabilistic import CaseScore
from hcat.dashboard.charts.style import finish, label, tone

MOST_CASES = 60


def case_probabilities(cases: Sequence[CaseScore], titles: Sequence[str], *, dark: bool) -> go.Figure:
    """P(E=1|Q) of each test case from the lowest on, and what people expect of it. `titles` are the queries."""
    order = sorted(range(len(cases)), key=lambda place: cases[place].probability)
    shown = [cases[place] for place in order]
    texts = [label(titles[place], most=70) for place in order]
    place = list(range(len(shown)))
    figure = go.Figure(
        go.Bar(
            x=place,
            y=[case.probability for case in shown],
            name="share of good trials, P(E=1|Q)",
            marker={"color": tone(dark).accent},
            customdata=[[case.test_case] for case in shown],
            text=[f"{text}<br>{counted(case.trials, 'trial')}" for text, case in zip(texts, shown, strict=True)],
            textposition="none",
            hovertemplate="%{text}: %{y:.0%} good<extra></extra>",
        )
    )
    expected = [position for position, case in enumerate(shown) if not math.isnan(case.expected)]
    if expected:
        figure.add_trace(
            go.Scatter(
                x=expected,
                y=[shown[position].expected for position in expected],
                mode="markers",
                name="expected by people, H",
                marker={"symbol": "line-ew", "size": 12, "color": BAD, "line": {"width": 3, "color": BAD}},
                hovertemplate="expected: %{y:.0%}<extra></extra>",
            )
        )
    figure.update_xaxes(title="test cases, lowest share first", showticklabels=False)
    figure.update_yaxes(title="share of trials", tickformat=".0%", range=[0, 1.04])
    figure.update_layout(bargap=0.15 if len(shown) <= MOST_CASES else 0)
    return finish(figure, dark=dark, height=340)


def variance_shares(components: Sequence[Component], *, dark: bool) -> go.Figure:
    """The share of each source of variance, with its interval; sources that can't be estimated have none."""
    estimated = [component for component in components if not math.isnan(component.share.value)]
    figure = go.Figure(
        go.Bar(
            x=[component.share.value for component in estimated],
            y=[component.name for component in estimated],
            orientation="h",
            marker={"color": tone(dark).accent},
            error_x={
                "array": [_known(component.share.high - component.share.value) for component in estimated],
                "arrayminus": [_known(component.share.value - component.share.low) for component in estimated],
                "symmetric": False,
                "color": tone(dark).ink,
            },
            text=[format_estimate(component.share, percent=True) for component in estimated],
            textposition="none",
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title="share of the variance", tickformat=".0%", range=[0, 1.02])
    return finish(figure, dark=dark, height=120 + 40 * max(len(estimated), 1), legend=False)


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
