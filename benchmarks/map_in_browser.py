"""The map of many points in Chromium without a GPU: the first paint, the steps of the zoom, and what is sent."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.chromium import find_chromium, opened_page
from benchmarks.made_run import workspace_in
from benchmarks.many_points import many_points, store_points
from benchmarks.rows import Measured
from benchmarks.served import running
from benchmarks.timing import Ratio

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

FIRST, STEP = 1.0, 0.2
"""Seconds."""
MOST_STEPS = 40
STARTS = 180.0


def rows(size: int) -> Iterator[Measured]:
    """The first paint and the slowest step from the whole map to single points, each over its goal."""
    given = f"{size:,} points"
    goals = {"Chromium, first paint / 1 s": FIRST, "Chromium, slowest step / 200 ms": STEP}
    if (chromium := find_chromium()) is None:
        for what in goals:
            yield Measured("map", given, what, None, at_most=1.0, note="not measured: there is no Chromium")
        return
    with tempfile.TemporaryDirectory() as folder:
        seconds, sent = _steps(Path(folder), size, chromium)
    for (what, goal), part in zip(goals.items(), (slice(1), slice(1, None)), strict=True):
        slowest, middle = max(seconds[part]), sorted(seconds[part])[len(seconds[part]) // 2]
        ratio = Ratio(slowest / goal, min(seconds[part]) / goal, slowest / goal, slowest, goal, len(seconds[part]))
        note = f"median {middle:.3f} s, at most {max(sent[part]):,} bytes"
        yield Measured("map", given, what, ratio, at_most=1.0, note=note)


def _steps(folder: Path, size: int, chromium: str) -> tuple[list[float], list[int]]:
    """Seconds from asking to painted and bytes of the map, of the first view and of each press of the key +."""
    with workspace_in(folder) as workspace:
        store_points(workspace, many_points(size))
    with running("serve", folder) as app, opened_page(chromium) as page:
        app.wait_until_healthy(seconds=STARTS)
        sent = [0]
        page.on("response", lambda response: _count(response, sent))
        page.goto(f"{app.url}/topics")
        page.locator('.map[data-painted]:not([data-painted="0"])').wait_for()
        seconds = [_seconds(page)]
        page.locator(".map .frame").focus()
        while page.locator('.map[data-drawn="points"]').count() == 0 and len(seconds) < MOST_STEPS:
            painted = int(page.locator(".map").get_attribute("data-painted") or 0)
            sent.append(0)
            page.keyboard.press("+")
            page.locator(f'.map:not([data-painted="{painted}"])').wait_for()
            seconds.append(_seconds(page))
    return seconds, sent


def _seconds(page: Page) -> float:
    """From asking to painted, as the map itself took the time."""
    return float(page.locator(".map").get_attribute("data-milliseconds") or "nan") / 1000


def _count(response: Response, sent: list[int]) -> None:
    if "/map/" in response.url:
        sent[-1] += len(response.body())
