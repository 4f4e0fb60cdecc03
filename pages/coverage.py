"""Which topics, documents and passages of the corpus a test set tests, and how it came out against its design."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.corpus.stored import choose_corpus
from hcat.dashboard.capabilities.coverage.attestation import map_panel, passages_panel, summary_panel
from hcat.dashboard.capabilities.coverage.choice import attested, pick_tests, pick_version
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.sidebar import current
from hcat.dashboard.components.tables import stop_page

st.title("Coverage")
st.caption("Which topics, documents and passages a test set tests, which it does not, and which can't be tested.")
project = current().project
corpus = choose_corpus(project)
if corpus is None:
    link_to("corpus", "Import a corpus", icon=":material/library_books:")
    stop_page()
corpus = pick_version(project, corpus)
tests = pick_tests(project)
if tests is None:
    stop_page()
found = attested(corpus, tests)
summary_panel(found)
map_panel(corpus, found)
passages_panel(found, name=tests.name)
