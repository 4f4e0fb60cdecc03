"""Changes of an answer when the question is asked otherwise, among false statements, or of something else."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.robustness.choice import no_variants, pick_origins, pick_outcome
from hcat.dashboard.capabilities.robustness.families import dose_panel, families_panel, pick_family
from hcat.dashboard.capabilities.robustness.loader import has_variants, robustness
from hcat.dashboard.capabilities.robustness.pairs import pairs_panel
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.tables import stop_page

st.title("Robustness")
st.caption(
    "Variants change a question in a known way: misspelt, rephrased, with a false premise, about something that the "
    "documents don't hold. Each is compared with the answer to its own origin (HCAT 6.1)."
)
project, run = current_run()
if not has_variants(run):
    no_variants(project)
    stop_page()
origins = pick_origins(project, run)
if origins is None:
    stop_page()
compared = robustness(run, origins)
outcome = pick_outcome(compared)
families_panel(compared, outcome)
st.subheader("Pairs")
family = pick_family(compared)
dose_panel(compared, outcome, family)
pairs_panel(compared, outcome, family, run=run, origins=origins)
