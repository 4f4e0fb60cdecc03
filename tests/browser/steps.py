"""What a validator does on a page, by role, label and visible text; each step waits for what it brings about."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import urlencode
from weakref import WeakSet

from playwright.sync_api import Browser, Locator, Page, expect

from benchmarks import drawn
from benchmarks.drawn import COUNT_REQUESTS

ROW_HEIGHT = 35
OFTEN = 50
"""Milliseconds after which it is asked again whether a page is idle. Benchmarks ask with each frame, which is drawn for
that."""
NOTHING_MOVES = """() => document.getAnimations().every(
    animation => animation.playState !== "running" || animation.effect.getComputedTiming().iterations === Infinity
)"""
PANEL_IS_DRAWN = """() => {
    const elements = document.querySelectorAll('[data-testid="stPopoverBody"] [data-testid="stElementContainer"]');
    return elements.length > 0 && [...elements].every(element => element.innerText.trim() !== "");
}"""
NOTHING_LEFT_TO_DO = "() => new Promise(done => requestIdleCallback(done, {timeout: 5000}))"
TABLES_SAY_WHAT_THEY_SHOW = """() => new Promise(
    done => setTimeout(() => requestIdleCallback(done, {timeout: 5000}), 300)
)"""
"""What a table says to screen readers follows what it draws by a fifth of a second."""
counted: WeakSet[Page] = WeakSet()


@contextmanager
def own_page(
    browser: Browser, width: int, height: int, *, scheme: Literal["light", "dark"], patience: float
) -> Iterator[Page]:
    """A page of this size in a browser of its own, in these colours, whose steps take so many milliseconds at most."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(patience)
    yield page
    context.close()


def visit(page: Page, url: str, name: str = "", **query: str) -> None:
    """Load a page of the app by its address and wait until it is drawn."""
    if page not in counted:
        counted.add(page)
        page.add_init_script(COUNT_REQUESTS)
    page.goto(f"{url}/{name}" + (f"?{urlencode(query)}" if query else ""))
    drawn.wait_until_drawn(page, every=OFTEN)


def go_to(page: Page, title: str, *, heading: str | None = None) -> None:
    """Follow the menu, without loading the document again."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
    expect(page.get_by_role("heading", level=1, name=heading or title)).to_be_visible()
    wait_until_idle(page)


def wait_until_idle(page: Page) -> None:
    """What was done last is answered, no script is running and nothing on the page is stale."""
    drawn.wait_until_idle(page, every=OFTEN)


def becomes(page: Page, holds: Callable[[], bool], *, seconds: float = 90) -> bool:
    """Whether something comes to be so; asked again and again, as `expect` does for what it knows."""
    end = time.monotonic() + seconds
    while not (now := holds()) and time.monotonic() < end:
        page.wait_for_timeout(100)
    return now


def settle(page: Page) -> None:
    """Wait until the page is drawn and the browser has nothing left to do.

    A button is seen before its key is bound, and for a moment longer after its time.
    """
    page.evaluate(NOTHING_LEFT_TO_DO)
    wait_until_idle(page)
    page.evaluate(NOTHING_LEFT_TO_DO)


def press(page: Page, key: str) -> None:
    """Press a shortcut, once what it stands for is there for good."""
    settle(page)
    page.keyboard.press(key)


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a select box, unless it is picked already."""
    box = page.get_by_role("combobox", name=label, exact=True)
    if box.input_value() == option:
        return
    box.click()
    box.fill(option)  # a long list holds only what is in view; typing narrows it
    page.get_by_role("option", name=option, exact=True).click()
    expect(box).to_have_value(option)
    expect(page.get_by_role("option")).to_have_count(0)  # an open list hides the rest of the page
    wait_until_idle(page)


def keyed(page: Page, key: str) -> Locator:
    """The element with this Streamlit key, or whose key begins so."""
    return page.locator(f'[class*="st-key-{key}"]').first


@contextmanager
def opened(page: Page, key: str) -> Iterator[None]:
    """The panel behind the button with this key; closed again at the end, and the keys are free."""
    keyed(page, key).get_by_role("button").first.click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    page.wait_for_function(NOTHING_MOVES)
    page.wait_for_function(PANEL_IS_DRAWN)  # the code that draws a kind of element is loaded at its first sight
    yield
    wait_until_idle(page)
    keyed(page, key).get_by_role("button").first.click()
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    blur(page)


LAID_OUT = """key => document.querySelector(`[class*="st-key-${key}"]`)
    ?.querySelector(".js-plotly-plot")?._fullLayout !== undefined"""


def chart(page: Page, key: str) -> Locator:
    """The drawn chart with this key."""
    wait_until_idle(page)
    found = keyed(page, key).locator(".js-plotly-plot")
    expect(found.locator(".main-svg").first).to_be_visible()
    page.wait_for_function(LAID_OUT, arg=key)
    return found


def traces(page: Page, key: str) -> list[dict[str, Any]]:
    """The data that a chart shows, as the browser holds it."""
    text = chart(page, key).evaluate(
        "plot => JSON.stringify(plot._fullData.map(t => ({...t, _input: undefined})), "
        "(name, value) => name.startsWith('_') ? undefined : ArrayBuffer.isView(value) ? Array.from(value) : value)"
    )
    found = json.loads(text)
    assert isinstance(found, list)
    return found


def place_in(plot: Locator, x: float, y: float) -> tuple[float, float]:
    """Where a point of the plot's axes is on the screen."""
    left, top = plot.evaluate(
        """(plot, [x, y]) => {
            const box = plot.getBoundingClientRect(), {xaxis, yaxis} = plot._fullLayout;
            return [box.left + xaxis._offset + xaxis.c2p(x), box.top + yaxis._offset + yaxis.c2p(y)];
        }""",
        [x, y],
    )
    return float(left), float(top)


def hover_point(page: Page, key: str, x: float, y: float) -> tuple[float, float]:
    """Point at a place given in the units of a chart's axes, until the chart answers; gives where that is."""
    plot = chart(page, key)
    plot.scroll_into_view_if_needed()
    answer = plot.locator(".hoverlayer .hovertext")
    places: list[tuple[float, float]] = []

    def answers() -> bool:  # a chart that was just drawn may miss the first move
        left, top = place_in(plot, x, y)
        page.mouse.move(left - 2, top - 2)
        page.mouse.move(left, top)
        places.append((left, top))
        return becomes(page, lambda: answer.count() > 0, seconds=1)

    assert becomes(page, answers), f"the chart {key} does not answer at {x}, {y}"
    return places[-1]


def click_point(page: Page, key: str, x: float, y: float) -> None:
    """Click a chart at a place given in the units of its axes."""
    page.mouse.click(*hover_point(page, key, x, y))


def table(page: Page, about: str) -> Locator:
    """The table with this text for screen readers."""
    found = page.get_by_test_id("stDataFrame").filter(has=page.get_by_role("region", name=about))
    expect(found.get_by_test_id("data-grid-canvas")).to_be_visible()
    return found


def table_texts(page: Page, about: str) -> list[str]:
    """The texts of the cells that are in view, row by row."""
    wait_until_idle(page)
    table(page, about)
    page.evaluate(TABLES_SAY_WHAT_THEY_SHOW)
    cells = table(page, about).get_by_test_id("data-grid-canvas").locator("td")
    expect(cells.first).to_be_attached()
    return [text.strip() for text in cells.all_text_contents()]


def choose_row(page: Page, about: str, number: int) -> None:
    """Tick a row of a table, counted from 0."""
    table(page, about).click(position={"x": 18, "y": ROW_HEIGHT * (number + 1.5)})


def number_in(text: str, pattern: str) -> float:
    """The one number in a text that stands where the pattern's group is."""
    found = re.search(pattern, text)
    assert found, f"{pattern!r} is not in {text!r}"
    return float(found.group(1).replace(",", "").replace("−", "-"))


def blur(page: Page) -> None:
    """Take the focus out of any field, so that keys are shortcuts."""
    page.evaluate("document.activeElement && document.activeElement.blur()")


def create_project(page: Page, name: str) -> None:
    """From the Runs page; the new project is chosen."""
    field = page.get_by_role("textbox", name="Name of the system under validation")
    expander = page.get_by_text("New project", exact=True)
    expect(field.or_(expander).first).to_be_visible()
    if not field.is_visible():
        expander.click()
        page.wait_for_function(NOTHING_MOVES)  # a press on a button that still slides is lost
    field.fill(name)
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("combobox", name="Project", exact=True)).to_have_value(name)
    wait_until_idle(page)


def upload(page: Page, filename: str, content: bytes) -> None:
    """Give a run file to the uploader of the Runs page."""
    uploader = page.get_by_label(re.compile("^Run file")).get_by_test_id("stFileUploaderDropzoneInput")
    uploader.set_input_files({"name": filename, "mimeType": "application/octet-stream", "buffer": content})
