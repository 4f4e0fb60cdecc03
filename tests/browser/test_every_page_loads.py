"""Every page, opened by its own address, gets all that it asks for, and the browser has nothing to complain of."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from dashboard.navigation import PAGES
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
