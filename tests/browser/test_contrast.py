"""Every text of real pages stands out as the browser paints it, in both themes, and the menu shows the focus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.served import RunningApp
from core.display.palette import contrast
from tests.browser.conftest import PATIENCE
from tests.browser.steps import settle, visit

pytestmark = pytest.mark.browser

RATIOS = Path(__file__).with_name("contrast.js").read_text("utf-8")
PAGES = ("estimates", "labelling", "retrieval", "glossary")
SEEN = {
    "estimates": ("stCaptionContainer", "chart", "stMultiSelectTagsContainer"),
    "labelling": ("stBaseButton-primaryFormSubmit",),
    "retrieval": ("stCaptionContainer", "chart"),
    "glossary": ("stCaptionContainer",),
}
"""What must be among the texts of a page, so that the test looks at something."""


@pytest.fixture(params=["light", "dark"])
def themed(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme: Literal["light", "dark"] = request.param
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def test_texts_of_pages_stand_out(themed: Page, demo: RunningApp) -> None:
    for name in PAGES:
        visit(themed, demo.url, name)
        settle(themed)
        if "chart" in SEEN[name]:
            expect(themed.locator(".xtick").first).to_be_attached()
        texts = themed.evaluate(RATIOS)
        least = {kind: min(t["ratio"] for t in texts if kind in t["kind"]) for kind in SEEN[name]}
        print(name, {kind: round(ratio, 2) for kind, ratio in least.items()})
        assert [text for text in texts if text["ratio"] < 4.5] == []


def test_the_menu_shows_where_the_focus_is(themed: Page, app: RunningApp) -> None:
    visit(themed, app.url, "glossary")
    link = themed.get_by_test_id("stSidebarNavLink").first
    link.focus()
    themed.keyboard.press("Tab")  # as by keyboard: only then is the focus to be seen
    width, style, color = themed.evaluate(
        "() => { const s = getComputedStyle(document.activeElement); "
        "return [s.outlineWidth, s.outlineStyle, s.outlineColor]; }"
    )
    paper = themed.get_by_test_id("stSidebar").evaluate("e => getComputedStyle(e).backgroundColor")
    assert (width, style) == ("2px", "solid")
    assert contrast(_hex(color), _hex(paper)) >= 3


def _hex(color: str) -> str:
    channels = color.removeprefix("rgb(").removesuffix(")").split(", ")
    return "#" + "".join(f"{int(channel):02x}" for channel in channels)
