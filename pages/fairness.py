"""Whether people of different groups get the same answers to the same questions."""

from __future__ import annotations

import streamlit as st

from hcat.core.errors import HcatError
from hcat.dashboard.capabilities.fairness.choice import pick_basis
from hcat.dashboard.capabilities.fairness.gaps import gaps_panel, pick_gaps
from hcat.dashboard.capabilities.fairness.loader import fairness
from hcat.dashboard.capabilities.fairness.margins import margins_panel
from hcat.dashboard.capabilities.fairness.pairs import pairs_panel
from hcat.dashboard.capabilities.fairness.planning import planning_panel
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.tables import stop_page

st.title("Fairness")
project, run = current_run()
basis = pick_basis(project, run)
planning_panel()
if basis is None:
    stop_page()
settings = margins_panel(project, run, basis)
if settings is None:
    stop_page()
try:
    compared = fairness(run, settings, basis)
except HcatError as error:
    st.error(sentence(error))
    stop_page()
gaps = pick_gaps(compared)
gaps_panel(compared, gaps)
pairs_panel(run, compared, gaps)
