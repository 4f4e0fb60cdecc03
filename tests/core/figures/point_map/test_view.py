"""What the browser is sent: few points one by one, many as tiles, names that are not over one another."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest

from hcat.core.errors import HcatError
from hcat.core.figures.point_map.layers import STEPS, NumberLayer
from hcat.core.figures.point_map.names import HEIGHT, LETTER, MOST_LETTERS, PADDING, place_names, short_name
from hcat.core.figures.point_map.pictures import TileColors
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.figures.point_map.view import MOST_POINTS, MOST_TILES, PARTS, PointMap, View

ALL = tuple((x, y) for x in range(2) for y in range(2))
WHOLE = View((0.0, 0.0, 1.0, 1.0), 512.0, 1, ALL)


def a_map(n: int, *, titles: int = 6) -> PointMap:
    rng = np.random.default_rng(9)
    topic = rng.integers(0, titles, n)
    coordinates = rng.normal(size=(titles, 2))[topic] * 6 + rng.normal(size=(n, 2))
    values = rng.random(n)
    values[::7] = np.nan
    points = PlacedPoints.place(coordinates)
    colors = TileColors(("#101010",) * STEPS, absent="#202020", hatch="#303030")
    names = [f"fees and <b>charges</b> {number}" for number in range(titles)]
    return PointMap(points, NumberLayer.of(points, values), colors, topic[points.rows], names)


def parts(answer: bytes) -> tuple[dict[str, Any], bytes]:
    length = int.from_bytes(answer[:4], "little")
    return json.loads(answer[4 : 4 + length]), answer[4 + length :]


def test_few_points_are_sent_one_by_one() -> None:
    drawn = a_map(300)
    header, rest = parts(drawn.answer(WHOLE))
    assert (header["drawn"], header["n"]) == ("points", 300)
    assert len(rest) == 5 * 300
    u, v = (np.frombuffer(rest, "<u2", 300, offset=600 * axis) for axis in (0, 1))
    assert np.abs((u + 0.5) / PARTS - drawn.points.u).max() <= 0.5 / PARTS
    assert np.abs((v + 0.5) / PARTS - drawn.points.v).max() <= 0.5 / PARTS
    colors = np.frombuffer(rest, np.uint8, 300, offset=1200)
    assert ((colors == 0) == np.isnan(drawn.layer.single)).all()


def test_a_point_in_view_is_known_again_by_its_place() -> None:
    drawn = a_map(300)
    box = (0.25, 0.25, 0.75, 0.75)
    _, rest = parts(drawn.answer(View(box, 900.0, 2)))
    inside = len(rest) // 5
    rows = [drawn.row_at(box, place) for place in range(inside)]
    assert sorted(rows) == sorted(drawn.points.rows[drawn.points.inside(box)].tolist())
    for place in (-1, inside):
        with pytest.raises(HcatError, match="load the page again"):
            drawn.row_at(box, place)


def test_many_points_are_sent_as_tiles_and_only_those_that_are_asked_for() -> None:
    drawn = a_map(MOST_POINTS)
    header, rest = parts(drawn.answer(WHOLE))
    assert (header["drawn"], header["n"]) == ("tiles", MOST_POINTS)
    assert [tile[:2] for tile in header["tiles"]] == [list(tile) for tile in ALL]
    assert sum(size for *_, size in header["tiles"]) == len(rest)
    again, nothing = parts(drawn.answer(View(WHOLE.box, WHOLE.pixels, WHOLE.zoom)))
    assert (again["tiles"], nothing) == ([], b"")


def test_fewer_than_the_limit_are_points() -> None:
    assert parts(a_map(MOST_POINTS - 1).answer(WHOLE))[0]["drawn"] == "points"


def test_a_cell_is_found_where_it_is_drawn() -> None:
    drawn = a_map(5_000)
    found = drawn.cell_at(3, float(drawn.points.u[100]), float(drawn.points.v[100]))
    assert found is not None
    cells, place = found
    assert cells.points[place] >= 1
    assert drawn.cell_at(3, 0.0, 0.0) is None
    assert drawn.cell_at(3, 1.5, 0.5) is None


@pytest.mark.parametrize(
    ("box", "pixels", "zoom", "tiles"),
    [
        ((0.0, 0.0, 0.0, 1.0), 1.0, 0, ()),
        ((0.0, 0.0, float("nan"), 1.0), 1.0, 0, ()),
        ((0.0, 0.0, 1.0, 1.0), 0.0, 0, ()),
        ((0.0, 0.0, 1.0, 1.0), float("inf"), 0, ()),
        ((0.0, 0.0, 1.0, 1.0), 1.0, 14, ()),
        ((0.0, 0.0, 1.0, 1.0), 1.0, -1, ()),
        ((0.0, 0.0, 1.0, 1.0), 1.0, 1, ((0, 2),)),
        ((0.0, 0.0, 1.0, 1.0), 1.0, 9, tuple((x, 0) for x in range(MOST_TILES + 1))),
    ],
)
def test_what_is_no_view_is_refused(box: Any, pixels: float, zoom: int, tiles: Any) -> None:
    with pytest.raises(HcatError, match="load the page again"):
        View(box, pixels, zoom, tiles)


def test_names_do_not_overlap_stay_in_view_and_stand_among_their_points() -> None:
    drawn = a_map(20_000, titles=60)
    box, pixels = (0.0, 0.0, 1.0, 1.0), 800.0
    names = place_names(
        drawn.points, drawn.topics, drawn.titles, box=box, inside=drawn.points.inside(box), pixels=pixels
    )
    assert 5 < len(names) < 60
    boxes = [(name.u * pixels, name.v * pixels, LETTER * len(name.text) + PADDING) for name in names]
    for (x, y, width), (other_x, other_y, other_width) in itertools.combinations(boxes, 2):
        assert abs(x - other_x) >= (width + other_width) / 2 or abs(y - other_y) >= HEIGHT
    for x, y, width in boxes:
        assert width / 2 <= x <= pixels - width / 2 + 1e-9
        assert HEIGHT / 2 <= y <= pixels - HEIGHT / 2 + 1e-9


def test_a_name_stands_where_its_points_are_densest() -> None:
    rng = np.random.default_rng(2)
    dense, thin = rng.normal(size=(900, 2)) * 0.05, rng.uniform(-10, 10, size=(300, 2))
    points = PlacedPoints.place(np.concatenate([dense, thin]))
    topics = np.zeros(1_200, dtype=np.int64)
    box = (0.0, 0.0, 1.0, 1.0)
    (name,) = place_names(points, topics, ["fees"], box=box, inside=points.inside(box), pixels=800.0)
    middle = points.plane.unit(np.zeros((1, 2)))[0]
    assert abs(name.u - middle[0]) < 0.02
    assert abs(name.v - middle[1]) < 0.02


def test_without_topics_there_are_no_names() -> None:
    drawn = a_map(50)
    inside = drawn.points.inside((0, 0, 1, 1))
    none = np.full(50, -1)
    assert place_names(drawn.points, none, ["fees"], box=(0, 0, 1, 1), inside=inside, pixels=500.0) == ()


def test_a_name_is_one_short_line_that_turns_no_direction() -> None:
    assert short_name("  fees\nand   charges ") == "fees and charges"
    assert short_name("f" * 50) == "f" * (MOST_LETTERS - 1) + "…"
    assert "\u202e" not in short_name("fees\u202eseef")
