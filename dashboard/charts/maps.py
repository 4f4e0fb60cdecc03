"""The map of topics: points near to what they resemble, coloured by a number or a category, with names of topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Floats
from hcat.core.display.numbers import counted, format_count, format_number
from hcat.core.display.palette import CATEGORICAL, DIVERGING, DIVERGING_DARK, MUTED, blend
from hcat.core.estimates.slices import MINIMUM_N
from hcat.core.figures.point_map.cells import SQUARES as SQUARES_OF_CELLS
from hcat.core.figures.point_map.cells import TileCells
from hcat.core.figures.point_map.layers import STEPS, CategoryLayer, Layer, NumberLayer
from hcat.core.figures.point_map.names import short_name
from hcat.core.figures.point_map.pictures import TileColors
from hcat.core.figures.point_map.placed import CELLS, PlacedPoints
from hcat.core.figures.point_map.view import PointMap

SYMBOLS = 4
"""Circle, diamond, square, triangle: colours that come again have another one."""
MOST_ENTRIES = 16
"""Of a legend; of more categories the names on the map and the table say which is which."""
PIXELS_OF_A_CELL = 280 / CELLS
"""On average: a tile is drawn at 0.7 to 1.4 of 280 pixels (`TILE` of `components/topic_map/plane.js`)."""
WIDEST = f"about {PIXELS_OF_A_CELL * SQUARES_OF_CELLS[-1]:.0f} pixels"
SQUARES = f"the smallest square of about {PIXELS_OF_A_CELL:.0f} to {WIDEST} with at least {MINIMUM_N} of them"

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Swatch:
    """The style of single points of one colour."""

    color: str
    symbol: int = 0


@dataclass(frozen=True, slots=True)
class MapLegend:
    """Legend of the colours: the ends of a scale, or categories with the place of their swatch. Further texts give the
    meaning of grey and hatches (empty: there are none) and the reading of tiles."""

    title: str
    scale: tuple[str, str] | None = None
    entries: tuple[tuple[str, int], ...] = ()
    absent: str = ""
    hatched: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False)
class MapTopics:
    """The topic of each point by its number, -1 for none (n,), and what topics are called by their number."""

    numbers: Numbers
    titles: Sequence[str]


@dataclass(frozen=True, eq=False)
class MapChart:
    """A map with its colours. `value` describes in words the value of a point (by its row); `spoken` that of a cell."""

    map: PointMap
    topics: MapTopics
    swatches: tuple[Swatch, ...]
    legend: MapLegend
    noun: str
    value: Callable[[int], str]
    spoken: Callable[[float], str]

    def point_lines(self, row: int) -> list[str]:
        """Text on a point: its topic and the value that colours it."""
        number = int(self.topics.numbers[row])
        topic = self.topics.titles[number] if number >= 0 else "no topic"
        value = self.value(row)
        return [topic] if value == topic else [topic, value]

    def cell_lines(self, cells: TileCells, place: int) -> list[str]:
        """Text on a cell: the number of its points, and the value of a square around it with the number there."""
        points, n, side = int(cells.points[place]), int(cells.n[place]), int(cells.side[place])
        lines = [f"{counted(points, self.noun)} here"]
        if side == 0:
            return [*lines, f"too few to say: n = {format_count(n)} within {WIDEST}" if n else self.legend.absent]
        where = "here" if side == 1 else f"in a square of about {side * PIXELS_OF_A_CELL:.0f} pixels"
        return [*lines, f"{self.spoken(float(cells.content[place]))}, n = {format_count(n)} {where}"]


def number_chart(
    points: PlacedPoints,
    values: Floats,
    *,
    title: str,
    topics: MapTopics,
    noun: str,
    higher_is_better: bool,
    machine: bool,
    dark: bool,
) -> MapChart:
    """Points (n,) coloured by a number, NaN where it is unscored. The mean of `machine` verdicts is only said to be
    what a machine says."""
    layer = NumberLayer.of(points, values)
    colors = value_colors(higher_is_better=higher_is_better, dark=dark)
    unscored = len(layer.present) - int(layer.present.sum())
    what = "machine says" if machine else "mean"
    legend = MapLegend(
        title,
        scale=(format_number(layer.low, decimals=3), format_number(layer.high, decimals=3)),
        absent=f"unscored: {unscored:,}" if unscored else "",
        hatched=f"fewer than {MINIMUM_N} scored within {WIDEST}: no mean is shown",
        note=f"A colour is the mean of scored {noun}s in {SQUARES}; fainter where fewer {noun}s lie.",
    )
    return MapChart(
        _point_map(points, layer, colors, topics, least=MINIMUM_N),
        topics,
        tuple(Swatch(color) for color in colors),
        legend,
        noun,
        value=lambda row: _scored(title, float(values[row])),
        spoken=lambda mean: f"{what} {format_number(mean, decimals=3)}",
    )


def category_chart(
    points: PlacedPoints,
    numbers: Numbers,
    categories: Sequence[str],
    *,
    title: str,
    topics: MapTopics,
    noun: str,
    absent: str,
    colors: Mapping[str, str] | None = None,
    least: int = 1,
) -> MapChart:
    """Points (n,) coloured by the number of a category, -1 where they have none, which the legend calls `absent`.

    `colors` are those of categories that mean something, such as pass and fail. Tiles show the most frequent category
    of at least `least` points.
    """
    meant = dict(colors or {})
    swatches = _swatches(categories, meant)
    layer = CategoryLayer.of(points, numbers, k=len(categories), colors=len(swatches))
    sizes = np.bincount(numbers[numbers >= 0], minlength=len(categories))
    without = int((numbers < 0).sum())
    listed = [(f"{short_name(name)}: {sizes[place]:,}", place) for place, name in enumerate(categories) if sizes[place]]
    legend = MapLegend(
        title,
        entries=tuple(listed) if len(listed) <= MOST_ENTRIES else (),
        absent=f"{absent}: {without:,}" if without else "",
        hatched=f"fewer than {least} within {WIDEST}: none is shown" if least > 1 else "",
        note=f"Where {noun}s lie over one another, the most frequent colour is drawn"
        + (f", of {SQUARES}" if least > 1 else "")
        + f"; fainter where fewer {noun}s lie.",
    )
    return MapChart(
        _point_map(points, layer, tuple(swatch.color for swatch in swatches), topics, least=least),
        topics,
        swatches,
        legend,
        noun,
        value=lambda row: categories[number] if (number := int(numbers[row])) >= 0 else absent,
        spoken=lambda number: f"most frequent: {short_name(categories[int(number)])}",
    )


def value_colors(*, higher_is_better: bool, dark: bool) -> tuple[str, ...]:
    """The colours of numbers from low to high, from worse to better or the other way round; none is the page's."""
    ends = DIVERGING_DARK if dark else DIVERGING
    scale = (*ends[:3], *ends[-3:])
    colors = tuple(blend(scale, place / (STEPS - 1)) for place in range(STEPS))
    return colors if higher_is_better else colors[::-1]


def _scored(title: str, value: float) -> str:
    return f"{title}: {format_number(value, decimals=3)}" if np.isfinite(value) else "unscored"


def _swatches(categories: Sequence[str], meant: Mapping[str, str]) -> tuple[Swatch, ...]:
    if meant:
        others = iter(CATEGORICAL * len(categories))
        return tuple(Swatch(meant[name] if name in meant else next(others)) for name in categories)
    most = len(CATEGORICAL) * SYMBOLS
    return tuple(
        Swatch(CATEGORICAL[place % len(CATEGORICAL)], place // len(CATEGORICAL))
        for place in range(min(len(categories), most))
    )


def _point_map(
    points: PlacedPoints, layer: Layer, colors: tuple[str, ...], topics: MapTopics, *, least: int
) -> PointMap:
    tile_colors = TileColors(colors, absent=MUTED, hatch=MUTED)
    return PointMap(points, layer, tile_colors, topics.numbers[points.rows], topics.titles, least)
