"""The plans on a criterion, and the form that registers one before its first label."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.sign_off.view import plan_view
from hcat.core.errors import HcatError
from hcat.core.records.preregistration import Plan
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.workspace import workspace

WHY = (
    "Fix what will be asked of the labels before the first of them: the report then says “as pre-registered”, with "
    "each deviation by name, and otherwise “exploratory”. A plan can't be changed or deleted; a later one supersedes "
    "it."
)
LATE = "This criterion has labels already: a plan registered now says after how many, and makes nothing pre-registered."


def preregistration_panel(project: ProjectInfo, criterion: Criterion, run: RunInfo | None) -> None:
    """Show the registered plans, newest first, then the form. The run offers its dimensions and metrics."""
    st.caption(WHY)
    for registered in reversed(workspace().preregistrations.of(project, criterion.name)):
        show_view(plan_view(registered), key=f"plan-{registered.hash}", draw={})
    if workspace().labels.history(project, criterion=criterion.name):
        st.info(LATE)
    with st.form(f"plan-{criterion.name}", border=False):
        left, middle, right = st.columns(3)
        n = left.number_input("n: samples to label in each run", min_value=1, value=100, step=1)
        threshold = middle.number_input("Threshold: pass rate to reach", 0.01, 1.0, 0.9, step=0.01)
        alpha = right.number_input("α: error rate of prediction sets", 0.01, 0.5, 0.1, step=0.01)
        dimensions, metrics = _offered(run)
        by = st.multiselect("Slices", dimensions, accept_new_options=True, placeholder="None, or type a dimension")
        chosen = st.multiselect("Metrics", metrics, accept_new_options=True, placeholder="None, or type a metric")
        rule = st.text_area("Rule: what decides, in words", height=80, max_chars=4000)
        author = name_field("Registered by", key="plan-author")
        pressed = st.form_submit_button("Register the plan", icon=":material/lock_clock:")
    if pressed:
        try:
            plan = Plan(criterion.name, int(n), threshold, alpha, tuple(by), tuple(chosen), rule)
            workspace().preregistrations.register(project, plan, author=author)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.rerun()


def _offered(run: RunInfo | None) -> tuple[list[str], list[str]]:
    if run is None:
        return [], []
    table = workspace().scoring.table(run)
    return list(map(str, workspace().run_data.columns(run).dimensions)), [] if table is None else list(table.metrics)
