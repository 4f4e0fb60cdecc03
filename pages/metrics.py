"""What each metric means, what it needs, where it comes from, and how its scores are distributed on this run."""

from __future__ import annotations

import streamlit as st

from dashboard.components.sidebar import chosen_run
from dashboard.loaders import registered_metrics
from dashboard.panels.metric_card import metric_card

st.title("Metrics")
st.caption("Every metric of this installation, from its registry. An unscored sample is never counted as zero.")
run = chosen_run()
families: dict[str, list[str]] = {}
for metric in registered_metrics().values():
    families.setdefault(metric.family, []).append(metric.name)
for family, names in families.items():
    st.subheader(family.capitalize())
    for name in names:
        metric_card(registered_metrics()[name], run)
