"""Test sets: generated from the corpus, reviewed by people, frozen."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.capabilities.test_sets.chosen import choose_test_set, test_set_views
from hcat.dashboard.capabilities.test_sets.making import making_panel
from hcat.dashboard.components.sidebar import current

st.title("Test sets")
st.caption(
    "Generate test cases from the corpus, review them one by one, and freeze what stands. A frozen version is what "
    "the system is asked."
)
project = current().project
under_way = is_under_way(job_panel(project, kinds=("generate", "perturb")))
test_set = choose_test_set(project)
if test_set is not None:
    test_set_views(project, test_set)
making_panel(project, busy=under_way)
