"""Agreement of people with each other and with themselves, and results that depend on who judged."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.agreement.annotators import annotators_panel
from hcat.dashboard.capabilities.agreement.coefficients import annotated, coefficients_panel, overlapping, pairs_panel
from hcat.dashboard.capabilities.agreement.disagreements import disagreements_panel
from hcat.dashboard.capabilities.agreement.policies import leniency_panel, policies_panel
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.ties import consensus_rate

st.title("Agreement")
st.caption(
    "A calibration is only as good as its labels. Where people disagree, the criterion or its guideline is unclear, "
    "or somebody is stricter than the others."
)
project, run = current_run()
criterion = pick_criterion(project)
labels, table = annotated(run, criterion)
consensus_rate(run, criterion)
view = st.segmented_control(
    "View",
    ["Agreement", "Pairs", "Annotators", "Strict and lenient", "Disagreements"],
    default="Agreement",
    required=True,
    key="agreement-view",
    bind="query-params",
    label_visibility="collapsed",
)
if view == "Annotators":
    annotators_panel(run, criterion, labels)
elif overlapping(criterion, table):
    if view == "Agreement":
        coefficients_panel(run, criterion)
    elif view == "Pairs":
        pairs_panel(criterion, table)
    elif view == "Strict and lenient":
        leniency_panel(criterion, table)
        policies_panel(run, criterion)
    else:
        disagreements_panel(run, criterion)
