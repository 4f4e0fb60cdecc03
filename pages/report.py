"""The validation report: built from the stored data, shown here, downloaded as one file."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.report.report import report_panel
from hcat.dashboard.components.sidebar import current

st.title("Report")
st.caption("One file that opens offline, with every number, its n and interval, and the hashes to verify them.")
report_panel(current().project)
