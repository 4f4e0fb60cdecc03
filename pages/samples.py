"""Open an answer: its support, sentence by sentence, and the explanation by every metric."""

from __future__ import annotations

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.opened.sample_filter import SampleFilter
from hcat.dashboard.capabilities.samples import filters
from hcat.dashboard.capabilities.samples.actions import selection_actions
from hcat.dashboard.capabilities.samples.erasing import erasing_panel
from hcat.dashboard.capabilities.samples.sample import sample_panel, step_buttons
from hcat.dashboard.capabilities.topics.loader import ids_in_area
from hcat.dashboard.components.pickers import pick_metric
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.runs import sample_ids
from hcat.dashboard.selection import SampleSelection

st.title("Samples")
project, run = current_run()
selection = SampleSelection.from_query(
    st.query_params.to_dict(), tuple(sample_ids(run)), inside=lambda area: ids_in_area(run, area)
)
left, right = st.columns([3, 2])
with right:
    metric = pick_metric(run)
    criterion, facts = filters.facts_in_view(project, run)
wanted = filters.filter_panel(criterion, facts)
ids = filters.ids_found(run, selection, wanted, facts)
title = filters.title_of(selection, wanted)
with left:
    st.markdown(f"**{counted(len(ids), 'sample')}**")
    st.text(title)
    if selection != SampleSelection() or wanted != SampleFilter():
        st.button("Show all samples", key="show-all", on_click=filters.show_all)
    selection_actions(run, metric, selection, wanted, ids, criterion=criterion, title=title)
if not ids:
    st.info("No sample is in this selection. Show all samples, or choose another slice on the Weaknesses page.")
    stop_page()
ids = filters.table_panel(run, ids, metric, facts, title=title)
shown = st.query_params.get("sample", ids[0])
shown = shown if shown in ids else ids[0]
step_buttons(ids, shown)
sample_panel(project, run, shown, metric)
erasing_panel(project, run, shown)
