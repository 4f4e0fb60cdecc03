"""One name for labels, decisions, findings and reports, which the browser remembers."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from hcat.dashboard.components.person import COOKIE
from tests.pages.conftest import OpenPage
from tests.pages.test_pages import assert_sound, begin_as, shown


def for_the_browser(app: AppTest) -> str:
    parts = [str(view.proto) for view in app.sidebar.get("bidi_component")]
    return next((part for part in parts if "hcat_person" in part), "")


def test_the_name_of_an_annotator_stands_in_every_field_for_one(open_page: OpenPage) -> None:
    app = open_page("labelling", "calibrated")
    assert for_the_browser(app) == ""
    begin_as(app, "Nora N.")
    assert "Nora N." in for_the_browser(app)
    app = app.switch_page("../pages/report.py").run()
    assert app.text_input(key="report-author").value == "Nora N."
    app = app.switch_page("../pages/runs.py").run()
    assert app.text_input(key="gold-author").value == "Nora N."
    assert_sound(app)


def test_a_name_given_elsewhere_labels_too(open_page: OpenPage) -> None:
    app = open_page("report", "calibrated")
    app.text_input(key="report-author").input("Nora N.").run()
    app = app.switch_page("../pages/labelling.py").run()
    assert_sound(app)
    assert "Nora N" in shown(app)
    assert "to go" in shown(app)


def test_a_remembered_name_is_taken_up_and_given_up(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = {COOKIE: "J%C3%B6rg%20%26%20Co"}
    monkeypatch.setattr(type(st.context), "cookies", property(lambda context: sent))
    app = open_page("labelling", "calibrated")
    assert_sound(app)
    assert app.session_state["annotator"] == "Jörg & Co"
    app.button(key="change-annotator").click().run()
    assert any(field.label == "Annotator" for field in app.text_input)
    assert "Jörg" not in for_the_browser(app)
