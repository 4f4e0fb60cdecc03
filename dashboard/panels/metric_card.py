"""All metrics in a table, and one explained with its distribution on the chosen run."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.formats import format_estimate
from core.metrics.registry import Metric
from core.scores import ScoreTable
from core.storage.records import RunInfo
from dashboard.charts.distribution import histogram
from dashboard.components.links import open_samples
from dashboard.components.markdown import plain
from dashboard.components.theme import is_dark
from dashboard.loaders import registered_metrics, scores
from dashboard.selection import SampleSelection


def metric_list(run: RunInfo | None) -> None:
    """All metrics in a table, with their means on the chosen run where it is scored."""
    known = registered_metrics()
    table = scores(run) if run is not None else None
    means = {} if table is None else {name: format_estimate(s.mean) for name, s in table.summary().items()}
    rows = pd.DataFrame(
        {
            "Metric": [metric.title for metric in known.values()],
            "On this run": [means.get(name, "not scored") for name in known],
            "Says": [metric.description for metric in known.values()],
            "Better": [metric.direction for metric in known.values()],
            "Needs": [", ".join(metric.needs) for metric in known.values()],
        }
    )
    st.dataframe(rows, hide_index=True, height=330, key="all-metrics", alt="All metrics")


def metric_card(metric: Metric, run: RunInfo | None) -> None:
    """Meaning, needs, range, direction and source; distribution and worst samples where the run is scored."""
    with st.container(border=True):
        st.subheader(metric.title)
        st.markdown(metric.description)
        better = "neither way is better" if metric.direction == "none" else f"{metric.direction} is better"
        low, high = metric.range
        st.caption(
            f"Column `{metric.name}` · needs {', '.join(metric.needs)} · range {low:g} to {high:g}, {better} · "
            f"source: {plain(metric.source)}"
        )
        table = scores(run) if run is not None else None
        if table is None or metric.name not in table.metrics:
            st.info("This metric is not scored on the chosen run.")
            return
        _distribution(metric, table)


def _distribution(metric: Metric, table: ScoreTable) -> None:
    summary = table.summary()[metric.name]
    left_out = "; ".join(f"{n} {reason}" for reason, n in summary.unscored.items())
    st.markdown(f"On this run: {format_estimate(summary.mean)}" + (f"; unscored: {left_out}" if left_out else ""))
    if summary.mean.n == 0:
        return
    figure = histogram(table.values(metric.name), metric=metric.title, mean=summary.mean.value, dark=is_dark())
    st.plotly_chart(figure, key=f"histogram-{metric.name}", config={"displayModeBar": False}, alt="Distribution")
    if st.button("Open the worst samples", key=f"worst-{metric.name}", icon=":material/article:"):
        open_samples(SampleSelection(), metric=metric.name)
