"""Weaknesses that somebody confirmed: the frozen evidence of each, its owner, and its status."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.findings.findings import finding_panel, findings_table
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.sidebar import current
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.workspace import workspace

st.title("Findings")
st.caption("Weaknesses that a person confirmed. Their data were frozen at that time and are verified on each view.")
chosen = current()
findings = workspace().findings.all(chosen.project)
if not findings:
    st.info(
        "No finding yet. Open a slice on the Weaknesses page, or a selection on the Samples page, and confirm it there."
    )
    link_to("weaknesses", "Look for weaknesses")
    stop_page()
finding = findings_table(findings)
finding_panel(chosen.project, finding)
