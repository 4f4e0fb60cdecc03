"""A page that fails for a reason that hcat did not expect says so in one line, and the rest stays usable."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RunningApp
from tests.browser.steps import create_project, go_to, visit, wait_until_idle

pytestmark = pytest.mark.browser

PROJECT = "Broken by hand"


def test_a_page_that_fails_names_a_log_and_leaves_the_rest_usable(page: Page, app: RunningApp) -> None:
    visit(page, app.url, "runs")
    create_project(page, PROJECT)
    with criterion_without_levels(app.database, PROJECT):
        visit(page, app.url, "runs", project=PROJECT)
        alert = page.get_by_role("alert")
        expect(alert).to_have_count(1)
        expect(alert).to_have_text(re.compile(r"defect of hcat \(\w+\): send \S+error-\w+\.log "))
        expect(page.get_by_text("Traceback")).to_have_count(0)
        (log,) = re.findall(r"send (\S+) to", alert.inner_text())
        assert Path(log).stat().st_mode & 0o777 == 0o600
        assert "during: a page" in Path(log).read_text()
        go_to(page, "Glossary")
        expect(page.get_by_role("alert")).to_have_count(0)
    visit(page, app.url, "runs", project=PROJECT)
    wait_until_idle(page)
    expect(page.get_by_role("alert")).to_have_count(0)


@contextmanager
def criterion_without_levels(database: Path, project: str) -> Iterator[None]:
    """A row that no version of hcat writes, taken away again."""
    with closing(sqlite3.connect(database, timeout=60)) as connection:
        (number,) = connection.execute("SELECT id FROM project WHERE name = ?", (project,)).fetchone()
        with connection:
            (row,) = connection.execute(
                "INSERT INTO criterion (project_id, name, levels, passing, created_at)"
                " VALUES (?, 'Right', '7', 1, '2026-01-01 00:00:00') RETURNING id",
                (number,),
            ).fetchone()
        try:
            yield
        finally:
            with connection:
                connection.execute("DELETE FROM criterion WHERE id = ?", (row,))
