"""Judge answers by hand, blind to scores, run names and other people's labels; the calibration moves below."""

from __future__ import annotations

import streamlit as st

from dashboard.components.pickers import pick_criterion
from dashboard.components.sidebar import current_run
from dashboard.panels.label_card import annotator_name, label_card, pick_queue
from dashboard.panels.live_calibration import live_calibration

st.title("Labelling")
project, run = current_run()
first, second, third = st.columns(3)
with first:
    annotator = annotator_name()
with second:
    criterion = pick_criterion(project)
with third:
    queue = pick_queue(run)
if not annotator:
    st.info("Enter your name or a pseudonym to begin. Every label is kept with who gave it and when.")
    st.stop()
label_card(run, criterion, annotator, queue)
if st.toggle(
    "Show the calibration below, live",
    value=True,
    key="live",
    help="It never shows the sample at hand. Click elsewhere afterwards, so that keys are for labels again.",
):
    live_calibration(run, criterion)
