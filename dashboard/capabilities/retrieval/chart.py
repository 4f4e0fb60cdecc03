"""Recall by rank at both stages of retrieval, below the ceiling that stage 1 sets. Source: FUNNEL 1."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from hcat.core.display.numbers import format_count
from hcat.core.metrics.funnel import RecallCurve
from hcat.core.types import Estimate
from hcat.dashboard.charts.style import finish, tone


def recall_chart(
    *, first: RecallCurve | None, second: RecallCurve, ceiling: Estimate | None, cutoffs: tuple[int, ...], dark: bool
) -> go.Figure:
    """Mean recall up to each rank. Without stage 1 there is no ceiling. Cut-offs are marked on stage 2."""
    tones = tone(dark)
    figure = go.Figure()
    if first is not None:
        figure.add_trace(_line(first, "stage 1, candidates", color=tones.ink, dash="dot"))
    figure.add_trace(_line(second, "stage 2, contexts", color=tones.accent, dash="solid"))
    marked = [k for k in cutoffs if k <= len(second.recall)]
    figure.add_trace(
        go.Scatter(
            x=marked,
            y=[float(second.recall[k - 1]) for k in marked],
            mode="markers",
            marker={"size": 10, "color": tones.accent, "line": {"width": 1.5, "color": tones.paper}},
            hovertemplate="recall@%{x} = %{y:.3f}<extra>stage 2</extra>",
            showlegend=False,
        )
    )
    if ceiling is not None and np.isfinite(ceiling.value):
        figure.add_hline(
            y=ceiling.value,
            line={"color": tones.ink, "dash": "dash", "width": 1},
            annotation_text=f"ceiling {ceiling.value:.3f}",
            annotation_position="bottom left",
        )
    figure.update_xaxes(title="rank", type="log", tickvals=[1, 2, 4, 8, 16, 32, 64, 100])
    figure.update_yaxes(title="mean recall up to the rank", range=[0, 1.04])
    figure.update_layout(hovermode="closest")
    return finish(figure, dark=dark, height=340)


def _line(curve: RecallCurve, name: str, *, color: str, dash: str) -> go.Scatter:
    has_recall = np.isfinite(curve.recall)
    return go.Scatter(
        x=np.arange(1, len(curve.recall) + 1)[has_recall],
        y=curve.recall[has_recall],
        mode="lines",
        line={"color": color, "dash": dash, "width": 2, "shape": "hv"},
        name=f"{name}, n = {format_count(curve.n)}",
        hovertemplate="recall@%{x} = %{y:.3f}<extra>" + name + "</extra>",
    )
