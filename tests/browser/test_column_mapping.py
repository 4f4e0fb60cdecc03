"""A file of unknown columns in a real browser: mapped, previewed, imported; the next one is filled in."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RunningApp, Watched
from tests.browser.steps import choose, create_project, table_texts, upload, visit, wait_until_idle

pytestmark = pytest.mark.browser

ROWS = [f"Wie hoch ist Gebühr {n}?,Sie ist {n} Euro.,Gebühr {n} ist {n} Euro." for n in range(8)]
CONTENT = "\n".join(["<b>Was</b>,Resultat,Beleg", *ROWS]).encode()


def test_columns_are_mapped_once(page: Page, app: RunningApp, watched: Watched) -> None:
    watched.follow(page, app.url)
    visit(page, app.url, "runs")
    create_project(page, "Mapped by hand")
    upload(page, "first.csv", CONTENT)
    expect(page.get_by_role("alert")).to_have_text(re.compile("match no known format"))
    expect(page.get_by_text("Choose the column of query and of answer")).to_be_visible()
    choose(page, "Query (needed)", "<b>Was</b>")
    choose(page, "Answer (needed)", "Resultat")
    choose(page, "Contexts", "Beleg")
    expect(page.get_by_test_id("stMetric").filter(has_text="Usable samples")).to_contain_text("8")
    assert "Wie hoch ist Gebühr 3?" in table_texts(page, "The first samples of the file")
    _import(page)
    expect(page.get_by_role("combobox", name="Run", exact=True)).to_have_value("first")
    wait_until_idle(page)
    upload(page, "second.csv", CONTENT)
    expect(page.get_by_text("Filled in from the mapping used")).to_be_visible()
    expect(page.get_by_role("combobox", name="Contexts", exact=True)).to_have_value("Beleg")
    _import(page)
    expect(page.get_by_role("combobox", name="Run", exact=True)).to_have_value("second")
    assert watched.errors == []
    assert watched.foreign == []


def _import(page: Page) -> None:
    page.get_by_test_id("stCheckbox").filter(has_text="Score after import").click()
    page.get_by_role("button", name="Import 8 samples").click()
