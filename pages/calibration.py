"""Turn scores into calibrated probabilities with conformal guarantees, by the present labels."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.calibration.check import exchangeability_note
from hcat.dashboard.capabilities.calibration.comparison import comparison_panel
from hcat.dashboard.capabilities.calibration.live import live_calibration
from hcat.dashboard.capabilities.labelling.files import label_files_panel
from hcat.dashboard.capabilities.labelling.sources import label_sources
from hcat.dashboard.components.in_force import calibration_in_force
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.sidebar import current_run

st.title("Calibration")
st.caption(
    "Stage 1 maps scores to the probability that people pass an answer. Stage 2 turns probabilities into prediction "
    "sets that contain the label with a stated guarantee (HCAT 5)."
)
project, run = current_run()
criterion = pick_criterion(project)
calibration_in_force(run, criterion.name)
label_files_panel(project, run, criterion)
label_sources(project, run, criterion)
exchangeability_note(run, criterion)
live_calibration(run, criterion)
comparison_panel(run, criterion)
