"""The tables of a page as files. Streamlit's own download is off: it would leave formulas alive in a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn, TypedDict, Unpack

import pandas as pd
import streamlit as st

from hcat.core.importers.reading.spreadsheet import as_csv, as_excel, table_rows

if TYPE_CHECKING:
    from streamlit.elements.arrow import DataframeState, SelectionMode
    from streamlit.elements.lib.column_config_utils import ColumnConfigMappingInput

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True)
class PageTable:
    """A table that the page shows, with its title."""

    title: str
    frame: pd.DataFrame
    with_index: bool


_TABLES: ContextVar[list[PageTable] | None] = ContextVar("the tables of the page", default=None)


@contextmanager
def downloads_below() -> Iterator[None]:
    """The tables that are shown within the context can be downloaded below it."""
    tables: list[PageTable] = []
    token = _TABLES.set(tables)
    try:
        yield
    finally:
        _TABLES.reset(token)
    _download_tables(tables)


def stop_page() -> NoReturn:
    """End the page here, below its tables' downloads: after `st.stop()` alone nothing more can be drawn."""
    _download_tables(_TABLES.get() or [])
    st.stop()


class TableOptions(TypedDict, total=False):
    """Options of `st.dataframe` for a table, with the same names and meanings."""

    hide_index: bool
    height: int | Literal["auto", "content", "stretch"]
    width: int | Literal["content", "stretch"]
    key: str
    column_config: ColumnConfigMappingInput


def data_table(
    frame: pd.DataFrame, *, alt: str, exact: pd.DataFrame | None = None, **options: Unpack[TableOptions]
) -> None:
    """Show a table, which can be downloaded below the page by its `alt`, with `exact` values in place of texts."""
    downloadable(frame if exact is None else exact, alt, with_index=not options.get("hide_index"))
    st.dataframe(frame, alt=alt, **_with_separators(frame, options))


def selectable_table(
    frame: pd.DataFrame,
    *,
    alt: str,
    exact: pd.DataFrame | None = None,
    selection_mode: SelectionMode | Iterable[SelectionMode] = "single-row",
    **options: Unpack[TableOptions],
) -> DataframeState:
    """The same with rows, columns or cells to choose; returns the choice."""
    downloadable(frame if exact is None else exact, alt, with_index=not options.get("hide_index"))
    return st.dataframe(
        frame, alt=alt, on_select="rerun", selection_mode=selection_mode, **_with_separators(frame, options)
    )


def _with_separators(frame: pd.DataFrame, options: TableOptions) -> TableOptions:
    """Whole numbers read "1,234", as everywhere, unless the table says otherwise of their column."""
    given = options.get("column_config") or {}
    whole = [
        name
        for name, kind in zip(frame.columns, frame.dtypes, strict=True)
        if name not in given and pd.api.types.is_integer_dtype(kind)
    ]
    if not whole:
        return options
    counts = {name: st.column_config.NumberColumn(format="%,d") for name in whole}
    return {**options, "column_config": {**counts, **given}}


def downloadable(frame: pd.DataFrame, title: str, *, with_index: bool = False) -> pd.DataFrame:
    """A table that is shown in another way, which can be downloaded below the page under this title."""
    tables = _TABLES.get()
    if tables is not None and not frame.empty:
        tables.append(PageTable(title, frame, with_index))
    return frame


def _download_tables(tables: list[PageTable]) -> None:
    """CSV and Excel of a table of the page; the files are made when the panel is opened."""
    if not tables:
        return
    with st.popover("Download a table", icon=":material/download:", on_change="rerun", key="download-table") as popover:
        if not popover.open:
            return
        chosen = tables[0]
        if len(tables) > 1:
            number = st.selectbox(
                "Table", range(len(tables)), format_func=lambda place: tables[place].title, key="downloaded-table"
            )
            chosen = tables[number]
        st.caption("Numbers are numbers. No text is run as a formula: an apostrophe stands where one could begin.")
        rows = table_rows(chosen.frame, with_index=chosen.with_index)
        stem = re.sub(r"[^\w]+", "-", chosen.title).strip("-")[:80] or "table"
        st.download_button("CSV", as_csv(rows), f"{stem}.csv", "text/csv", key="table-csv", on_click="ignore")
        st.download_button("Excel", as_excel(rows), f"{stem}.xlsx", EXCEL, key="table-excel", on_click="ignore")
