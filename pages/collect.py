"""Ask a system the test cases, and store its answers as a run."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.collect.collecting import collecting_panel, collections_table
from hcat.dashboard.capabilities.collect.target import choose_target
from hcat.dashboard.capabilities.collect.test_cases import choose_test_cases
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.components.sidebar import current

st.title("Collect")
st.caption(
    "Ask the system under validation each test case, and store its answers as a run. Each answer is asked for once, "
    "whatever ends the work in between; an answer that fails is unscored with its reason, not wrong."
)
project = current().project
under_way = is_under_way(job_panel(project, kinds=("collect",)))
tests = choose_test_cases(project)
target = choose_target()
if tests is not None and target is not None:
    collecting_panel(project, tests, target, busy=under_way)
collections_table(project)
