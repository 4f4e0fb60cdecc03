"""Chart of the distribution of a metric's scores."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from hcat.dashboard.charts.style import finish, label, tone


def histogram(values: NDArray[np.float64], *, metric: str, mean: float, dark: bool) -> go.Figure:
    """Counts of the scored samples, with a line at the mean."""
    scored = values[np.isfinite(values)]
    bars = go.Histogram(x=scored, nbinsx=30, marker={"color": tone(dark).accent}, name="samples")
    figure = go.Figure(bars)
    figure.update_xaxes(title=label(metric, most=60))
    if scored.size and np.ptp(scored) == 0:  # a bin of no width of its own would fill the chart
        figure.update_traces(xbins={"start": scored[0] - 0.02, "end": scored[0] + 0.02, "size": 0.04})
        figure.update_xaxes(range=[scored[0] - 0.5, scored[0] + 0.5])
    figure.add_vline(
        x=mean,
        line={"color": tone(dark).ink, "dash": "dot"},
        annotation_text=f"mean {mean:.3f}",
        annotation_position="top",
    )
    figure.update_yaxes(title="samples")
    figure.update_layout(bargap=0.05)
    return finish(figure, dark=dark, height=280, legend=False)
