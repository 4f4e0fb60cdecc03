"""Names of topics on a map: each at the greatest density of its points, without overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Floats
from hcat.core.display.control_characters import visible
from hcat.core.figures.point_map.placed import Box, PlacedPoints, Positions

SQUARE = 64.0
"""The side of a square in pixels: the points of a topic in such a square determine the position of its name."""
LETTER, PADDING, HEIGHT = 6.8, 12.0, 22.0
"""Pixels: the approximate width of a letter, and the space around a name."""
MOST_LETTERS = 28
MOST_NAMES = 40
ENOUGH = 50_000
"""The number of points that determine the positions of names."""
LEAST_SHARE = 0.002
"""The least share of the points in view: smaller topics are named at a larger zoom."""


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name and the middle of its position."""

    text: str
    u: float
    v: float


def place_names(
    points: PlacedPoints,
    topics: NDArray[np.int64],
    titles: Sequence[str],
    *,
    box: Box,
    inside: Positions,
    pixels: float,
) -> tuple[PlacedName, ...]:
    """The names that fit into a view of the `box` with `pixels` per unit, of the larger topics first.

    `topics` (m,) are the numbers of the points' topics in the order of the points, -1 for none; `inside` are the
    positions in view. A name is at the mean of its topic's points in the square with most of them: of many points each
    k-th in their order counts, which covers every place in turn."""
    inside = inside[:: max(1, len(inside) // ENOUGH)]
    member = topics[inside]
    known = inside[member >= 0]
    if not len(known):
        return ()
    member, number = topics[known], int(topics.max()) + 1
    u, v = points.u[known], points.v[known]
    across, down = _square(u, pixels), _square(v, pixels)
    left, top = across.min(), down.min()
    columns = int(across.max() - left) + 1
    rows = int(down.max() - top) + 1
    square = (down - top) * columns + across - left
    counts = np.bincount(member * (columns * rows) + square, minlength=number * columns * rows)
    densest = counts.reshape(number, -1).argmax(axis=1)
    sizes = np.bincount(member, minlength=number)
    there = square == densest[member]
    n = np.maximum(np.bincount(member[there], minlength=number), 1)
    middles = np.column_stack(
        [np.bincount(member[there], weights=axis[there], minlength=number) / n for axis in (u, v)]
    )
    return tuple(_without_overlap(_ordered(sizes, titles), middles, box, pixels))


def short_name(title: str) -> str:
    """A title on one line of at most `MOST_LETTERS` characters; marks that reverse the direction of reading are
    shown."""
    line = visible(" ".join(title.split()))
    return line if len(line) <= MOST_LETTERS else line[: MOST_LETTERS - 1] + "…"


def _square(axis: Floats, pixels: float) -> Positions:
    return np.floor(axis * pixels / SQUARE).astype(np.int64)


def _ordered(sizes: Positions, titles: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Topics with points in view, the largest first."""
    total = int(sizes.sum())
    for number in np.argsort(-sizes, kind="stable").tolist():
        if sizes[number] > 0 and sizes[number] >= LEAST_SHARE * total and number < len(titles):
            yield number, short_name(titles[number])


def _without_overlap(
    named: Iterator[tuple[int, str]], middles: Floats, box: Box, pixels: float
) -> Iterator[PlacedName]:
    taken: list[tuple[float, float, float]] = []
    for number, text in named:
        width = LETTER * len(text) + PADDING
        x = _within(middles[number, 0] * pixels, box[0] * pixels, box[2] * pixels, width)
        y = _within(middles[number, 1] * pixels, box[1] * pixels, box[3] * pixels, HEIGHT)
        if any(abs(x - ax) < (width + other) / 2 and abs(y - ay) < HEIGHT for ax, ay, other in taken):
            continue
        taken.append((x, y, width))
        yield PlacedName(text, x / pixels, y / pixels)
        if len(taken) == MOST_NAMES:
            return


def _within(middle: float, low: float, high: float, extent: float) -> float:
    """The middle of an object of this extent, moved so that it is fully in view, if it fits."""
    if high - low < extent:
        return (low + high) / 2
    return float(min(max(middle, low + extent / 2), high - extent / 2))
