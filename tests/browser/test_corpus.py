"""A folder of documents is uploaded and stored by mouse, and its passages are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from hcat.core.settings import ROOT
from tests.browser.conftest import RunningApp
from tests.browser.steps import choose_row, create_project, table_texts, visit

pytestmark = pytest.mark.browser

PROJECT = "Corpus by mouse"


def test_a_folder_becomes_a_corpus(page: Page, app: RunningApp, tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    (folder / "cards").mkdir(parents=True)
    for name in ("01-current-accounts.md", "02-cards.md"):
        text = (ROOT / "data" / "demo" / "handbook" / name).read_text("utf-8")
        (folder / ("cards" if "cards" in name else ".") / name).write_text(text, "utf-8")
    (folder / "broken.pdf").write_bytes(b"no pdf")
    visit(page, app.url, "runs")
    create_project(page, PROJECT)
    visit(page, app.url, "corpus", project=PROJECT)
    page.locator("input[type=file]").first.set_input_files(folder)
    expect(page.get_by_text("2 documents, 24 passages; 1 file left out")).to_be_visible()
    page.get_by_label("Name of the corpus").fill("handbook")
    page.get_by_role("button", name="Store the corpus").click()
    expect(page.get_by_text("Select a row to read its passages")).to_be_visible()
    assert {"01-current-accounts.md", "cards/02-cards.md"} <= set(table_texts(page, "The documents of the corpus"))
    choose_row(page, "The documents of the corpus", 0)
    expect(page.get_by_text("12 passages of 01-current-accounts.md")).to_be_visible()
    expect(page.get_by_text("Pellmarsh Bank keeps five current accounts")).to_be_visible()
