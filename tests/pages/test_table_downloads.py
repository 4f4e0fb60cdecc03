"""The tables of a page as CSV and Excel, in place of Streamlit's own download, which leaves formulas alive."""

from __future__ import annotations

import ast
import tomllib

import pandas as pd
from streamlit.testing.v1 import AppTest

from core.settings import ROOT
from dashboard.components.tables import collected_tables, data_table, downloadable

WITHOUT = {"judges", "labelling"}
"""Folders of panels whose tables can't be downloaded: a labelling page shows nothing but the card."""


def _page() -> None:
    import pandas as pd
    import streamlit as st

    from dashboard.components.tables import collected_tables, data_table, download_tables, selectable_table

    with collected_tables() as tables:
        data_table(pd.DataFrame({"name": ["=1+1"], "mean": [-0.5]}), alt="Means", hide_index=True)
        selectable_table(pd.DataFrame({"n": [3]}, index=["a"]), alt="Counts")
        data_table(pd.DataFrame({"n": []}), alt="Nothing")
    st.session_state["shown"] = tables
    download_tables(tables)


def test_streamlits_own_download_is_off() -> None:
    config = tomllib.loads((ROOT / "dashboard" / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["client"]["disableDataExport"] is True


def test_the_tables_of_a_page_are_offered_and_made_when_asked_for() -> None:
    app = AppTest.from_function(_page, default_timeout=120).run()
    assert not app.exception
    assert [(table.title, table.with_index) for table in app.session_state["shown"]] == [
        ("Means", False),
        ("Counts", True),
    ]
    assert not app.get("download_button")


def test_the_chosen_table_is_made_as_csv_and_as_excel() -> None:
    app = AppTest.from_function(_page, default_timeout=120)
    app.session_state["download-table"] = True
    app.run()
    assert not app.exception
    assert app.selectbox(key="downloaded-table").options == ["Means", "Counts"]
    assert [button.proto.label for button in app.get("download_button")] == ["CSV", "Excel"]


def test_nothing_is_collected_outside_of_a_page() -> None:
    frame = pd.DataFrame({"a": [1]})
    assert downloadable(frame, "A") is frame
    with collected_tables() as tables:
        downloadable(frame, "A")
    downloadable(frame, "B")
    assert [table.title for table in tables] == ["A"]


def test_every_table_is_drawn_by_the_component() -> None:
    others = [
        f"{path.parent.name}/{path.name}:{node.lineno}"
        for path in sorted((ROOT / "dashboard").rglob("*.py"))
        if path.parent.name not in WITHOUT and path.parent.name != "components"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.dataframe"
    ]
    assert [place for place in others if not place.startswith("retrieval/query.py")] == []
    assert callable(data_table)
