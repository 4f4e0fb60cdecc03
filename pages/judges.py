"""Language models that judge by a rubric: the rubric, their verdicts, agreement with people, biases."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.judges.wording.verdicts import ABOUT_JUDGES
from hcat.dashboard.capabilities.judges.asking import asking_panel
from hcat.dashboard.capabilities.judges.distilling import distilling_panel
from hcat.dashboard.capabilities.judges.pairs import pairs_panel
from hcat.dashboard.capabilities.judges.panel import panel_panel
from hcat.dashboard.capabilities.judges.results import bias_panel, results_panel
from hcat.dashboard.capabilities.judges.rubric_choice import pick_rubric
from hcat.dashboard.capabilities.judges.rubric_editor import rubric_panel
from hcat.dashboard.capabilities.judges.self_preference import self_preference_panel
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.sidebar import current_run

st.title("Judges")
st.caption(ABOUT_JUDGES)
project, run = current_run()
view = st.segmented_control(
    "View",
    ["Rubric", "Distil", "Ask", "Beside people", "Panel", "Pairs", "Biases"],
    default="Rubric",
    required=True,
    key="judges-view",
    bind="query-params",
    label_visibility="collapsed",
)
if view == "Biases":
    bias_panel(run)
    self_preference_panel(project)
elif view == "Rubric":
    rubric_panel(project, *pick_rubric(project))
else:
    people = pick_criterion(project)
    if view == "Beside people":
        results_panel(project, run, people)
    elif view == "Panel":
        panel_panel(project, run, people)
    else:
        rubric, version = pick_rubric(project)
        if view == "Distil":
            distilling_panel(project, run, rubric, version, people)
        elif view == "Pairs":
            pairs_panel(project, run, rubric, people)
        else:
            asking_panel(project, run, rubric, people)
