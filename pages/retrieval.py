"""Quality of retrieval at both of its stages, and the stage at which each query loses relevant passages."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.retrieval.query import query_panel
from hcat.dashboard.capabilities.retrieval.stages import measures_panel, queries_panel, required_funnel
from hcat.dashboard.components.sidebar import current_run

st.title("Retrieval")
st.caption(
    "Stage 1 ranks up to a hundred candidates; stage 2 chooses the few contexts that the answer is written from. "
    "What stage 1 misses, stage 2 can't find (Funnel framework, section 1)."
)
_, run = current_run()
measured = required_funnel(run)
measures_panel(run, measured)
sample_id = queries_panel(run, measured)
if sample_id is not None:
    st.subheader("One query")
    query_panel(run, sample_id, measured.funnels[sample_id])
