"""Many points on the map, in Chromium without a GPU: what is sent, what is drawn, and an exact selection.

100,000 points, and a million in `make test-all`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, Response, expect

from benchmarks.many_points import STORED, ManyPoints, many_points, store_points
from benchmarks.served import RunningApp, running
from hcat.core.figures.point_map.view import MOST_POINTS
from hcat.core.settings import Settings
from hcat.core.workspace import Workspace
from hcat.dashboard.selection import MAX_IDS
from tests.browser.maps import DrawnMap, drawn_map, painted
from tests.browser.steps import number_in, visit, wait_until_idle

pytestmark = pytest.mark.browser

SAMPLES = 5_000
MOST_BYTES = 7_200_000 // 50
"""Of the map when it opens, and of a step: a fiftieth of what Plotly takes for the scatter of a tenth of the points."""


@contextmanager
def _served(folder: Path, points: ManyPoints, *, stored: int = STORED) -> Iterator[RunningApp]:
    chosen = Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))
    with Workspace.open(chosen) as workspace:
        store_points(workspace, points, stored=stored)
    with running("serve", folder) as started:
        started.wait_until_healthy(seconds=180)
        yield started


@pytest.mark.parametrize("n", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_points_are_drawn_zoomed_and_selected(page: Page, tmp_path: Path, n: int) -> None:
    points = many_points(n)
    with _served(tmp_path, points) as app:
        draw_zoom_and_select(page, app, points)


def draw_zoom_and_select(page: Page, app: RunningApp, points: ManyPoints) -> None:
    sizes: list[int] = []
    over_the_socket = [0]

    def count(response: Response) -> None:
        if "/map/" in response.url:
            sizes.append(len(response.body()))

    def count_frame(frame: str | bytes) -> None:
        over_the_socket[0] += len(frame)

    page.on("response", count)
    page.on("websocket", lambda socket: socket.on("framereceived", count_frame))
    visit(page, app.url, "topics")
    drawn = drawn_map(page, app.database, app.artifacts, run=1)
    root = painted(page)
    expect(root.get_by_role("status")).to_have_text(
        f"{len(points.topics):,} samples in view, drawn as squares of about 2 pixels"
    )
    assert 0 < sum(sizes) <= MOST_BYTES
    assert over_the_socket[0] <= 1_000_000  # the page itself: no rows are in it
    seconds = [float(root.get_attribute("data-milliseconds") or "nan") / 1000]
    print(f"\nfirst paint {seconds[0]:.3f} s, {sum(sizes):,} bytes; the page {over_the_socket[0]:,} bytes")

    assert select_a_rectangle(page, drawn) == inside(points, drawn) > 1_000
    wait_until_idle(page)
    drawn.frame.focus()
    for answer in range(int(root.get_attribute("data-painted") or 0) + 1, 40):
        sizes.clear()
        page.keyboard.press("+")
        expect(root).to_have_attribute("data-painted", str(answer))
        seconds.append(float(root.get_attribute("data-milliseconds") or "nan") / 1000)
        in_view = int(root.get_attribute("data-in-view") or 0)
        assert 0 < sum(sizes) <= MOST_BYTES
        assert (root.get_attribute("data-drawn") == "points") == (in_view < MOST_POINTS)
        print(f"step {seconds[-1]:.3f} s, {sum(sizes):,} bytes, {in_view:,} in view")
        if in_view < MOST_POINTS:
            break
    else:
        pytest.fail("no single point was drawn, however far in")
    assert page.locator(".map .name b").count() == 0  # names are texts


def test_a_large_selection_is_opened_again_by_the_corners_in_its_address(page: Page, tmp_path: Path) -> None:
    points = many_points(SAMPLES)
    with _served(tmp_path, points, stored=SAMPLES) as app:
        visit(page, app.url, "topics")
        drawn = drawn_map(page, app.database, app.artifacts, run=1)
        painted(page)
        selected = select_a_rectangle(page, drawn)
        assert selected == inside(points, drawn) > MAX_IDS
        wait_until_idle(page)
        page.get_by_role("button", name="Open the selected samples").click()
        told = page.get_by_text(f"{selected:,} samples", exact=True)
        expect(told).to_be_visible()
        wait_until_idle(page)
        assert re.search(r"[?&]area=query\.", page.url)
        page.reload()
        expect(told).to_be_visible()


def select_a_rectangle(page: Page, drawn: DrawnMap) -> int:
    """Draws a rectangle around a part of the points; how many the page says are in it."""
    low, high = opposite(drawn)
    page.get_by_role("button", name="Select the points in a rectangle (B)").click()
    page.mouse.move(*drawn.on_page(low))
    page.mouse.down()
    page.mouse.move(*drawn.on_page(high))
    page.mouse.up()
    told = page.get_by_text(re.compile(r"^[\d,]+ samples selected"))
    expect(told).to_be_visible()
    return int(number_in(told.inner_text().replace(",", ""), r"(\d+) samples"))


def inside(points: ManyPoints, drawn: DrawnMap) -> int:
    """How many points lie in that rectangle, by their coordinates."""
    corners = drawn.at_pixels(np.array(opposite(drawn), dtype=np.float64))
    left, right, bottom, top = *sorted(corners[:, 0]), *sorted(corners[:, 1])
    x, y = points.coordinates.T
    return int(((x >= left) & (x < right) & (y >= bottom) & (y < top)).sum())


def opposite(drawn: DrawnMap) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two opposite corners of the rectangle, in pixels."""
    width, height = drawn.frame.evaluate("frame => [frame.clientWidth, frame.clientHeight]")
    return np.array([width // 4, height // 5], dtype=np.float64), np.array(
        [width // 2, 3 * height // 4], dtype=np.float64
    )
