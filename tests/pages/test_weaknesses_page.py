"""The Weaknesses page: what is in view stays in the address, cells can be chosen in a table, two runs are compared."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from hcat.core.settings import settings
from hcat.core.slices.verdicts import VERDICTS
from hcat.core.workspace import Workspace
from hcat.dashboard.capabilities.overview import weakest
from tests.pages.small_project import PROJECT, small_samples
from tests.pages.test_pages import OpenPage, assert_sound, shown


def box(app: AppTest, key: str) -> Selectbox[str]:
    return next(field for field in app.selectbox if field.key == key)


def cell_texts(app: AppTest) -> dict[tuple[str, str], str]:
    """What is said of each cell when the mouse is over it."""
    targets = json.loads(app.get("plotly_chart")[0].proto.spec)["data"][-1]
    return {(first, second): text for (first, second), text in zip(targets["customdata"], targets["text"], strict=True)}


def test_what_is_in_view_comes_from_the_address(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="groundedness", rows="customer", columns="kind")
    assert_sound(app)
    assert (box(app, "metric").value, box(app, "rows").value) == ("groundedness", "customer")
    assert box(app, "columns").value == "kind"


def test_an_address_that_names_nothing_there_is_left_aside(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="no such metric", rows="nowhere", against="no such run")
    assert_sound(app)
    assert box(app, "metric").value == "pass_probability"
    assert "No comparison" not in shown(app)  # there is no other run


def test_other_dimensions_change_no_q(open_page: OpenPage) -> None:
    first = open_page("weaknesses", "calibrated", metric="answer_f1", rows="kind", columns="customer")
    before = cell_texts(first)
    first.multiselect(key="by").set_value(["kind", "customer"]).run()
    assert_sound(first)
    assert cell_texts(first) == before


def test_the_cells_are_a_table_too(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="answer_f1", rows="kind", columns="customer")
    app.toggle(key="table").set_value(True).run()
    assert_sound(app)
    assert not app.get("plotly_chart")
    rows = app.dataframe[0].value
    assert len(rows) == 4
    assert rows.iloc[0]["kind"] == "amount" and rows.iloc[0]["customer"] == "business"  # worst first
    assert {"Verdict", "Mean, 95% interval", "q"} <= set(rows.columns)
    assert rows["Mean, 95% interval"].str.fullmatch(r"[01]\.\d\d \[[01]\.\d\d, [01]\.\d\d\], n = \d+").all()
    choose_row(app, "cells-answer_f1-kind-customer-0", 0)
    assert_sound(app)
    assert "kind = amount, customer = business" in [each.value.replace("\\", "") for each in app.subheader]


def test_the_chart_has_values_in_its_text(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="answer_f1", rows="kind", columns="customer")
    text = app.get("plotly_chart")[0].proto.alt
    assert "amount × business 0." in text and "Worst first" in text


def test_two_runs_in_one_heatmap(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="answer_f1", rows="kind", columns="customer")
    workspace = Workspace.open(settings())
    perfect = [replace(sample, answer=sample.reference) for sample in small_samples()]
    workspace.scoring.score(workspace.runs.add(PROJECT, "perfect", perfect, source="perfect.jsonl"), "answer_f1")
    app.run()
    box(app, "against").set_value("perfect").run()
    assert_sound(app)
    assert "first-run less perfect, over 44 pairs" in shown(app).replace("\\", "")
    cells = cell_texts(app)
    assert "verdict: lower" in cells["amount", "business"]  # most answers there are wrong
    app.toggle(key="table").set_value(True).run()
    difference = app.dataframe[0].value["Difference, 95% interval"].iloc[0]
    assert float(difference.split(" ")[0].replace("−", "-")) < -0.3
    box(app, "metric").set_value("pass_probability").run()
    assert_sound(app)
    assert "not compared by slice" in shown(app).replace("\\", "")


def test_people_stand_beside_a_metric(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="groundedness", rows="kind", columns="customer")
    assert_sound(app)
    assert "Groundedness is " in shown(app).replace("\\", "")  # how far it stands in for people
    assert all("by labels " in text and "% [" in text for text in cell_texts(app).values())
    app.toggle(key="table").set_value(True).run()
    assert app.dataframe[0].value["People"].str.contains("pass").all()


def test_a_row_of_the_list_opens_its_slice(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="answer_f1", view="Ranked list")
    assert_sound(app)
    rows = app.dataframe[0].value
    assert {"Slice", "Value, 95% interval", "q", "Effect (g)", "Verdict"} <= set(rows.columns)
    assert "Select a row" in shown(app) and len(rows) > 2
    for place in (0, 2):
        choose_row(app, "ranked-answer_f1-0", place)
        assert_sound(app)
        title = rows["Slice"].iloc[place].split(" (the same samples")[0]
        assert title in [each.value.replace("\\", "") for each in app.subheader]
        assert "Select a row" not in shown(app)


def test_a_row_that_is_no_longer_there_opens_nothing(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="answer_f1", view="Ranked list")
    choose_row(app, "ranked-answer_f1-0", 1_000)
    assert_sound(app)
    assert "Select a row" in shown(app)


def test_a_cell_of_the_heatmap_opens_its_slice(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="answer_f1", rows="kind", columns="customer")
    point = {"customdata": ["amount", "business"], "point_index": 0, "curve_number": 0}
    app.session_state["heatmap-answer_f1-kind-customer"] = {"selection": {"points": [point]}}
    app.run()
    assert_sound(app)
    assert "kind = amount, customer = business" in [each.value.replace("\\", "") for each in app.subheader]


def test_a_row_of_the_weakest_on_the_overview_opens_its_samples(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weakest, "POSSIBLE", VERDICTS)  # no slice of these 44 samples is shown to be worse
    app = open_page("overview", "calibrated")
    assert_sound(app)
    [rows] = [frame.value for frame in app.dataframe if "Verdict" in frame.value]
    assert "Select a row to open its samples" in shown(app)
    choose_row(app, "weakest-0", 0)
    assert_sound(app)
    title = rows["Slice"].iloc[0].split(" (the same samples")[0]
    assert [each.value for each in app.title] == ["Samples"] and title in shown(app).replace("\\", "")


def choose_row(app: AppTest, key: str, place: int) -> None:
    app.session_state[key] = {"selection": {"rows": [place], "columns": [], "cells": []}}
    app.run()
