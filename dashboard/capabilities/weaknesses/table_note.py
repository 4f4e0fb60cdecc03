"""Note on the tests, below the controls of every view: a line, and the rest behind a button."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED
from hcat.core.capabilities.weaknesses.wording import table_sentence
from hcat.core.figures.heatmap import WeaknessHeatmap
from hcat.core.records.design_weights import design_summary
from hcat.core.records.project import RunInfo
from hcat.core.slices.table import WeaknessTable
from hcat.core.wording.design_weights import design_sentence
from hcat.core.wording.figures import scale_sentence
from hcat.dashboard.components.outdated import outdated_note
from hcat.dashboard.loaders.runs import columns


def table_note(run: RunInfo, table: WeaknessTable, metric: str, *, heatmap: WeaknessHeatmap | None = None) -> None:
    """A button that opens the value of the whole run, the number of slices tested, the condition of each verdict, and
    the meaning of the colours."""
    with st.popover("How to read it", icon=":material/help:"):
        st.markdown(table_sentence(table, metric))
        if heatmap is not None:
            st.markdown(scale_sentence(heatmap))
    if design := design_sentence(design_summary(columns(run).design_probabilities)):
        st.caption(design)
    if metric == CALIBRATED and (note := outdated_note(run)):
        st.caption(note)
