"""From prediction sets to decisions: accept, regenerate, send to a person or reject, with a promise."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.policy.view import policy_view
from hcat.core.errors import HcatError
from hcat.dashboard.capabilities.policy.acting import in_use_panel, switch_on_panel
from hcat.dashboard.capabilities.policy.drift import drift_panel
from hcat.dashboard.capabilities.policy.regeneration import regeneration_panel
from hcat.dashboard.capabilities.policy.stated import further_calibrations, required_calibration, stated_policy
from hcat.dashboard.capabilities.policy.tradeoff import threshold_panel
from hcat.dashboard.components.in_force import calibration_in_force
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.view import show_view

st.title("Policy")
st.caption(
    "What becomes of each answer: accept it where its prediction set is {pass}, regenerate or reject it where the set "
    "is {fail}, else send it to a person. State first what may get through; the load on people follows (FUNNEL)."
)
project, run = current_run()
criterion = pick_criterion(project)
record = required_calibration(run, criterion.name)
calibration_in_force(run, criterion.name)
st.subheader("Promise")
try:
    further = further_calibrations(run, criterion.name)
    spec = stated_policy(run)
    st.subheader("Trade-off")
    policy = threshold_panel(run, (record, *further), spec)
except HcatError as error:
    st.error(plain(str(error)))
else:
    show_view(policy_view(policy), key="policy", draw={})
    switch_on_panel(run, policy)
in_use_panel(project, run, criterion)
regeneration_panel(project, run, criterion)
drift_panel(run, criterion)
