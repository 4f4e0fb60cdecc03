"""One slice: its result, its samples, and the actions on them."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from hcat.core.capabilities.weaknesses.wording import slice_sentence
from hcat.core.records.project import RunInfo
from hcat.core.slices.family import frozen_statistics
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Slice
from hcat.dashboard.capabilities.findings.form import confirm_popover
from hcat.dashboard.capabilities.labelling.picked import label_these
from hcat.dashboard.capabilities.weaknesses.beside import slice_beside
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.sample_table import ordered_ids, sample_table
from hcat.dashboard.loaders.runs import dimensions
from hcat.dashboard.selection import SampleSelection


def slice_panel(
    run: RunInfo,
    table: WeaknessTable,
    metric: str,
    slice_: Slice,
    row: pd.Series,
    *,
    chart: go.Figure | None = None,
    compared: str = "",
) -> None:
    """The samples of one slice, worst first, and the form that makes the slice a finding. `compared` says how the slice
    compares with another run, if there is one."""
    with st.container(border=True):
        st.subheader(plain(slice_.title))
        if compared:
            st.markdown(compared)
        st.markdown(slice_sentence(row, machine=metric in table.settings.machine, error=table.settings.q))
        slice_beside(row)
        chosen = SampleSelection(slice=slice_)
        ids = ordered_ids(run, chosen.choose(dimensions(run)), metric)
        opened = sample_table(run, ids, metric, key=f"slice-{slice_.title}-{metric}")
        if opened is not None:
            open_samples(chosen, metric=metric, sample_id=opened)
        with st.container(horizontal=True):
            if st.button("Open all on the Samples page", icon=":material/article:", key="open-slice"):
                open_samples(chosen, metric=metric)
            statistics = frozen_statistics(table, row, looked_at=datetime.now(UTC))
            confirm_popover(run, metric, chosen, ids, title=slice_.title, statistics=statistics, chart=chart)
            label_these(run, chosen, ids)
