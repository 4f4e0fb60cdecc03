"""The cells of a tile: how many points each holds, and what the smallest square around it with enough of them says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.figures.point_map.layers import Layer
from hcat.core.figures.point_map.placed import PlacedPoints, Positions

SQUARES = (1, 2, 4, 8, 16)
"""Sides, in cells, of the squares that can speak for a cell in them."""


@dataclass(frozen=True, eq=False)
class TileCells:
    """The cells of a tile that hold points, by their places in the order, ascending.

    `points` (c,) counts them all, `own` (c,) those of which the layer knows something. What a cell shows, `content`, is
    said by the smallest square that it lies in with at least `least` such points: `n` of them, `side` cells wide. Where
    no square has so many, `content` is NaN, `side` 0 and `n` that of the widest square; where the cell itself has
    none, too, and `n` is 0: what its neighbours say is not said of it.
    """

    cells: Positions
    points: Positions
    own: Positions
    n: Positions
    content: Floats
    side: Positions


def tile_cells(points: PlacedPoints, layer: Layer, *, zoom: int, x: int, y: int, least: int) -> TileCells:
    """The cells of the tile (x, y) at a zoom up to `DEEPEST`.

    Sums run in the order of the points: same bits each time.
    """
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
    """Where each run of equal numbers begins."""
    return np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))
