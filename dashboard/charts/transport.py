"""The transport plan between context and answer sentences. Source: HCAT 3.3.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from hcat.core.display.palette import SEQUENTIAL
from hcat.dashboard.charts.style import finish, plain, scale


@dataclass(frozen=True, slots=True)
class Flow:
    """Mass that moves from one context sentence to one answer sentence over a distance 1 − cos."""

    source: int
    target: int
    mass: float
    distance: float


def transport_heatmap(context: Sequence[str], answer: Sequence[str], flows: Sequence[Flow], *, dark: bool) -> go.Figure:
    """Context sentences down, answer sentences across; the darker, the more mass moves."""
    mass: list[list[float | None]] = [[None] * len(answer) for _ in context]
    notes = [[""] * len(answer) for _ in context]
    for flow in flows:
        mass[flow.source][flow.target] = flow.mass
        notes[flow.source][flow.target] = (
            f"mass {flow.mass:.3f}, distance {flow.distance:.3f}<br><b>context</b> {plain(context[flow.source])}"
            f"<br><b>answer</b> {plain(answer[flow.target])}"
        )
    figure = go.Figure(
        go.Heatmap(
            z=mass,
            x=[f"a{j + 1}" for j in range(len(answer))],
            y=[f"c{i + 1}" for i in range(len(context))],
            text=notes,
            hovertemplate="%{text}<extra></extra>",
            hoverongaps=False,
            xgap=1,
            ygap=1,
            zmin=0,
            zmax=max((flow.mass for flow in flows), default=1.0),
            colorscale=scale(SEQUENTIAL[1:]),
            colorbar={"title": {"text": "mass", "side": "right"}, "thickness": 12},
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(side="top", showgrid=False)
    return finish(figure, dark=dark, height=min(640, 90 + 22 * max(4, len(context))), legend=False)
