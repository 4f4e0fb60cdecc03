"""A chart as it was kept with a finding, readable in the theme of whoever looks at it now."""

from __future__ import annotations

import json
from collections.abc import Mapping

import plotly.graph_objects as go
import plotly.io

from core.types import JsonValue
from dashboard.charts.style import tone


def frozen_chart(document: Mapping[str, JsonValue], *, dark: bool) -> go.Figure:
    """The figure with its data untouched; only letters take the theme's colour."""
    figure = plotly.io.from_json(json.dumps(dict(document)))
    ink = tone(dark).ink
    figure.update_layout(font={"color": ink}, legend={"font": {"color": ink}})
    figure.update_traces(
        colorbar={"tickfont": {"color": ink}, "title": {"font": {"color": ink}}}, selector={"type": "heatmap"}
    )
    return figure
