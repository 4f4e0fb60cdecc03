"""The purpose of the system, its risks, and the tests, findings and verdicts on each risk."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.risks.register import coverage_panel, register_form, signed_note
from hcat.dashboard.components.sidebar import current
from hcat.dashboard.loaders.workspace import workspace

st.title("Risks")
st.caption(
    "The risk register opens the report: scope, risks and failure modes, each with the evidence of this project that "
    "touches it and the verdict of people. What no test touches is listed."
)
project = current().project
register = workspace().risks.current(project)
evidence = workspace().risks.evidence(project)
signed_note(register)
coverage_panel(register, evidence)
st.subheader("Register")
register_form(project, register, evidence)
