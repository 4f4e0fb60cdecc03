"""Every level of the chosen dimensions against every metric of the run."""

from __future__ import annotations

import streamlit as st

from core.figures.marginal_heatmap import marginal_heatmap
from core.records.project import RunInfo
from core.weakness.table import combine
from core.wording.weakness import sentences
from dashboard.charts.weakness import heatmap
from dashboard.components.theme import is_dark
from dashboard.loaders import scores, weaknesses


def all_metrics_panel(run: RunInfo, by: list[str]) -> None:
    """One cell a level and metric, in standard deviations of the metric; q-values are over all of them."""
    table = scores(run)
    if table is None:
        st.info("The run is not scored yet.")
        return
    tested = combine([weaknesses(run, name, by, pairs=False) for name in table.metrics if table.n_scored(name)])
    data = marginal_heatmap(tested)
    figure = heatmap(data, metric="standard deviations, better upwards", dark=is_dark())
    st.plotly_chart(
        figure, key="all-metrics", config={"displayModeBar": False}, alt="Means of all levels on all metrics"
    )
    st.caption(
        "Each level's mean less that of the run, in standard deviations of the metric: blue is better, orange worse. "
        + " ".join(sentences(tested))
    )
