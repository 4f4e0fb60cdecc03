"""Language models that judge by a rubric: the rubric, their verdicts, agreement with people, what sways them."""

from __future__ import annotations

import streamlit as st

from core.wording.judging.verdicts import ABOUT_JUDGES
from dashboard.components.pickers import pick_criterion
from dashboard.components.sidebar import current_run
from dashboard.loaders.workspace import workspace
from dashboard.panels.judges.asking import asking_panel
from dashboard.panels.judges.results import bias_panel, results_panel
from dashboard.panels.judges.rubric_editor import rubric_panel

st.title("Judges")
st.caption(ABOUT_JUDGES)
project, run = current_run()
rubric, version = workspace().rubrics.newest(project)
view = st.segmented_control(
    "View",
    ["Rubric", "Ask", "Beside people", "Biases"],
    default="Rubric",
    required=True,
    key="judges-view",
    bind="query-params",
    label_visibility="collapsed",
)
if view == "Rubric":
    rubric_panel(project, rubric, version)
elif view == "Biases":
    bias_panel(run)
else:
    people = pick_criterion(project)
    if view == "Ask":
        asking_panel(project, run, rubric, people)
    else:
        results_panel(project, run, people)
