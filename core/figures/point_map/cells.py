"""The cells of a tile: the number of points in each, and the content of the smallest square around it with enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.figures.point_map.layers import Layer
from hcat.core.figures.point_map.placed import PlacedPoints, Positions

SQUARES = (1, 2, 4, 8, 16)
"""Sides, in cells, of the squares that can represent a cell in them."""


@dataclass(frozen=True, eq=False)
class TileCells:
    """The cells of a tile with points, by their places in the order, ascending.

    `points` (c,) counts them all, `own` (c,) those with a value in the layer. `content` is of the smallest square
    around the cell with at least `least` such points: `n` of them, `side` cells wide. If no square has so many,
    `content` is NaN, `side` 0 and `n` that of the widest square; if the cell itself has none, `n` is 0 too: its
    neighbours do not represent it."""

    cells: Positions
    points: Positions
    own: Positions
    n: Positions
    content: Floats
    side: Positions


def tile_cells(points: PlacedPoints, layer: Layer, *, zoom: int, x: int, y: int, least: int) -> TileCells:
    """The cells of the tile (x, y) at a zoom up to `DEEPEST`.

    Sums are in the order of the points: same bits each time."""
    span = points.span(zoom, x, y)
    local = points.cells(zoom, span)
    if not len(local):
        none = np.zeros(0, dtype=np.int64)
        return TileCells(none, none, none, none, np.zeros(0), none)
    starts = _starts(local)
    cells, count = local[starts], np.diff(np.append(starts, len(local)))
    own = np.add.reduceat(layer.present[slice(*span)], starts, dtype=np.int64)
    totals = layer.totals(span, starts)
    n, side, content = own.copy(), np.zeros_like(own), np.full(len(own), np.nan)
    for level, width in enumerate(SQUARES):
        square = cells >> (2 * level)
        firsts = _starts(square)
        known = np.add.reduceat(own, firsts)
        enough = known >= max(least, 1)
        said = np.full(len(firsts), np.nan)
        summed = totals if width == 1 else np.add.reduceat(totals, firsts, axis=0)
        said[enough] = layer.contents(summed[enough], known[enough])
        member = np.repeat(np.arange(len(firsts)), np.diff(np.append(firsts, len(square))))
        speaks = (side == 0) & (own > 0)
        n[speaks] = known[member[speaks]]
        speaks &= enough[member]
        content[speaks], side[speaks] = said[member[speaks]], width
        if not ((side == 0) & (own > 0)).any():
            break
    return TileCells(cells, count, own, n, content, side)


def _starts(ascending: Positions) -> Positions:
    """The beginning of each run of equal numbers."""
    return np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))
