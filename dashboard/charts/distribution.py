"""How a metric's scores are distributed."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard.charts.style import finish, label, tone


def histogram(values: NDArray[np.float64], *, metric: str, mean: float, dark: bool) -> go.Figure:
    """Counts of the scored samples, with a line at the mean."""
    known = values[np.isfinite(values)]
    figure = go.Figure(go.Histogram(x=known, nbinsx=30, marker={"color": tone(dark).accent}, name="samples"))
    figure.add_vline(x=mean, line={"color": tone(dark).ink, "dash": "dot"}, annotation_text=f"mean {mean:.3f}")
    figure.update_xaxes(title=label(metric, most=60))
    figure.update_yaxes(title="samples")
    figure.update_layout(bargap=0.05)
    return finish(figure, dark=dark, height=280, legend=False)
