"""The same questions asked again: how often the system does well, and how much its answers vary."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.trials.trials import no_trials, several_trials, trials_panel
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.loaders.runs import trials

st.title("Trials")
st.caption(
    "A system that answers differently each time is asked each question several times. S_u: how often answers are "
    "good; S_c: closeness to the expected rate; S_t: mean of the two (PROB 3)."
)
project, run = current_run()
answers = trials(run)
if several_trials(answers):
    trials_panel(run, pick_criterion(project), answers)
else:
    no_trials()
