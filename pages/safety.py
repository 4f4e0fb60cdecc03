"""Undesirable content of answers: hate, an unprofessional tone, personal data, text copied word for word."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.safety.privacy.context_filter import filter_panel
from hcat.dashboard.capabilities.safety.privacy.leaks import copies_panel, leaks_panel
from hcat.dashboard.capabilities.safety.privacy.protected import protected_panel
from hcat.dashboard.capabilities.safety.privacy.scoring import score_panel
from hcat.dashboard.capabilities.safety.tone import tone_panel
from hcat.dashboard.components.sidebar import current_run

st.title("Safety")
st.caption(
    "What answers say that they should not, and how they say it (HCAT 4). Personal data that a retrieved context or "
    "the question holds is no leak; what neither holds is one, and so is what only a context marked as confidential "
    "holds."
)
project, run = current_run()
score_panel(run)
protected = protected_panel()
leaks_panel(run, protected)
copies_panel(run)
filter_panel(run, protected)
tone_panel(run)
