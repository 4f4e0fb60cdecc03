"""The cells of a heatmap, as a chart or as a table: either way one can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from hcat.core.display.numbers import format_p_value
from hcat.core.figures.heatmap import WeaknessHeatmap
from hcat.core.wording.figures import heatmap_in_words
from hcat.dashboard.charts.heatmap import Notes, cell_room, heatmap
from hcat.dashboard.components.heatmap_legend import show_heatmap_legend
from hcat.dashboard.components.heatmap_numbers import fitted_numbers
from hcat.dashboard.components.tables import selectable_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.selection import selected_customdata


@dataclass(frozen=True, slots=True)
class ChosenCell:
    """The levels of a chosen cell, and the chart that it was seen in."""

    level_1: str
    level_2: str
    chart: go.Figure


def cells(data: WeaknessHeatmap, *, key: str, title: str, notes: Notes | None = None) -> ChosenCell | None:
    """The heatmap with its legend; gives the cell that was clicked, or chosen in the table of the same cells."""
    figure = _figure(data, is_dark(), tuple((notes or {}).items()))
    if st.session_state.get("table"):
        chosen = _table(data, key=key, title=title, notes=notes or {})
    else:
        with fitted_numbers(cell_room(data), key=key):
            event = st.plotly_chart(
                figure,
                key=f"heatmap-{key}",
                on_select="rerun",
                selection_mode="points",
                config={"displayModeBar": False},
                alt=heatmap_in_words(data, title=title),
            )
        show_heatmap_legend(data, dark=is_dark())
        picked = selected_customdata(event)
        chosen = (str(picked[0][0]), str(picked[0][1])) if picked else None
    return None if chosen is None else ChosenCell(*chosen, figure)


@lru_cache(maxsize=16)
def _figure(data: WeaknessHeatmap, dark: bool, notes: tuple[tuple[tuple[str, str], str], ...]) -> go.Figure:
    """Made once for as long as nothing in it changes; nobody changes the figure."""
    return heatmap(data, dark=dark, notes=dict(notes))


def as_table_toggle() -> None:
    """Between chart and table, kept in the URL: a chart can't be reached by keyboard, a table can."""
    st.toggle(
        "As a table",
        key="table",
        bind="query-params",
        help="The same cells as rows, for keyboard and screen reader: arrow keys move, Space chooses a row.",
    )


def _table(data: WeaknessHeatmap, *, key: str, title: str, notes: Notes) -> tuple[str, str] | None:
    compared = data.worst_first
    ordered = [*compared, *(cell for cell in data.cells if cell.shade is None)]
    rows = pd.DataFrame(
        {
            data.dimension_1: [cell.level_1 for cell in ordered],
            data.dimension_2 + (" " if data.dimension_2 == data.dimension_1 else ""): [c.level_2 for c in ordered],
            "Verdict": [cell.verdict for cell in ordered],
            "Mean" if data.against is None else "Difference": [cell.mean.value for cell in ordered],
            "Low": [None if data.machine else cell.mean.low for cell in ordered],
            "High": [None if data.machine else cell.mean.high for cell in ordered],
            "n": [cell.mean.n for cell in ordered],
            "q": [format_p_value(cell.q) for cell in ordered],
            "People": [notes.get((cell.level_1, cell.level_2), "") for cell in ordered],
        }
    )
    event = selectable_table(
        rows if notes else rows.drop(columns="People"),
        key=f"cells-{key}",
        hide_index=True,
        selection_mode="single-row",
        height=420,
        column_config={
            name: st.column_config.NumberColumn(format="%.3f") for name in ("Mean", "Difference", "Low", "High")
        },
        alt=heatmap_in_words(data, title=title),
    )
    if not event.selection.rows:
        return None
    cell = ordered[event.selection.rows[0]]
    return cell.level_1, cell.level_2
