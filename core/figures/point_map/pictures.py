"""Tiles as pictures: a PNG with a palette, one pixel a cell."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hcat.core.figures.point_map.cells import TileCells
from hcat.core.figures.point_map.layers import Layer
from hcat.core.figures.point_map.placed import CELLS, cell_columns_and_rows

CROWDED = (2, 5, 17)
"""The numbers of points in a cell from which on it is drawn stronger."""
STRENGTHS = (0.5, 0.68, 0.85, 1.0)
"""Opacities of a cell by its number of points."""
EMPTY, HATCH, BETWEEN, FIRST = 0, 1, 2, 3
"""Indexes in the palette: no point, the lines of a hatch, what is between them, and the first colour."""
HATCH_GROUND = 0.3
PERIOD = 4
"""Cells from one line of a hatch to the next; it divides `CELLS`, so that lines continue in the next tile."""
MOST_COLORS = (256 - FIRST) // len(STRENGTHS) - 1


@dataclass(frozen=True, slots=True)
class TileColors:
    """Colours of the form #rrggbb: by the number of the content, for missing values, and of hatches."""

    colors: tuple[str, ...]
    absent: str
    hatch: str

    def __post_init__(self) -> None:
        if len(self.colors) > MOST_COLORS:
            raise ValueError(f"{len(self.colors)} colours, but a picture has at most {MOST_COLORS}")


def tile_picture(cells: TileCells, layer: Layer, colors: TileColors) -> bytes:
    """The tile as PNG.

    Stronger for a cell with more points; hatched if too few have a value; empty cells are transparent."""
    picture = Image.fromarray(_palette_numbers(cells, layer), "P")
    rgb, alpha = _palette(colors)
    picture.putpalette(rgb)
    out = BytesIO()
    # Cells are almost noise: searching for longer repetitions takes five times as long, for hardly fewer bytes.
    picture.save(out, "PNG", transparency=alpha, compress_level=9, compress_type=zlib.Z_RLE)
    return out.getvalue()


def _palette_numbers(cells: TileCells, layer: Layer) -> NDArray[np.uint8]:
    image = np.full((CELLS, CELLS), EMPTY, dtype=np.uint8)
    across, down = cell_columns_and_rows(cells.cells)
    strength = np.searchsorted(CROWDED, cells.points, side="right")
    number = np.zeros(len(cells.cells), dtype=np.int64)  # the colour of what is absent
    known = cells.side > 0
    number[known] = 1 + layer.color_numbers(cells.content[known])
    place = FIRST + number * len(STRENGTHS) + strength
    hatched = (cells.own > 0) & ~known
    place[hatched] = np.where((across + down)[hatched] % PERIOD == 0, HATCH, BETWEEN)
    image[down, across] = place
    return image


@lru_cache(maxsize=64)
def _palette(colors: TileColors) -> tuple[list[int], bytes]:
    entries = [(colors.hatch, 0.0), (colors.hatch, 1.0), (colors.hatch, HATCH_GROUND)]
    entries += [(color, strength) for color in (colors.absent, *colors.colors) for strength in STRENGTHS]
    rgb = [int(color[place : place + 2], 16) for color, _ in entries for place in (1, 3, 5)]
    return rgb, bytes(round(255 * strength) for _, strength in entries)
