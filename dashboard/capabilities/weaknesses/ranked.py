"""All slices in one list, the weakest first."""

from __future__ import annotations

from typing import cast

import streamlit as st

from hcat.core.capabilities.weaknesses.views.weaknesses import slices_table
from hcat.core.records.project import RunInfo
from hcat.core.slices.same_samples import with_other_names
from hcat.core.slices.slices import row_slice
from hcat.core.slices.table import ranked
from hcat.core.view.view import View
from hcat.dashboard.capabilities.weaknesses.beside import beside
from hcat.dashboard.capabilities.weaknesses.loader import slices_in_view
from hcat.dashboard.capabilities.weaknesses.slice_panel import slice_panel
from hcat.dashboard.capabilities.weaknesses.table_note import table_note
from hcat.dashboard.components.view import show_view


def ranked_panel(run: RunInfo, metric: str, by: list[str]) -> None:
    """All slices of all chosen dimensions and their pairs, the weakest first; one row where several hold the same
    samples."""
    table = slices_in_view(run, [metric], by)
    beside(run, metric, table)
    table_note(run, table, metric)
    rows = with_other_names(ranked(table))
    view = View((slices_table(table, rows, title="All slices, the weakest first"),))
    chosen = show_view(view, key=f"ranked-{metric}", draw={}, rows=[[(place,) for place in range(len(rows))]])
    if chosen is None:
        st.caption("Select a row to see the samples of its slice.")
    else:
        row = rows.iloc[cast("int", chosen[0])]
        slice_panel(run, table, metric, row_slice(row), row)
