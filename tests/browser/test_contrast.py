"""Every text of real pages stands out as the browser paints it, in both themes, and the menu shows the focus."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.served import RunningApp
from hcat.core.display.palette import contrast
from tests.browser.conftest import PATIENCE
from tests.browser.steps import becomes, own_page, settle, visit

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
    with own_page(browser, 1440, 1000, scheme=request.param, patience=PATIENCE) as page:
        yield page


def test_texts_of_pages_stand_out(themed: Page, demo: RunningApp) -> None:
    for name in PAGES:
        visit(themed, demo.url, name)
        settle(themed)
        if "chart" in SEEN[name]:
            expect(themed.locator(".xtick").first).to_be_attached()
        assert becomes(themed, partial(has_all, themed, SEEN[name])), name
        assert becomes(themed, lambda: not pale(themed)), pale(themed)  # a chart is drawn in light colours first


def has_all(page: Page, kinds: tuple[str, ...]) -> bool:
    texts = page.evaluate(RATIOS)
    return all(any(kind in text["kind"] for text in texts) for kind in kinds)


def pale(page: Page) -> list[dict[str, Any]]:
    return [text for text in page.evaluate(RATIOS) if text["ratio"] < 4.5]


FOCUSED = """() => {
    const link = document.querySelector('[data-testid="stSidebarNavLink"]:focus-visible');
    if (!link || link.getAnimations().length) return null;
    const style = getComputedStyle(link);
    return [style.outlineWidth, style.outlineStyle, style.outlineColor];
}"""


def test_the_menu_shows_where_the_focus_is(themed: Page, app: RunningApp) -> None:
    visit(themed, app.url, "glossary")
    settle(themed)
    paper = themed.get_by_test_id("stSidebar").evaluate("e => getComputedStyle(e).backgroundColor")
    outlines: list[list[str]] = []

    def is_outlined() -> bool:  # the focus may come before the styles of the page
        outlines[:] = [themed.evaluate(FOCUSED) or ["", "", ""]]
        width, style, color = outlines[0]
        return (width, style) == ("2px", "solid") and contrast(_hex(color), _hex(paper)) >= 3

    def takes_the_focus() -> bool:  # the menu may be drawn anew meanwhile, and then nothing has the focus
        themed.get_by_test_id("stSidebarNavLink").first.focus()
        themed.keyboard.press("Tab")  # as by keyboard: only then is the focus to be seen
        return becomes(themed, is_outlined, seconds=5)

    assert becomes(themed, takes_the_focus), outlines


def _hex(color: str) -> str:
    channels = color.removeprefix("rgb(").removesuffix(")").split(", ")
    return "#" + "".join(f"{int(channel):02x}" for channel in channels)
