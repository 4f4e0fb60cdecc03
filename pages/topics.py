"""What the queries are about, on a map; a lasso selects samples."""

from __future__ import annotations

import streamlit as st

from dashboard.components.sidebar import current_run
from dashboard.loaders import topics
from dashboard.panels.topics.topic_map import map_panel, pick_source, search_panel, topic_list

st.title("Topics")
project, run = current_run()
source = pick_source()
found = topics(run, on=source)
search_panel(run, source, exists=found is not None)
if found is not None:
    map_panel(run, found)
    topic_list(found)
