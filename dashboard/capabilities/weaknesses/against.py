"""The run in view compared with another run of the project, in the same heatmap."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.estimates.wording.paired import paired_sentences, paired_slice_sentence
from hcat.core.capabilities.weaknesses.views.paired_slices import paired_slices_view
from hcat.core.errors import HcatError
from hcat.core.figures.level_order import levels_in_order
from hcat.core.figures.paired_heatmap import paired_heatmap, paired_slice
from hcat.core.records.project import RunInfo
from hcat.core.slices.paired import PairedSlices
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Slice
from hcat.core.wording.figures import scale_sentence
from hcat.core.wording.slice_metrics import slice_metric_title
from hcat.dashboard.capabilities.weaknesses.cells import ChosenCell, as_table_toggle, cells
from hcat.dashboard.capabilities.weaknesses.loader import default_dimensions, paired_slices
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.pickers import is_machine_verdict
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.stored import project_of, runs_of

KEY = "against"


def pick_other_run(run: RunInfo) -> RunInfo | None:
    """Another run of the project to compare with, kept in the URL; none at first."""
    others = {other.name: other for other in runs_of(project_of(run)) if other.id != run.id}
    if st.session_state.get(KEY) not in (None, *others):
        del st.session_state[KEY]
    if not others:
        return None
    name = st.selectbox(
        "Compare with run",
        list(others),
        index=None,
        key=KEY,
        bind="query-params",
        placeholder="No comparison",
        help="Cells then show the paired difference: this run less the other, over samples that both have scored.",
    )
    return None if name is None else others[name]


def against_cells(
    run: RunInfo, other: RunInfo, metric: str, table: WeaknessTable, rows: str, columns: str
) -> tuple[ChosenCell | None, str]:
    """The heatmap of differences; returns the chosen cell and the sentence on it."""
    try:
        planned = default_dimensions(run, metric)
        outside = [name for name in (rows, columns) if name not in planned]
        paired = paired_slices(run, other, metric, (*planned, *outside))
    except HcatError as error:
        st.info(sentence(error))
        return None, ""
    order = (levels_in_order(table, rows), levels_in_order(table, columns))
    data = paired_heatmap(paired, rows=rows, columns=columns, order=order, machine=is_machine_verdict(run, metric))
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("How to read it", icon=":material/help:"):
            st.markdown(plain(scale_sentence(data)))
        as_table_toggle()
    st.caption(plain(paired_sentences(paired)[0]))
    title = f"{slice_metric_title(metric, table.settings.labels)} by {rows} and {columns}, {run.name} less {other.name}"
    chosen = cells(data, key=f"{metric}-{rows}-{columns}-against-{other.id}", title=title)
    with st.expander("All slices in a list"):
        show_view(paired_slices_view(paired), key="paired-slices", draw={})
    return chosen, "" if chosen is None else _said(paired, Slice(rows, chosen.level_1, columns, chosen.level_2))


def _said(paired: PairedSlices, slice_: Slice) -> str:
    return plain(paired_slice_sentence(paired_slice(paired, slice_), paired))
