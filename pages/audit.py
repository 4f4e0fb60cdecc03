"""The log of all changes with authors and times, and whether it is intact."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.audit.chain import chain_panel
from hcat.dashboard.capabilities.audit.changes import changes_panel

st.title("Audit log")
st.caption(
    "Every change of this store: who, when, what. Nobody can change a row from here, and the database refuses it."
)
chain_panel()
changes_panel()
