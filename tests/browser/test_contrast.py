"""Every text of real pages stands out as the browser paints it, in both themes, and the menu shows the focus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.served import RunningApp
from core.display.palette import contrast
from tests.browser.conftest import PATIENCE
from tests.browser.steps import becomes, settle, visit

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
        becomes(themed, lambda: not pale(themed), seconds=15)  # a chart is drawn in light colours first
        texts = themed.evaluate(RATIOS)
        least = {kind: min(t["ratio"] for t in texts if kind in t["kind"]) for kind in SEEN[name]}
        print(name, {kind: round(ratio, 2) for kind, ratio in least.items()})
        assert pale(themed) == []


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
    outlines: list[list[str]] = []

    def is_focused() -> bool:
        if outline := themed.evaluate(FOCUSED):
            outlines.append(outline)
        return bool(outline)

    def takes_the_focus() -> bool:  # the menu may be drawn anew meanwhile, and then nothing has the focus
        themed.get_by_test_id("stSidebarNavLink").first.focus()
        themed.keyboard.press("Tab")  # as by keyboard: only then is the focus to be seen
        return becomes(themed, is_focused, seconds=2)

    assert becomes(themed, takes_the_focus)
    width, style, color = outlines[-1]
    paper = themed.get_by_test_id("stSidebar").evaluate("e => getComputedStyle(e).backgroundColor")
    assert (width, style) == ("2px", "solid")
    assert contrast(_hex(color), _hex(paper)) >= 3


def _hex(color: str) -> str:
    channels = color.removeprefix("rgb(").removesuffix(")").split(", ")
    return "#" + "".join(f"{int(channel):02x}" for channel in channels)
