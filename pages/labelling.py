"""Judge answers by hand, blind to scores, run names and other people's labels; the calibration moves next to them."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.calibration.live import live_summary
from hcat.dashboard.capabilities.labelling.card import label_card
from hcat.dashboard.capabilities.labelling.desk import begin, desk_bar, live_strip
from hcat.dashboard.components.account import reads_results
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.tables import stop_page

project, run = current_run()
session = desk_bar(project, run)
if not session.annotator:
    begin(project, session.criterion)
    stop_page()
shows_results = reads_results(project)
strip = st.container()
with st.container(horizontal=True, key="desk"):
    with st.container(key="desk-card"):
        label_card(session)
    if shows_results and st.session_state.get("live", True):
        with st.container(width=340, key="desk-live"):
            live_summary(run, session.criterion)
if shows_results:
    with strip:
        live_strip(run, session.criterion, session.queue)
