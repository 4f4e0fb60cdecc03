"""The glossary's entries: the one that a link asked for, then all that a search matches."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.glossary.lookup import SECTIONS, TERMS, matching_terms
from hcat.core.glossary.term import Term
from hcat.dashboard.components.markdown import plain


def linked_entry(key: str | None) -> None:
    """The entry that the address names, first and framed."""
    if key is None:
        return
    if key not in TERMS:
        st.warning(f"The glossary has no entry “{plain(key)}”. Search below.", icon=":material/search_off:")
        return
    with st.container(border=True):
        st.markdown(_entry(TERMS[key]))


def all_entries(text: str) -> None:
    """Show the entries that contain the text, section by section; all of them without a text."""
    sections = matching_terms(text) if text.strip() else SECTIONS
    if text.strip():
        st.caption(f"{counted(sum(map(len, sections.values())), 'term')} with “{plain(text)}”.")
    for section, terms in sections.items():
        st.subheader(section)
        st.markdown(_entries(terms))


def _entries(terms: Sequence[Term]) -> str:
    return "\n\n".join(map(_entry, terms))


def _entry(term: Term) -> str:
    source = f" *{plain(term.source)}*" if term.source else ""
    return f"**{plain(term.name)}**: {plain(term.meaning)}{source}"
