"""Selects exactly the points in a polygon that a user drew, drawn or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Floats
from hcat.core.errors import HcatError
from hcat.core.figures.point_map.placed import Positions

MOST_CORNERS = 2_000
ROUNDING = 8 * np.finfo(np.float64).eps
"""The relative difference of two products below which its sign is computed exactly: it gives the side of an edge."""
VANISHING = 1e-290
"""Products this small lose digits."""

Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class OrderedPoints:
    """Points by their second coordinate: those that an edge of a polygon can affect are contiguous.

    `rows` (m,) are the places of the points with finite coordinates among all `n`; `x`, `y` (m,) with y ascending."""

    n: int
    rows: Positions
    x: Floats
    y: Floats

    @classmethod
    def of(cls, coordinates: Floats) -> Self:
        """The ordered points of coordinates (n, 2)."""
        given = np.asarray(coordinates, dtype=np.float64).reshape(-1, 2)
        finite = np.flatnonzero(np.isfinite(given).all(axis=1))
        order = finite[np.argsort(given[finite, 1], kind="stable")]
        return cls(len(given), order, given[order, 0], given[order, 1])

    def in_polygon(self, corners: Sequence[Point]) -> Positions:
        """The rows, ascending, of the points inside the polygon with these corners, by the even-odd rule.

        Exact, also next to an edge. Of points on an edge those on a left or lower one are inside, those on a right or
        upper one outside, so that adjacent polygons share none. Each edge affects only the points with y between its
        ends. HcatError for corners that are no polygon."""
        polygon = checked_corners(corners)
        crossed = np.zeros(len(self.y), dtype=np.bool_)
        for first, second in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            low, high = sorted((first, second), key=lambda corner: corner[1])
            start, end = np.searchsorted(self.y, [low[1], high[1]])
            if end > start:
                crossed[start:end] ^= _left_of(self.x[start:end], self.y[start:end], low, high)
        return np.sort(self.rows[crossed])


def checked_corners(corners: Sequence[Point]) -> list[Point]:
    """The corners as numbers; HcatError if they are fewer than three, too many, or not finite."""
    polygon = [(float(x), float(y)) for x, y in corners]
    if not 3 <= len(polygon) <= MOST_CORNERS:
        raise HcatError(f"a selection has 3 to {MOST_CORNERS:,} corners, not {len(polygon):,}: draw it again")
    if not np.isfinite(polygon).all():
        raise HcatError("a selection has finite corners: draw it again")
    return polygon


def _left_of(x: Floats, y: Floats, low: Point, high: Point) -> NDArray[np.bool_]:
    """Whether the points, of which no y is below `low` or not below `high`, are to the left of the edge."""
    with np.errstate(all="ignore"):
        one, two = (x - low[0]) * (high[1] - low[1]), (high[0] - low[0]) * (y - low[1])
        left = one < two
        certain = np.abs(one - two) > ROUNDING * (np.abs(one) + np.abs(two)) + VANISHING
    for place in np.flatnonzero(~certain).tolist():
        left[place] = _is_left(float(x[place]), float(y[place]), low, high)
    return left


def _is_left(x: float, y: float, low: Point, high: Point) -> bool:
    (x0, y0), (x1, y1) = ((Fraction(a), Fraction(b)) for a, b in (low, high))
    return (Fraction(x) - x0) * (y1 - y0) < (x1 - x0) * (Fraction(y) - y0)
