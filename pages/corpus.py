"""The documents that the system answers from, cut into the passages that tests are made of."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.corpus.importing import import_panel
from hcat.dashboard.capabilities.corpus.stored import choose_corpus, stored_corpus
from hcat.dashboard.components.sidebar import current

st.title("Corpus")
st.caption("The documents that the system answers from, cut into passages. Tests are made from these passages.")
chosen = current()
corpus = choose_corpus(chosen.project)
if corpus is not None:
    stored_corpus(chosen.project, corpus)
import_panel(chosen.project, chosen.run)
