"""Open an answer: what it rests on, sentence by sentence, and what every metric makes of it."""

from __future__ import annotations

import streamlit as st

from core.display.numbers import counted
from dashboard.components.pickers import pick_metric
from dashboard.components.sample_table import ordered_ids, sample_table
from dashboard.components.sidebar import current_run
from dashboard.loaders import dimensions
from dashboard.panels.findings.form import confirm_popover
from dashboard.panels.samples.sample import sample_panel, step_buttons
from dashboard.selection import SampleSelection

st.title("Samples")
project, run = current_run()
selection = SampleSelection.from_query(st.query_params.to_dict())
left, right = st.columns([3, 2])
with right:
    metric = pick_metric(run)
ids = ordered_ids(run, selection.choose(dimensions(run)), metric)
with left:
    st.markdown(f"**{counted(len(ids), 'sample')}**")
    st.text(selection.title)
    if ids and selection != SampleSelection():
        confirm_popover(run, metric, selection, ids, title=selection.title)
    if selection != SampleSelection() and st.button("Show all samples", key="show-all"):
        for name in ("slice", "ids", "sample"):
            st.query_params.pop(name, None)
        st.rerun()
if not ids:
    st.info("No sample is in this selection. Show all samples, or choose another slice on the Weaknesses page.")
    st.stop()
clicked = sample_table(run, ids, metric, key=f"samples-{metric}-{selection.title}", height=230)
if clicked is not None and clicked != st.session_state.get("last-clicked"):
    st.session_state["last-clicked"] = clicked
    st.query_params["sample"] = clicked
shown = st.query_params.get("sample", ids[0])
shown = shown if shown in ids else ids[0]
step_buttons(ids, shown)
sample_panel(project, run, shown, metric)
