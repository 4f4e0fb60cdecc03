"""The cells of a heatmap, as a chart or as a table: either way one can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

from hcat.core.capabilities.weaknesses.views.weaknesses import cells_table
from hcat.core.figures.heatmap import WeaknessHeatmap
from hcat.core.view.view import View
from hcat.core.wording.figures import heatmap_in_words
from hcat.dashboard.charts.heatmap import Notes, cell_room, heatmap
from hcat.dashboard.components.heatmap_legend import show_heatmap_legend
from hcat.dashboard.components.heatmap_numbers import fitted_numbers
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
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
        table = cells_table(data, title=title, notes=notes or {})
        rows = [[row[:2] for row in table.rows]]
        chosen = show_view(View((table,)), key=f"cells-{key}", draw={}, rows=rows)
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
        chosen = next(map(tuple, selected_customdata(event)), None)
    return None if chosen is None else ChosenCell(str(chosen[0]), str(chosen[1]), figure)


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
