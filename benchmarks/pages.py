"""Seconds in a browser to the first page of the demo after a start, and to its other pages: when a server opens one for
the first time, and again. Beside them stand those of a Streamlit app that shows a line of text, started by turns."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.chromium import find_chromium, opened_browser
from benchmarks.drawn import COUNT_REQUESTS, LASTING, wait_until_drawn
from benchmarks.made_run import workspace_in
from benchmarks.rows import Measured
from benchmarks.served import RunningApp, running, running_script
from benchmarks.timing import Ratio
from hcat.dashboard.navigation import PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

INPUT = "demo, pages"
FIRST, SECOND, WARM = 5.0, 3.0, 2.0
"""Seconds."""
DEMO_LOADS, STARTS = 900.0, 180.0
LEAST_OWN = 5
"""Pages that are opened by servers of their own: what others have loaded for them may hide the slowest."""
HOME, *OTHERS = (entry.title for entry in PAGES)
BARE = """
import streamlit as st

def first():
    st.title("One")

def second():
    st.title("Two")

st.navigation([st.Page(first, title="One", default=True), st.Page(second, title="Two")], expanded=True).run()
"""

Serve = Callable[[], AbstractContextManager[RunningApp]]


@dataclass(frozen=True, slots=True)
class Opened:
    """Seconds from the start of a server to its first page drawn, and from a click to another page of it drawn: the
    first time, and again."""

    start: float
    first: Mapping[str, float]
    again: Mapping[str, float]


def rows(pairs: int) -> Iterator[Measured]:
    """The first page, the slowest page that a server opens for the first time, and the slowest that it opened before.

    One server opens all pages in their order. What earlier pages have loaded helps later ones; so the slowest, `pairs`
    of them or more, are opened again, each by a server of its own that has shown its first page alone.
    """
    if (chromium := find_chromium()) is None:
        yield Measured("pages", INPUT, "first page / 5 s", None, at_most=1.0, note="not measured: there is no Chromium")
        return
    with tempfile.TemporaryDirectory() as folder, opened_browser(chromium) as browser:
        store, bare = Path(folder) / "store", Path(folder) / "bare"
        store.mkdir()
        bare.mkdir()
        _load_demo(store)
        serve, serve_bare = partial(running, "serve", store), partial(running_script, BARE, bare)
        every = _open(browser, serve, HOME, OTHERS)
        slowest = sorted(OTHERS, key=every.first.__getitem__)[-max(pairs, LEAST_OWN) :]
        own, bares = [], []
        for title in reversed(slowest):
            own.append(_open(browser, serve, HOME, [title]))
            bares.append(_open(browser, serve_bare, "One", ["Two"]))
    yield from _starts([every, *own], own, bares)
    yield from _others(every, own, bares)


def _load_demo(store: Path) -> None:
    """The demo in this folder, with its report, which a process of its own builds."""
    with running("demo", store) as app:
        app.wait_until_healthy(seconds=DEMO_LOADS)
    with workspace_in(store) as workspace:
        while any(job.is_active for job in workspace.jobs.all()):
            time.sleep(0.5)


def _starts(starts: Sequence[Opened], own: Sequence[Opened], bares: Sequence[Opened]) -> Iterator[Measured]:
    seconds = [opened.start for opened in starts]
    yield Measured("pages", INPUT, "start to the first page / 5 s", _over(seconds, FIRST), at_most=1.0)
    ratio = _paired([opened.start for opened in own], [opened.start for opened in bares])
    yield Measured("pages", INPUT, "start to the first page / of a bare app", ratio)


def _others(every: Opened, own: Sequence[Opened], bares: Sequence[Opened]) -> Iterator[Measured]:
    """The slowest of all, each with the rest in its note."""
    first = {title: seconds for opened in own for title, seconds in opened.first.items()}
    note = f"each by a server of its own: {_listed(first)}; one after another: {_listed(every.first)}"
    slowest = _over([max(first.values())], SECOND)
    yield Measured("pages", INPUT, "slowest other page, opened first / 3 s", slowest, at_most=1.0, note=note)
    bare = [opened.first["Two"] for opened in bares]
    yield Measured("pages", INPUT, "these pages, opened first / a bare page", _paired([*first.values()], bare))
    again = every.again
    slowest = _over([max(again.values())], WARM)
    yield Measured("pages", INPUT, "slowest warm page / 2 s", slowest, at_most=1.0, note=_listed(again))
    bare_again = statistics.median(opened.again["Two"] for opened in bares)
    yield Measured("pages", INPUT, "warm pages / a bare page", _over([*again.values()], bare_again))


def _open(browser: Browser, serve: Serve, home: str, titles: Sequence[str]) -> Opened:
    """A server started, its first page shown, then these others by its menu, and all of them again."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    context.add_init_script(COUNT_REQUESTS)
    page = context.new_page()
    page.set_default_timeout(1000 * STARTS)
    start = time.perf_counter()
    with serve() as app:
        app.wait_until_healthy(seconds=STARTS)
        page.goto(app.url)
        wait_until_drawn(page)
        started = _until_drawn(start)
        first = {title: _seconds_to(page, title) for title in titles}
        again = {title: _seconds_to(page, title) for title in (home, *titles)}
        context.close()
    return Opened(started, first, again)


def _seconds_to(page: Page, title: str) -> float:
    start = time.perf_counter()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
    page.wait_for_selector(
        f'a[data-testid="stSidebarNavLink"][aria-current="page"] >> text="{title}"', state="attached"
    )
    wait_until_drawn(page)
    return _until_drawn(start)


def _until_drawn(start: float) -> float:
    """Without the time for which the page has been seen to be drawn."""
    return time.perf_counter() - start - LASTING / 1000


def _listed(seconds: Mapping[str, float]) -> str:
    ordered = sorted(seconds, key=seconds.__getitem__, reverse=True)
    return ", ".join(f"{title} {seconds[title]:.2f} s" for title in ordered)


def _over(seconds: Sequence[float], goal: float) -> Ratio:
    middle = statistics.median(seconds)
    return Ratio(middle / goal, min(seconds) / goal, max(seconds) / goal, middle, goal, len(seconds))


def _paired(upper: Sequence[float], lower: Sequence[float]) -> Ratio:
    """Of each pair one ratio; their median."""
    ratios = [above / below for above, below in zip(upper, lower, strict=True)]
    middle = [statistics.median(seconds) for seconds in (upper, lower)]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios), *middle, len(ratios))
