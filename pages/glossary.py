"""Meanings of the words and symbols of all pages, with their sources."""

from __future__ import annotations

import streamlit as st

from hcat.core.display.sources import SOURCES
from hcat.dashboard.capabilities.glossary.entries import all_entries, linked_entry

st.title("Glossary")
st.caption(
    "What the words and symbols of all pages and of the report mean, and who defined them. Help texts link here; "
    "`hcat glossary` prints the same."
)
linked_entry(st.query_params.get("term"))
all_entries(st.text_input("Search the glossary", key="glossary-search", placeholder="such as q̂, weak or coverage"))
with st.expander("Short names of sources", icon=":material/menu_book:"):
    st.markdown("\n".join(f"- **{name}**: {what}." for name, what in SOURCES.items()))
