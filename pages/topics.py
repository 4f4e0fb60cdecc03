"""Topics of the queries on a map; a lasso selects samples. The same for the passages of the corpus."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.topics.passages import corpus_panel
from hcat.dashboard.capabilities.topics.topic_map import map_panel, pick_source, search_panel, topic_list
from hcat.dashboard.components.sidebar import current, current_run
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.runs import topics
from hcat.dashboard.loaders.workspace import workspace

st.title("Topics")
chosen = current()
if chosen.run is None and not workspace().corpora.all(chosen.project):
    current_run()
source = pick_source(of_run=chosen.run is not None)
if chosen.run is None or source is None:
    corpus_panel(chosen.project)
    stop_page()
run_topics = topics(chosen.run, on=source)
search_panel(chosen.run, source, exists=run_topics is not None)
if run_topics is not None:
    map_panel(chosen.run, source, run_topics)
    topic_list(chosen.run, run_topics)
