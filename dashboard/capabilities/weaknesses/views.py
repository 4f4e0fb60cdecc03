"""The views of the Weaknesses page, and the choice between them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.weaknesses.all_metrics import all_metrics_panel
from hcat.dashboard.capabilities.weaknesses.heatmap import heatmap_panel
from hcat.dashboard.capabilities.weaknesses.marginal import marginal_panel
from hcat.dashboard.capabilities.weaknesses.ranked import ranked_panel


def weakness_views(run: RunInfo, metric: str, by: list[str]) -> None:
    """The chosen view of the metric over these dimensions. To add one: its panel, one row here."""
    views = {
        "Heatmap": partial(heatmap_panel, run, metric, by),
        "Marginal": partial(marginal_panel, run, metric, by),
        "All metrics": partial(all_metrics_panel, run, by),
        "Ranked list": partial(ranked_panel, run, metric, by),
    }
    view = st.segmented_control(
        "View",
        list(views),
        default="Heatmap",
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    views[view]()
