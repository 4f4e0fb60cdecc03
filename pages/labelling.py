"""Judge answers by hand, blind to scores, run names and other people's labels; the calibration moves below."""

from __future__ import annotations

import streamlit as st

from dashboard.components.person import annotator_name
from dashboard.components.pickers import pick_criterion
from dashboard.components.sidebar import current_run
from dashboard.panels.calibration.live import live_summary
from dashboard.panels.labelling.card import label_card
from dashboard.panels.labelling.files import label_files_panel
from dashboard.panels.labelling.guideline import guideline_panel
from dashboard.panels.labelling.queue import pick_queue, queue_line, queue_planner
from dashboard.panels.labelling.session import LabellingSession, card_options
from dashboard.panels.labelling.team import team_panel

st.title("Labelling")
project, run = current_run()
first, second, third = st.columns(3)
with first:
    annotator = annotator_name()
with second:
    criterion = pick_criterion(project)
with third:
    queue = pick_queue(run, criterion)
queue_line(queue)
if not annotator:
    queue_planner(run, criterion)
    st.info("Enter your name or a pseudonym to begin. Every label is stored with its annotator and time.")
    st.stop()
guideline_panel(project, criterion)
card = st.container()
reference, reveal = card_options(criterion)
with card:
    label_card(LabellingSession(run, criterion, annotator, queue, reference, reveal))
queue_planner(run, criterion)
team_panel(queue)
label_files_panel(project, run, criterion)
if st.session_state.get("live", True):
    live_summary(run, criterion)
