"""Going from a chart to its samples, with everything that is needed in the URL."""

from __future__ import annotations

import streamlit as st

from dashboard.selection import SampleSelection


def open_samples(selection: SampleSelection, *, metric: str | None = None, sample_id: str | None = None) -> None:
    """Switch to the Samples page, showing this selection. The project and the run stay chosen."""
    query = {key: str(st.session_state[key]) for key in ("project", "run") if st.session_state.get(key)}
    query |= selection.to_query()
    if metric is not None:
        query["metric"] = metric
    if sample_id is not None:
        query["sample"] = sample_id
    st.switch_page("pages/samples.py", query_params=query)
