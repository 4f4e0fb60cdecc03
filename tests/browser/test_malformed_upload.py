"""A file that is not a run file is told so in one place, and leaves the store as it was."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, RunningApp
from tests.browser.steps import create_project, table_texts, upload, visit, wait_until_idle
from tests.browser.store import contents

pytestmark = pytest.mark.browser

PROJECT = "Careless uploads"
UNREADABLE = {
    "rubbish.jsonl": (random.Random(7).randbytes(4000), r"not UTF-8|not text"),
    "columns.csv": (b"colour,weight\nred,3\nblue,4\n", r"column|format|query"),
    "empty.jsonl": (b"", r"empty"),
    "sheet.csv": (b"PK\x03\x04" + bytes(200), r"zip archive that holds no Excel workbook"),
}
GOOD = {"query": "What is the fee?", "answer": "3 euros.", "contexts": ["The fee is 3 euros."]}
MIXED = [
    json.dumps(GOOD | {"id": "good-1"}),
    json.dumps({"id": "no-answer", "query": "What is the fee?"}),
    "{not json",
    json.dumps(GOOD | {"id": "odd-contexts", "contexts": [{"score": 7}]}),
    json.dumps(GOOD | {"id": "good-2"}),
    json.dumps(GOOD | {"id": "odd-query", "query": ["=cmd|' /C calc'!A0"]}),
]


@pytest.fixture(scope="module")
def runs_page(browser: Browser, app: RunningApp) -> Iterator[Page]:
    """The Runs page of a project without runs."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    visit(page, app.url, "runs")
    create_project(page, PROJECT)
    yield page
    context.close()


@pytest.mark.parametrize("filename", UNREADABLE)
def test_an_unreadable_file_is_one_clear_message(runs_page: Page, app: RunningApp, filename: str) -> None:
    content, message = UNREADABLE[filename]
    before = contents(app.database, app.artifacts)
    visit(runs_page, app.url, "runs", project=PROJECT)
    upload(runs_page, filename, content)
    alert = runs_page.get_by_role("alert")
    expect(alert).to_have_count(1)
    expect(alert).to_have_text(re.compile(message, re.IGNORECASE))
    expect(alert).not_to_contain_text("Traceback")
    expect(runs_page.get_by_role("button", name=re.compile("^Import"))).to_have_count(0)
    assert contents(app.database, app.artifacts) == before


def test_bad_rows_are_listed_and_downloaded_and_only_good_ones_offered(runs_page: Page, app: RunningApp) -> None:
    before = contents(app.database, app.artifacts)
    visit(runs_page, app.url, "runs", project=PROJECT)
    upload(runs_page, "mixed.jsonl", "\n".join(MIXED).encode())
    expect(runs_page.get_by_text(re.compile(r"problems in 4 rows"))).to_be_visible()
    wait_until_idle(runs_page)
    for title, number in (("Usable samples", "2"), ("Rows skipped", "4")):
        expect(runs_page.get_by_test_id("stMetric").filter(has_text=title)).to_contain_text(number)
    listed = table_texts(runs_page, "Problems, row by row")
    assert {"2", "3", "4", "6"} <= set(listed)
    with runs_page.expect_download() as waiting:
        runs_page.get_by_role("button", name="Download the list of problems").click()
    with waiting.value.path().open(encoding="utf-8-sig", newline="") as file:
        problems = list(csv.DictReader(file))
    assert {row["row"] for row in problems} == {"2", "3", "4", "6"}
    assert not [cell for row in problems for cell in row.values() if str(cell).startswith(("=", "+", "-", "@"))]
    with runs_page.expect_download() as waiting:
        runs_page.get_by_role("button", name="Download the bad rows").click()
    assert "no-answer" in waiting.value.path().read_text("utf-8")
    expect(runs_page.get_by_role("button", name=re.compile("Import 2 samples, skip 4 rows"))).to_be_visible()
    assert contents(app.database, app.artifacts) == before, "nothing is stored before the user imports"


def test_a_name_that_is_taken_changes_nothing(runs_page: Page, app: RunningApp) -> None:
    visit(runs_page, app.url, "runs", project=PROJECT)
    _import_unscored(runs_page, "twice.jsonl")
    expect(runs_page.get_by_role("combobox", name="Run", exact=True)).to_have_value("twice")
    wait_until_idle(runs_page)
    before = contents(app.database, app.artifacts)
    _import_unscored(runs_page, "twice.jsonl", content=json.dumps(GOOD | {"id": "other"}))
    expect(runs_page.get_by_role("alert").filter(has_text="Nothing was imported")).to_be_visible()
    assert contents(app.database, app.artifacts) == before


def _import_unscored(page: Page, filename: str, *, content: str = MIXED[0]) -> None:
    upload(page, filename, content.encode())
    page.get_by_test_id("stCheckbox").filter(has_text="Score after import").click()
    page.get_by_role("button", name="Import 1 sample").click()
