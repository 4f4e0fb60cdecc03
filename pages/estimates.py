"""The pass rate by people's standards: of the run, of its slices, against another run, and the gain from more
labels."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.calibration.loader import pass_rate_ties
from hcat.dashboard.capabilities.estimates.difference import difference_panel
from hcat.dashboard.capabilities.estimates.pass_rate import pick_evaluator, prepared_run, slices_panel, whole_run_panel
from hcat.dashboard.capabilities.estimates.planning import planning_panel
from hcat.dashboard.capabilities.labelling.sources import by_rule_alone
from hcat.dashboard.components.in_force import calibration_in_force
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.loaders.workspace import workspace

st.title("Estimates")
st.caption(
    "How many answers people would pass if they judged all of them. A few labels correct the machine's verdicts on "
    "all answers (prediction-powered inference, PPI++)."
)
project, run = current_run()
criterion = pick_criterion(project)
calibration_in_force(run, criterion.name)
evaluator = pick_evaluator(run, criterion)
prepared = prepared_run(run, criterion, evaluator)
if said := by_rule_alone(workspace().labels.current(project, criterion.name, run)):
    st.warning(said, icon=":material/robot_2:")
view = st.segmented_control(
    "View",
    ["Whole run", "By slice", "Two runs", "Planning"],
    default="Whole run",
    required=True,
    key="estimate-view",
    bind="query-params",
    label_visibility="collapsed",
)
if view == "Whole run":
    tied = pass_rate_ties(run, criterion, evaluator.metrics, evaluator.method)
    whole_run_panel(run, criterion, evaluator, prepared, tied)
elif view == "By slice":
    slices_panel(run, criterion, prepared)
elif view == "Two runs":
    difference_panel(project, run, criterion, evaluator)
else:
    planning_panel(run, criterion, evaluator, prepared)
