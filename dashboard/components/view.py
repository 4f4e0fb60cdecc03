"""A view on a page: tables that can be sorted and downloaded, figures and rows to click on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from hcat.core.display.messages import say
from hcat.core.types import Estimate
from hcat.core.view.tree import (
    Block,
    Bullets,
    Callout,
    Figure,
    Heading,
    KeyValues,
    Paragraph,
    Quantity,
    Quotation,
    Samples,
    Table,
)
from hcat.core.view.values import NUMERIC, cell, show, text_of
from hcat.core.view.view import View
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table, selectable_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.selection import selected_customdata

Chosen = tuple[object, ...]
"""The customdata of a mark, or what the page gives for a row."""
FACTS_IN_A_ROW = 4
Draw = Callable[..., go.Figure]
"""A chart of a figure's data; the second argument is whether the page is dark."""


def show_view(
    view: View, *, key: str, draw: Mapping[type, Draw], rows: Sequence[Sequence[Chosen]] = ()
) -> Chosen | None:
    """Show the blocks in their order, and give the mark or row that was clicked; of several, that of the last block.

    `draw` has a chart for each kind of figure that the view holds. `rows` has, for each table in order, what a click on
    each of its rows gives; the rows of a table without it can't be clicked.
    """
    chosen: Chosen | None = None
    given = iter(rows)
    for position, block in enumerate(view.blocks):
        if isinstance(block, Figure):
            chosen = _figure(block, draw[type(block.data)], key=f"{key}-{position}") or chosen
        elif isinstance(block, Table):
            chosen = _table(block, next(given, ()), key=f"{key}-{position}") or chosen
        else:
            _text(block)
    return chosen


def _figure(figure: Figure, draw: Draw, *, key: str) -> Chosen | None:
    drawn = draw(figure.data, is_dark())
    st.markdown(f"**{plain(figure.title)}**")
    event = st.plotly_chart(
        drawn,
        key=key,
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=described(drawn, figure.title),
    )
    if figure.caption:
        st.caption(plain(text_of(figure.caption)))
    picked = selected_customdata(event)
    return tuple(picked[0]) if picked else None


def _table(table: Table, clicks: Sequence[Chosen], *, key: str) -> Chosen | None:
    st.markdown(f"**{plain(table.title)}**")
    frame = table_frame(table)
    if frame.empty:
        st.caption(say("None."))
        return None
    numbers = {
        column.title: st.column_config.TextColumn(alignment="right")
        for column in table.columns
        if column.kind in NUMERIC and not pd.api.types.is_integer_dtype(frame[column.title])
    }
    exact, chosen = exact_frame(table), None
    if clicks:
        event = selectable_table(
            frame, exact=exact, alt=table.title, key=key, hide_index=True, column_config={**numbers}
        )
        chosen = next((clicks[row] for row in event.selection.rows if row < len(clicks)), None)
    else:
        data_table(frame, exact=exact, alt=table.title, hide_index=True, column_config={**numbers})
    if table.note:
        st.caption(plain(text_of(table.note)))
    return chosen


def table_frame(table: Table) -> pd.DataFrame:
    """The table as a page shows it: counts as numbers, all else as it reads."""
    columns: dict[str, list[object]] = {}
    for place, column in enumerate(table.columns):
        values = [row[place] for row in table.rows]
        whole = column.kind == "count" and all(isinstance(value, int) for value in values)
        columns[column.title] = [*values] if whole else [cell(value, column).text for value in values]
    return pd.DataFrame(columns)


def exact_frame(table: Table) -> pd.DataFrame:
    """The table as written to a file: numbers in full precision, estimates with columns for their ends and n."""
    columns: dict[str, list[object]] = {}
    for place, column in enumerate(table.columns):
        given = [row[place] for row in table.rows]
        values = [value.value if isinstance(value, Quantity) else value for value in given]
        estimates = [value if isinstance(value, Estimate) else None for value in values]
        columns[column.title] = [
            value if estimate is None else estimate.value for value, estimate in zip(values, estimates, strict=True)
        ]
        if any(estimates):
            for end in ("low", "high", "n"):
                columns[f"{column.title}, {end}"] = [each and getattr(each, end) for each in estimates]
    return pd.DataFrame(columns)


def _text(block: Block) -> None:
    match block:
        case Heading():
            st.subheader(plain(block.text))
        case Paragraph():
            st.markdown(plain(text_of(block.text)))
        case Quotation():
            st.text(block.text)
        case Bullets():
            st.markdown("\n".join(f"- {plain(text_of(item))}" for item in block.items))
        case KeyValues():
            for start in range(0, len(block.items), FACTS_IN_A_ROW):
                row = block.items[start : start + FACTS_IN_A_ROW]
                for column, (name, value) in zip(st.columns(len(row)), row, strict=True):
                    column.metric(name, show(value).text)
        case Callout():
            said = f"**{plain(block.title)}** {plain(text_of(block.text))}"
            {"good": st.success, "info": st.info, "warning": st.warning, "bad": st.error}[block.kind](said)
        case Samples():
            st.markdown(f"**{plain(block.title)}**")
            st.markdown("\n".join(f"- {plain(item.id)}: {plain(item.query)}" for item in block.items))
