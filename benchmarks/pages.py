"""Seconds in a browser until the first page after a start, and to each other page of the demo: when a server opens it
for the first time, and again."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.chromium import find_chromium, opened_page
from benchmarks.rows import Measured
from benchmarks.served import RunningApp, running
from benchmarks.timing import Ratio
from dashboard.navigation import PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Page

INPUT = "demo, pages"
FIRST, SECOND, WARM = 5.0, 3.0, 2.0
"""Seconds."""
DEMO_LOADS = 900.0
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
DRAWN = "() => document.querySelectorAll('[data-stale=\"true\"]').length === 0"


def rows(pairs: int) -> Iterator[Measured]:
    """The first page over its goal, and the slowest page that was opened before over its own."""
    if (chromium := find_chromium()) is None:
        yield Measured("pages", INPUT, "first page / 5 s", None, at_most=1.0, note="not measured: there is no Chromium")
        return
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        with running("demo", store) as app:
            app.wait_until_healthy(seconds=DEMO_LOADS)
        first = [_first_page(store, chromium) for _ in range(max(pairs // 2, 1))]
        second = {entry.name: _second_page(store, chromium, entry.title) for entry in PAGES if entry.name != "overview"}
        warm = _warm_pages(store, chromium)
    yield Measured("pages", INPUT, "start to the first page / 5 s", _ratio(first, FIRST), at_most=1.0)
    yield _slowest("slowest other page, opened first / 3 s", second, SECOND)
    yield _slowest("slowest warm page / 2 s", warm, WARM)


def _slowest(what: str, seconds: dict[str, float], goal: float) -> Measured:
    slowest = max(seconds, key=lambda name: seconds[name])
    note = f"slowest: {slowest}; " + ", ".join(f"{name} {each:.2f} s" for name, each in seconds.items())
    return Measured("pages", INPUT, what, _ratio([seconds[slowest]], goal), at_most=1.0, note=note)


def _first_page(store: Path, chromium: str) -> float:
    """From the start of the server to the drawn overview."""
    with opened_page(chromium) as page:
        start = time.perf_counter()
        with _served(store) as app:
            page.goto(app.url)
            _wait_until_drawn(page)
            return time.perf_counter() - start


def _second_page(store: Path, chromium: str, title: str) -> float:
    """From the click in the menu to the drawn page, in a server that has shown its overview alone."""
    with opened_page(chromium) as page, _served(store) as app:
        page.goto(app.url)
        _wait_until_drawn(page)
        return _seconds_to(page, title)


def _warm_pages(store: Path, chromium: str) -> dict[str, float]:
    """Seconds from the click in the menu to the drawn page, when each page has been opened before."""
    with opened_page(chromium) as page, _served(store) as app:
        page.goto(app.url)
        _wait_until_drawn(page)
        for entry in PAGES:
            _seconds_to(page, entry.title)
        return {entry.name: _seconds_to(page, entry.title) for entry in PAGES}


def _seconds_to(page: Page, title: str) -> float:
    start = time.perf_counter()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
    page.wait_for_selector(
        f'a[data-testid="stSidebarNavLink"][aria-current="page"] >> text="{title}"', state="attached"
    )
    _wait_until_drawn(page)
    return time.perf_counter() - start


def _wait_until_drawn(page: Page) -> None:
    page.get_by_test_id("stMain").get_by_test_id("stElementContainer").first.wait_for(state="attached")
    page.wait_for_selector(IDLE, state="attached")
    page.wait_for_function(DRAWN)


@contextmanager
def _served(store: Path) -> Iterator[RunningApp]:
    with running("serve", store) as app:
        app.wait_until_healthy(seconds=DEMO_LOADS)
        yield app


def _ratio(seconds: list[float], goal: float) -> Ratio:
    middle = sorted(seconds)[len(seconds) // 2]
    return Ratio(middle / goal, min(seconds) / goal, max(seconds) / goal, middle, goal, len(seconds))
