"""The part of a map that a browser draws: tiles, or single points if there are few."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import HcatError
from hcat.core.estimates.slices import MINIMUM_N
from hcat.core.figures.point_map.cells import TileCells, tile_cells
from hcat.core.figures.point_map.layers import Layer
from hcat.core.figures.point_map.names import place_names
from hcat.core.figures.point_map.pictures import TileColors, tile_picture
from hcat.core.figures.point_map.placed import CELLS, DEEPEST, Box, PlacedPoints, Positions, cell_columns_and_rows

MOST_POINTS = 20_000
"""The number of points in view from which on tiles are drawn."""
MOST_TILES = 160
"""The most tiles of one view: more than a screen of 4,000 pixels shows."""
PARTS = 2**16
"""The resolution of a point's position in the view's width and height: well below a pixel."""
ABSENT = 0
"""The colour of points without a value; others follow."""

Tile = tuple[int, int]


@dataclass(frozen=True, slots=True)
class View:
    """A part of the plane on a screen.

    Its box, the pixels per unit, the zoom of its tiles, and those of them that the browser does not have yet. HcatError
    if it is invalid."""

    box: Box
    pixels: float
    zoom: int
    tiles: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        u0, v0, u1, v1 = self.box
        if not (np.isfinite([*self.box, self.pixels]).all() and u0 < u1 and v0 < v1 and self.pixels > 0):
            raise HcatError("not a part of the map: load the page again")
        inside = all(0 <= x < 2**self.zoom and 0 <= y < 2**self.zoom for x, y in self.tiles)
        if not (0 <= self.zoom <= DEEPEST and inside and len(self.tiles) <= MOST_TILES):
            raise HcatError("not tiles of the map: load the page again")


@dataclass(frozen=True, eq=False)
class PointMap:
    """Points, their layer and colours, and the topics whose names are drawn on them.

    A square has content from `least` points on. `topics` (m,) are numbers of `titles` in the order of the points, -1
    for none."""

    points: PlacedPoints
    layer: Layer
    colors: TileColors
    topics: NDArray[np.int64]
    titles: Sequence[str] = ()
    least: int = MINIMUM_N

    @cached_property
    def point_colors(self) -> NDArray[np.uint8]:
        """(m,) the colour of each single point: `ABSENT`, or one above its index among the colours."""
        present = self.layer.present
        colors = np.full(len(present), ABSENT, dtype=np.uint8)
        colors[present] = 1 + self.layer.color_numbers(self.layer.single[present])
        return colors

    def answer(self, view: View) -> bytes:
        """The data of a view: the length of a JSON header (4 bytes, little-endian), the header, then its content.

        `drawn` is "tiles", with the size of each in bytes, PNGs one after another; or "points", of which first all
        columns, then all rows in `PARTS` of the view (2 bytes each, little-endian), then all colours (1 byte)."""
        inside = self.points.inside(view.box)
        names = place_names(self.points, self.topics, self.titles, box=view.box, inside=inside, pixels=view.pixels)
        header: dict[str, object] = {
            "n": len(inside),
            "names": [{"text": name.text, "u": name.u, "v": name.v} for name in names],
        }
        if len(inside) < MOST_POINTS:
            return _packed({**header, "drawn": "points"}, [self._single(inside, view.box)])
        pictures = [self.picture(view.zoom, tile) for tile in view.tiles]
        sizes = [[*tile, len(picture)] for tile, picture in zip(view.tiles, pictures, strict=True)]
        return _packed({**header, "drawn": "tiles", "zoom": view.zoom, "tiles": sizes}, pictures)

    def picture(self, zoom: int, tile: Tile) -> bytes:
        """A tile as PNG; empty if it has no point."""
        cells = self._cells(zoom, tile)
        return tile_picture(cells, self.layer, self.colors) if len(cells.cells) else b""

    def row_at(self, box: Box, place: int) -> int:
        """The row of the point at this position among those in a box. HcatError if there is none."""
        inside = self.points.inside(box)
        if not 0 <= place < len(inside):
            raise HcatError("no such point in view: load the page again")
        return int(self.points.rows[inside[place]])

    def cell_at(self, zoom: int, u: float, v: float) -> tuple[TileCells, int] | None:
        """The cell that is drawn at a place of the plane, among those of its tile; None if it is empty."""
        if not (0 <= u < 1 and 0 <= v < 1 and 0 <= zoom <= DEEPEST):
            return None
        column, row = int(u * 2**zoom * CELLS), int(v * 2**zoom * CELLS)
        cells = self._cells(zoom, (column // CELLS, row // CELLS))
        across, down = cell_columns_and_rows(cells.cells)
        found = np.flatnonzero((across == column % CELLS) & (down == row % CELLS))
        return (cells, int(found[0])) if len(found) else None

    def _cells(self, zoom: int, tile: Tile) -> TileCells:
        return tile_cells(self.points, self.layer, zoom=zoom, x=tile[0], y=tile[1], least=self.least)

    def _single(self, inside: Positions, box: Box) -> bytes:
        places = [
            np.clip(np.floor((axis[inside] - low) / (high - low) * PARTS), 0, PARTS - 1).astype("<u2")
            for axis, low, high in ((self.points.u, box[0], box[2]), (self.points.v, box[1], box[3]))
        ]
        return b"".join([*(place.tobytes() for place in places), self.point_colors[inside].tobytes()])


def _packed(header: dict[str, object], parts: Sequence[bytes]) -> bytes:
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])
