"""Every page, opened by its own address, gets all that it asks for, and the browser has nothing to complain of."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from hcat.core.settings import Settings
from hcat.core.workspace import Workspace
from hcat.dashboard.navigation import PAGES
from tests.browser.conftest import RunningApp, Watched
from tests.browser.steps import visit

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["", *(entry.name for entry in PAGES)])
def test_a_page_loads_without_a_refused_request_or_an_error(
    page: Page, app: RunningApp, watched: Watched, name: str
) -> None:
    watched.follow(page, app.url)
    visit(page, app.url, name)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page.get_by_role("alert").filter(has_text="encountered an error")).to_have_count(0)
    assert watched.refused == []
    assert watched.errors == []


def test_the_address_of_the_overview_shows_the_project_that_it_names(page: Page, app: RunningApp) -> None:
    """Also another one than the first; and says where there is none of that name."""
    settings = Settings(database_url=f"sqlite:///{app.database}", artifacts=str(app.artifacts))
    with Workspace.open(settings) as workspace:
        for name in ("First by name", "Not the first"):
            workspace.projects.create(name)
    for name in ("Not the first", "First by name"):
        visit(page, app.url, "overview", project=name)
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        expect(page.get_by_text("There is no project")).to_have_count(0)
    visit(page, app.url, "overview", project="Nobody's")
    expect(page.get_by_text("There is no project “Nobody's” here.")).to_be_visible()
