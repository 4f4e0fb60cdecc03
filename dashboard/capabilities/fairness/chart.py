"""Gaps between groups, with the margin within which they count as treated alike."""

from __future__ import annotations

import plotly.graph_objects as go

from hcat.core.display.palette import GOOD
from hcat.core.figures.forest import ForestPlot
from hcat.dashboard.capabilities.robustness.chart import family_changes


def group_gaps(forest: ForestPlot, dark: bool, *, margin: float | None) -> go.Figure:
    """One row a gap with its interval, coloured by its verdict, around no gap; the margin is a band."""
    figure = family_changes(forest, dark)
    if margin is not None:
        figure.add_vrect(
            x0=-margin,
            x1=margin,
            fillcolor=GOOD,
            opacity=0.12,
            line_width=0,
            layer="below",
            annotation_text=f"margin ±{margin:g}",
            annotation_position="top right",
            annotation_xanchor="left",  # next to the band, clear of the line at no gap
        )
    return figure
