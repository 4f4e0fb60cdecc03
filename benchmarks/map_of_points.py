"""The map of topics by the number of points: what steps cost the server, and what is sent.

`python -m benchmarks.map_of_points SIZE` places so many generated points and answers each step from the whole map to
single points.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks import map_in_browser
from benchmarks.growth_rows import from_size, growth
from benchmarks.many_points import many_points
from benchmarks.rows import Measured
from benchmarks.timing import Ratio
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.figures.point_map.view import MOST_POINTS, View
from hcat.dashboard.charts.maps import MapChart, MapTopics, number_chart

MOST_EXPONENT = 1.2
"""Sorting costs a little more than its share, and from `MOST_POINTS` on tiles take the place of single points."""
PLOTLY_BYTES = 7_200_000
"""What Plotly takes for a scatter of 100,000 points."""
MOST_BYTES = PLOTLY_BYTES / 50
STEP = 0.2
"""Seconds, with what the browser adds."""
WIDTH, HEIGHT = 1060, 544
"""Pixels of the map on a screen of 1440."""
ROOM, ZOOM, TILE = 0.94, 1.6, 280
MOST_STEPS = 20


def rows(sizes: Sequence[int]) -> Iterator[Measured]:
    """The growth of all steps together; the widest step over a fiftieth of Plotly's bytes; the largest in a browser."""
    tiled = from_size(sizes, MOST_POINTS)  # below, a map takes milliseconds
    yield from growth("map", _command, tiled, MOST_EXPONENT, what="points, all steps")
    for size in sizes:
        seconds, sent = _answered(_chart(size))
        widest = max(sent) / MOST_BYTES
        note = f"first {sent[0]:,}, widest {max(sent):,} bytes; slowest step {max(seconds):.3f} s of the server"
        ratio = Ratio(widest, min(sent) / MOST_BYTES, widest, max(seconds), STEP, len(sent))
        yield Measured("map", f"{size:,} points", "widest step / 144 kB", ratio, at_most=1.0, note=note)
    yield from map_in_browser.rows(max(sizes))


def _command(size: int, _: Path) -> Sequence[str]:
    return [sys.executable, "-m", "benchmarks.map_of_points", str(size)]


def _chart(size: int) -> MapChart:
    made = many_points(size)
    topics = MapTopics(
        made.topics.astype(np.int64), [f"topic {number}" for number in range(int(made.topics.max()) + 1)]
    )
    placed = PlacedPoints.place(made.coordinates)
    return number_chart(
        placed,
        made.scores,
        title="score",
        topics=topics,
        noun="sample",
        higher_is_better=True,
        machine=False,
        dark=False,
    )


def _answered(chart: MapChart) -> tuple[list[float], list[int]]:
    """Seconds of processor time and bytes of each step inwards, until single points are drawn."""
    points = chart.map.points
    low, high = (np.array([end(points.u), end(points.v)]) for end in (np.min, np.max))
    size, middle = np.array([WIDTH, HEIGHT]), (low + high) / 2
    pixels = float((size / (high - low)).min() * ROOM)
    seconds, sent = [], []
    have: set[tuple[int, int, int]] = set()
    for _ in range(MOST_STEPS):
        (u0, v0), (u1, v1) = middle - size / 2 / pixels, middle + size / 2 / pixels
        zoom = max(round(float(np.log2(pixels / TILE))), 0)
        across, down = _touched(u0, u1, 2**zoom), _touched(v0, v1, 2**zoom)
        tiles = [(x, y) for y in down for x in across if (zoom, x, y) not in have]
        start = time.process_time()
        answer = chart.map.answer(View((u0, v0, u1, v1), pixels, zoom, tuple(tiles)))
        seconds.append(time.process_time() - start)
        sent.append(len(answer))
        have |= {(zoom, *tile) for tile in tiles}
        if len(points.inside((u0, v0, u1, v1))) < MOST_POINTS:
            break
        pixels *= ZOOM
    return seconds, sent


def _touched(low: float, high: float, parts: int) -> range:
    return range(max(int(np.floor(low * parts)), 0), min(int(np.ceil(high * parts)), parts))


def main() -> None:
    """The child's work: the points are generated untimed, and what is loaded on first use is loaded before."""
    size = int(sys.argv[1])
    _answered(_chart(1_000))
    made = many_points(size)
    start = time.process_time()
    PlacedPoints.place(made.coordinates)
    placing = time.process_time() - start
    print(json.dumps({"seconds": placing + sum(_answered(_chart(size))[0])}))


if __name__ == "__main__":
    main()
