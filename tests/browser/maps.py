"""The map of topics in the browser: waiting until it is painted, and where a point of the coordinates is on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, expect

from hcat.core.arrays import Floats
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.project.topics import read_stored
from hcat.core.settings import Settings
from hcat.core.workspace import Workspace
from tests.browser.steps import wait_until_idle

ROOM = 0.94
"""Of the frame: what all points together take at first."""


@dataclass(frozen=True, eq=False)
class DrawnMap:
    """A map that shows all of its points, by their coordinates (n, 2)."""

    frame: Locator
    points: PlacedPoints
    coordinates: Floats

    def on_screen(self, coordinates: Floats) -> Floats:
        """Where coordinates (k, 2) are in the frame, in pixels."""
        middle, pixels, size = self._view()
        return (self.points.plane.unit(coordinates) - middle) * pixels + size / 2

    def at_pixels(self, places: Floats) -> Floats:
        """The coordinates of places in the frame (k, 2)."""
        middle, pixels, size = self._view()
        u, v = ((places - size / 2) / pixels + middle).T
        plane = self.points.plane
        return np.column_stack([plane.left + u * plane.side, plane.top - v * plane.side])

    def on_page(self, place: Floats) -> tuple[float, float]:
        """A place in the frame as the mouse counts it."""
        box = self.frame.bounding_box()
        assert box is not None
        return float(box["x"] + 1 + place[0]), float(box["y"] + 1 + place[1])

    def _view(self) -> tuple[Floats, float, Floats]:
        low, high = (np.array([end(self.points.u), end(self.points.v)]) for end in (np.min, np.max))
        size = np.array(self.frame.evaluate("frame => [frame.clientWidth, frame.clientHeight]"), dtype=np.float64)
        return (low + high) / 2, float((size / np.maximum(high - low, 1e-9)).min() * ROOM), size


def painted(page: Page, key: str = "map-") -> Locator:
    """The map whose key begins so, once it is painted."""
    root = page.locator(f'[class*="st-key-{key}"] .map')
    expect(root).to_have_attribute("data-painted", re.compile("^[1-9]"))
    wait_until_idle(page)
    return root


def drawn_map(page: Page, database: Path, artifacts: Path, *, run: int) -> DrawnMap:
    """The map of the queries of a run, as the store holds them."""
    store = Workspace.open(Settings(database_url=f"sqlite:///{database}", artifacts=str(artifacts))).topics.store
    latest = store.results.latest_topics(run, "query")
    assert latest is not None
    coordinates = read_stored(store, latest).model.to_frame()[["x", "y"]].to_numpy()
    frame = painted(page).locator(".frame")
    frame.scroll_into_view_if_needed()
    return DrawnMap(frame, PlacedPoints.place(coordinates), coordinates)


def tip(page: Page, drawn: DrawnMap, row: int) -> Locator:
    """What the map says of a point when the mouse rests on it."""
    found = drawn.frame.locator(".tip")
    place = drawn.on_screen(drawn.coordinates[[row]])[0]
    page.mouse.move(*drawn.on_page(place + 3))
    page.mouse.move(*drawn.on_page(place))
    expect(found).to_be_visible()
    return found
