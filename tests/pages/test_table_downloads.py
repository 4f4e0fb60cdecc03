"""The tables of a page as CSV and Excel, in place of Streamlit's own download, which leaves formulas alive."""

from __future__ import annotations

import ast
import tomllib

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import ROOT
from hcat.dashboard.components.tables import data_table, downloadable


def _page() -> None:
    import pandas as pd
    import streamlit as st

    from hcat.dashboard.components.tables import data_table, downloads_below, selectable_table, stop_page

    with downloads_below():
        data_table(pd.DataFrame({"name": ["=1+1"], "mean": [-0.5]}), alt="Means", hide_index=True)
        selectable_table(pd.DataFrame({"n": [3]}, index=["a"]), alt="Counts")
        data_table(pd.DataFrame({"n": []}), alt="Nothing")
        if "stops" in st.session_state:
            stop_page()


def test_streamlits_own_download_is_off() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["client"]["disableDataExport"] is True


@pytest.mark.parametrize("stops", [False, True])
def test_the_tables_of_a_page_are_offered_and_made_when_asked_for(stops: bool) -> None:
    app = AppTest.from_function(_page, default_timeout=120)
    if stops:
        app.session_state["stops"] = True
    app.session_state["download-table"] = True
    app.run()
    assert not app.exception
    assert app.selectbox(key="downloaded-table").options == ["Means", "Counts"]
    assert [button.proto.label for button in app.get("download_button")] == ["CSV", "Excel"]


def test_no_file_is_made_before_it_is_asked_for() -> None:
    app = AppTest.from_function(_page, default_timeout=120).run()
    assert not app.exception and not app.get("download_button")


def test_nothing_is_collected_outside_of_a_page() -> None:
    frame = pd.DataFrame({"a": [1]})
    assert downloadable(frame, "A") is frame


def test_every_table_is_drawn_by_the_component() -> None:
    others = [
        f"{path.parent.name}/{path.name}:{node.lineno}"
        for path in sorted((ROOT / "dashboard").rglob("*.py"))
        if path.parent.name != "components"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.dataframe"
    ]
    assert [place for place in others if not place.startswith("retrieval/query.py")] == []
    assert callable(data_table)


def test_every_page_that_ends_early_offers_its_tables() -> None:
    places = [*(ROOT / "pages").rglob("*.py"), *(ROOT / "dashboard").rglob("*.py")]
    assert [path.name for path in places if "st.stop()\n" in path.read_text("utf-8")] == ["tables.py"]
