"""Roles of people in the project, and the permissions of each role."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.members.members import administrators_panel, members_panel, roles_panel
from hcat.dashboard.components.sidebar import current

st.title("Members")
members_panel(current().project)
administrators_panel()
roles_panel()
