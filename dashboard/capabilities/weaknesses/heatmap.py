"""Two dimensions against each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st

from hcat.core.figures.heatmap import WeaknessHeatmap, pair_rows, weakness_heatmap
from hcat.core.figures.pair_coverage import PairCoverage, fuller_pair
from hcat.core.records.project import RunInfo
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Slice
from hcat.core.wording.slice_metrics import slice_metric_title
from hcat.dashboard.capabilities.weaknesses.against import against_cells, pick_other_run
from hcat.dashboard.capabilities.weaknesses.beside import beside, people_notes
from hcat.dashboard.capabilities.weaknesses.cells import ChosenCell, as_table_toggle, cells
from hcat.dashboard.capabilities.weaknesses.loader import coverages_in_view, slices_in_view
from hcat.dashboard.capabilities.weaknesses.slice_panel import slice_panel
from hcat.dashboard.capabilities.weaknesses.table_note import table_note
from hcat.dashboard.charts.heatmap import Notes
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import is_machine_verdict


def heatmap_panel(run: RunInfo, metric: str, by: list[str]) -> None:
    """Two dimensions against each other. A click on a cell opens its samples below."""
    if len(by) < 2:
        st.info("Choose at least two dimensions for a heatmap.")
        return
    table = slices_in_view(run, [metric], by)
    coverages = coverages_in_view(run, metric, by)
    rows, columns, other = _pick(run, coverages, by)
    beside(run, metric, table)
    _offer_fuller(coverages, rows, columns)
    compared = ""
    if other is None:
        chosen = _own_cells(run, metric, table, rows, columns)
    else:
        chosen, compared = against_cells(run, other, metric, table, rows, columns)
    if chosen is None:
        st.caption("Click a cell to see its samples.")
        return
    slice_ = Slice(rows, chosen.level_1, columns, chosen.level_2)
    row = _row_of(table, metric, slice_)
    slice_panel(run, table, metric, slice_, row, chart=chosen.chart, compared=compared)


def _own_cells(run: RunInfo, metric: str, table: WeaknessTable, rows: str, columns: str) -> ChosenCell | None:
    data, notes = _drawn(table, metric, rows, columns, machine=is_machine_verdict(run, metric))
    with st.container(horizontal=True, vertical_alignment="center"):
        table_note(run, table, metric, heatmap=data)
        as_table_toggle()
    title = f"{slice_metric_title(metric, table.settings.labels)} by {rows} and {columns}"
    return cells(data, key=f"{metric}-{rows}-{columns}", title=title, notes=notes)


@lru_cache(maxsize=16)
def _drawn(
    table: WeaknessTable, metric: str, rows: str, columns: str, *, machine: bool
) -> tuple[WeaknessHeatmap, Notes]:
    """The heatmap of a table and its notes, which are never modified: a click changes neither."""
    data = weakness_heatmap(table, metric, rows=rows, columns=columns, machine=machine)
    return data, people_notes(pair_rows(table, metric, rows=rows, columns=columns))


def _pick(run: RunInfo, coverages: Sequence[PairCoverage], by: list[str]) -> tuple[str, str, RunInfo | None]:
    """The dimensions of rows and columns, at first those of which most is seen, and another run to compare with."""
    first, second = (coverages[0].first, coverages[0].second) if coverages else (by[0], by[1])
    left, middle, right = st.columns(3)
    with left:
        rows = _dimension("Rows", by, first)
    with middle:
        columns = _dimension("Columns", [name for name in by if name != rows], second if rows == first else first)
    with right:
        return rows, columns, pick_other_run(run)


def _dimension(label: str, names: list[str], default: str) -> str:
    """One dimension, kept in the URL."""
    key = label.lower()
    if st.session_state.get(key) not in (None, *names):  # as after another choice of dimensions
        del st.session_state[key]
    index = names.index(default) if default in names else 0
    return st.selectbox(label, names, index=0 if key in st.session_state else index, key=key, bind="query-params")


def _offer_fuller(coverages: tuple[PairCoverage, ...], rows: str, columns: str) -> None:
    fuller = fuller_pair(coverages, rows, columns)
    if fuller is None:
        return
    shown = next(pair for pair in coverages if pair.is_of(rows, columns))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{shown.compared} of {shown.cells} cells here hold enough samples to be compared.")
        st.button(
            f"Show {plain(fuller.first)} × {plain(fuller.second)}: {fuller.compared} of {fuller.cells}",
            key="fuller-pair",
            on_click=_show_pair,
            args=(fuller,),
        )


def _show_pair(pair: PairCoverage) -> None:
    st.session_state["rows"], st.session_state["columns"] = pair.first, pair.second


def _row_of(table: WeaknessTable, metric: str, slice_: Slice) -> pd.Series:
    rows = pair_rows(table, metric, rows=slice_.dimension_1, columns=str(slice_.dimension_2))
    return rows[(rows["level_1"] == slice_.level_1) & (rows["level_2"] == slice_.level_2)].iloc[0]
