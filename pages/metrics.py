"""The meaning of each metric, in words and formula; unscored samples and reasons; its distribution and similar
metrics."""

from __future__ import annotations

import streamlit as st

from hcat.core.display.sources import SOURCES
from hcat.dashboard.capabilities.metrics.card import methods_panel, metric_card, metric_list
from hcat.dashboard.capabilities.metrics.correlation import correlation_panel
from hcat.dashboard.capabilities.metrics.loader import registered_metrics
from hcat.dashboard.components.sidebar import chosen_run

st.title("Metrics")
st.caption("Every metric of this installation, from its registry. An unscored sample is never counted as zero.")
metric_list(chosen_run())
registered = {metric.title: metric for metric in registered_metrics().values()}
title = st.selectbox("Metric", list(registered), key="explained", bind="query-params")
metric_card(registered[title], chosen_run())
correlation_panel(chosen_run())
methods_panel()
with st.expander("Short names of sources", icon=":material/menu_book:"):
    st.markdown("\n".join(f"- **{name}**: {what}." for name, what in SOURCES.items()))
