"""Semantic groups made from a database, and an analysis of the answers to them."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.grammar.database import choose_database
from hcat.dashboard.capabilities.grammar.groups import groups_panel
from hcat.dashboard.capabilities.grammar.templates import choose_templates
from hcat.dashboard.capabilities.grammar.verdict import verdict_panel
from hcat.dashboard.components.sidebar import current

st.title("GRAMMAR")
st.caption(
    "Does the system answer alike whatever the wording, and where do wrong answers come from? A semantic group holds "
    "texts that mean the same; a database knows their right answer."
)
project = current().project
view = st.segmented_control(
    "View",
    ["Make groups", "Verdict"],
    default="Make groups",
    required=True,
    key="grammar-view",
    bind="query-params",
    label_visibility="collapsed",
)
if view == "Verdict":
    verdict_panel(project)
else:
    place = choose_database()
    plan = None if place is None else choose_templates(place)
    if place is not None and plan is not None:
        groups_panel(project, place, plan)
