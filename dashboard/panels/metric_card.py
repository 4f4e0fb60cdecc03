"""One metric, explained, with its distribution on the chosen run."""

from __future__ import annotations

import streamlit as st

from core.formats import format_estimate
from core.metrics.registry import Metric
from core.storage.records import RunInfo
from dashboard.charts.distribution import histogram
from dashboard.components.links import open_samples
from dashboard.components.theme import is_dark
from dashboard.loaders import scores
from dashboard.selection import SampleSelection


def metric_card(metric: Metric, run: RunInfo | None) -> None:
    """Meaning, needs, range, direction and source; distribution and worst samples where the run is scored."""
    with st.expander(metric.title):
        st.markdown(metric.description)
        better = "neither way is better" if metric.direction == "none" else f"{metric.direction} is better"
        low, high = metric.range
        st.caption(
            f"Column `{metric.name}` · needs {', '.join(metric.needs)} · range {low:g} to {high:g}, {better} · "
            f"source: {metric.source}"
        )
        table = scores(run) if run is not None else None
        if table is None or metric.name not in table.metrics:
            return
        summary = table.summary()[metric.name]
        left_out = "; ".join(f"{n} {reason}" for reason, n in summary.unscored.items())
        st.markdown(f"On this run: {format_estimate(summary.mean)}" + (f"; unscored: {left_out}" if left_out else ""))
        if summary.mean.n == 0:
            return
        figure = histogram(table.values(metric.name), metric=metric.title, mean=summary.mean.value, dark=is_dark())
        st.plotly_chart(figure, key=f"histogram-{metric.name}", config={"displayModeBar": False}, alt="Distribution")
        if st.button("Open the worst samples", key=f"worst-{metric.name}", icon=":material/article:"):
            open_samples(SampleSelection(), metric=metric.name)
