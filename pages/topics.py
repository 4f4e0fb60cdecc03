"""What the queries are about, on a map; a lasso selects samples."""

from __future__ import annotations

import streamlit as st

from dashboard.components.sidebar import current_run
from dashboard.loaders.runs import topics
from dashboard.panels.topics.topic_map import map_panel, pick_source, search_panel, topic_list

st.title("Topics")
project, run = current_run()
source = pick_source()
run_topics = topics(run, on=source)
search_panel(run, source, exists=run_topics is not None)
if run_topics is not None:
    map_panel(run, run_topics)
    topic_list(run, run_topics)
