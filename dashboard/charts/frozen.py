"""A chart stored with a finding, made readable in the viewer's present theme."""

from __future__ import annotations

import json
from collections.abc import Mapping

import plotly.graph_objects as go
import plotly.io

from hcat.core.types import JsonValue
from hcat.dashboard.charts.style import tone


def frozen_chart(document: Mapping[str, JsonValue], *, dark: bool) -> go.Figure:
    """The figure with its data untouched; letters and lines of axes alone take the theme's colour."""
    figure = plotly.io.from_json(json.dumps(dict(document)))
    ink, quiet, faint = tone(dark).ink, tone(dark).quiet, tone(dark).faint
    axis = {"tickfont": {"color": quiet}, "title": {"font": {"color": quiet}}, "linecolor": faint}
    figure.update_xaxes(axis)
    figure.update_yaxes(axis)
    figure.update_layout(font={"color": ink}, legend={"font": {"color": ink}})
    figure.update_traces(
        colorbar={"tickfont": {"color": ink}, "title": {"font": {"color": ink}}}, selector={"type": "heatmap"}
    )
    return figure
