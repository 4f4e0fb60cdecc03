"""Points in the order of a quadtree, in which those of a tile, and of each square in it, are contiguous.

The plane is a square of side 1, u to the right and v downwards. Zoom z divides it into 2^z × 2^z tiles, numbered as in
web maps: (0, 0) is top left. A tile is divided into `CELLS` × `CELLS` cells; each is one pixel of its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Floats

DEPTH = 20
"""The number of halvings of either side in the order."""
CELL_BITS = 7
CELLS = 2**CELL_BITS
DEEPEST = DEPTH - CELL_BITS
"""The last zoom at which a cell has an extent of its own."""
MARGIN = 1.02
"""The side of the plane, over the wider range of the coordinates: no point is on the edge."""
BOX_SPLITS = 3
"""A box is looked up in squares of at most an eighth of its longer side."""

Positions = NDArray[np.int64]
Box = tuple[float, float, float, float]
"""u and v of the top left corner, then of the bottom right one; half-open, as cells are."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The square of side 1 in the coordinates: its left edge, its top and its side there."""

    left: float
    top: float
    side: float

    @classmethod
    def around(cls, coordinates: Floats) -> Self:
        """The square around finite coordinates (n, 2), which are in its middle."""
        if not len(coordinates):
            return cls(0.0, 1.0, 1.0)
        low, high = coordinates.min(axis=0), coordinates.max(axis=0)
        side = float((high - low).max()) * MARGIN or 1.0
        middle = low + (high - low) / 2
        return cls(float(middle[0] - side / 2), float(middle[1] + side / 2), side)

    def unit(self, coordinates: Floats) -> Floats:
        """Coordinates (n, 2) as u and v."""
        return np.column_stack([coordinates[:, 0] - self.left, self.top - coordinates[:, 1]]) / self.side


@dataclass(frozen=True, eq=False)
class PlacedPoints:
    """The points with finite coordinates, in the order of the quadtree.

    `rows` (m,) are their places among all `n` points; `u`, `v` (m,) are in [0, 1); `codes` (m,) ascend and interleave
    the binary digits of both. Points of the same code are in the order of their rows."""

    n: int
    plane: Plane
    rows: Positions
    u: Floats
    v: Floats
    codes: NDArray[np.int64]

    @classmethod
    def place(cls, coordinates: Floats) -> Self:
        """The points of coordinates (n, 2), without those that are not finite."""
        given = np.asarray(coordinates, dtype=np.float64).reshape(-1, 2)
        finite = np.flatnonzero(np.isfinite(given).all(axis=1))
        plane = Plane.around(given[finite])
        unit = plane.unit(given[finite])
        codes = _interleave(_digits(unit[:, 0]), _digits(unit[:, 1]))
        order = np.argsort(codes, kind="stable")
        u, v = unit[order, 0], unit[order, 1]
        return cls(len(given), plane, finite[order], u, v, codes[order])

    def span(self, zoom: int, x: int, y: int) -> tuple[int, int]:
        """The first and the last position, half-open, of the points of a tile."""
        first, last = self._spans(zoom, np.array([x]), np.array([y]))
        return int(first[0]), int(last[0])

    def cells(self, zoom: int, span: tuple[int, int]) -> Positions:
        """The cell of each point of a tile at this zoom, up to `DEEPEST`: ascending, by its place in the order."""
        return np.asarray((self.codes[slice(*span)] >> 2 * (DEEPEST - zoom)) & (CELLS * CELLS - 1), dtype=np.int64)

    def inside(self, box: Box) -> Positions:
        """The positions of the points in a box, ascending."""
        u0, v0, u1, v1 = box
        if not (u1 > u0 and v1 > v0):
            return np.zeros(0, dtype=np.int64)
        zoom = int(np.clip(np.ceil(-np.log2(max(u1 - u0, v1 - v0))) + BOX_SPLITS, 0, DEPTH))
        parts = 2**zoom
        xs, ys = _touched(u0, u1, parts), _touched(v0, v1, parts)
        x, y = (grid.ravel() for grid in np.meshgrid(xs, ys))
        first, last = self._spans(zoom, x, y)
        whole = (x >= u0 * parts) & (x + 1 <= u1 * parts) & (y >= v0 * parts) & (y + 1 <= v1 * parts)
        runs = [
            np.arange(start, end) if is_whole else start + self._in_box(slice(start, end), box)
            for start, end, is_whole in sorted(zip(first.tolist(), last.tolist(), whole.tolist(), strict=True))
            if end > start
        ]
        return np.concatenate(runs) if runs else np.zeros(0, dtype=np.int64)

    def _in_box(self, run: slice, box: Box) -> Positions:
        u, v = self.u[run], self.v[run]
        return np.flatnonzero((u >= box[0]) & (u < box[2]) & (v >= box[1]) & (v < box[3]))

    def _spans(self, zoom: int, x: Positions, y: Positions) -> tuple[Positions, Positions]:
        shift = 2 * (DEPTH - zoom)
        codes = _interleave(x, y)
        return np.searchsorted(self.codes, codes << shift), np.searchsorted(self.codes, (codes + 1) << shift)


def cell_columns_and_rows(cells: Positions) -> tuple[Positions, Positions]:
    """The columns and rows of cells in their tile, from the top left, by their places in the order."""
    return _every_other_digit(cells), _every_other_digit(cells >> 1)


def _touched(low: float, high: float, parts: int) -> Positions:
    first, last = (int(np.clip(end, 0, parts)) for end in (np.floor(low * parts), np.ceil(high * parts)))
    return np.arange(first, last, dtype=np.int64)


def _digits(unit: Floats) -> Positions:
    return np.asarray(np.clip(np.floor(unit * 2**DEPTH), 0, 2**DEPTH - 1), dtype=np.int64)


def _interleave(x: Positions, y: Positions) -> Positions:
    """The binary digits of both in turn, y before x. Source: G. M. Morton (1966)."""
    return np.asarray(_spread(x) | (_spread(y) << 1), dtype=np.int64)


_STEPS = (
    *((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF), (4, 0x0F0F0F0F0F0F0F0F)),
    *((2, 0x3333333333333333), (1, 0x5555555555555555)),
)


def _spread(number: Positions) -> Positions:
    spread = np.asarray(number, dtype=np.int64)
    for shift, mask in _STEPS:
        spread = (spread | (spread << shift)) & mask
    return np.asarray(spread, dtype=np.int64)


def _every_other_digit(code: Positions) -> Positions:
    number = np.asarray(code, dtype=np.int64) & _STEPS[-1][1]
    for (shift, _), (_, mask) in zip(_STEPS[::-1], (*_STEPS[-2::-1], (32, 0x00000000FFFFFFFF)), strict=True):
        number = (number | (number >> shift)) & mask
    return number
