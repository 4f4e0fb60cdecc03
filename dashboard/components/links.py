"""Going from a chart to its samples, with everything that is needed in the URL."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from hcat.core.records.project import RunInfo
from hcat.dashboard.loaders.runs import sample_ids
from hcat.dashboard.navigation import find_page
from hcat.dashboard.selection import SampleSelection


def link_to(page: str, label: str | None = None, *, icon: str | None = None) -> None:
    """A link to a page by its name in the table of pages; the project and the run stay chosen."""
    entry = find_page(page)
    st.page_link(str(entry.path), label=label or entry.title, icon=icon or entry.icon)


def switch_to(page: str, query: Mapping[str, str] | None = None) -> None:
    """Switch to a page by its name, with these parameters in the URL and no others. Those bound to widgets of this page
    may still be there, and only an explicit table replaces them."""
    st.switch_page(str(find_page(page).path), query_params=query or {})


def open_overview() -> None:
    """Switch to the first page, whose own address is empty, with all that the address says.

    What widgets are bound to already, in a session that goes on, they keep: it can't be set besides.
    """
    switch_to("overview", {name: value for name, value in st.query_params.items() if name not in st.session_state})


def open_samples(
    selection: SampleSelection, *, run: RunInfo | None = None, metric: str | None = None, sample_id: str | None = None
) -> None:
    """Switch to the Samples page, showing this selection. The project and the run stay chosen; a list of more than
    `MAX_IDS` samples needs the `run`."""
    query = selection.to_query(() if run is None else tuple(sample_ids(run)))
    if metric is not None:
        st.session_state["next-metric"] = metric
    if sample_id is not None:
        query["sample"] = sample_id
    switch_to("samples", query)
