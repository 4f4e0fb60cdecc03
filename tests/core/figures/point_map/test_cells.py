"""Tiles: every point in one cell of one tile, sums that add up, and what a square may say."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from hcat.core.arrays import Floats
from hcat.core.figures.point_map.cells import SQUARES, tile_cells
from hcat.core.figures.point_map.layers import STEPS, CategoryLayer, NumberLayer
from hcat.core.figures.point_map.pictures import (
    BETWEEN,
    EMPTY,
    FIRST,
    HATCH,
    MOST_COLORS,
    STRENGTHS,
    TileColors,
    tile_picture,
)
from hcat.core.figures.point_map.placed import CELLS, DEEPEST, PlacedPoints, cell_columns_and_rows

COLORS = TileColors(("#112233",) * STEPS, absent="#8a979d", hatch="#445566")


def clustered(n: int, seed: int = 3) -> Floats:
    """Clusters of different widths, some points twice."""
    rng = np.random.default_rng(seed)
    centres, topic = rng.normal(size=(12, 2)) * 5, rng.integers(0, 12, n)
    points = centres[topic] + rng.normal(size=(n, 2)) * rng.uniform(0.05, 1.5, 12)[topic][:, None]
    points[: n // 10] = points[n // 10 : 2 * (n // 10)]
    return points


def eighths(n: int, seed: int = 4) -> Floats:
    """Values whose sums are exact, a tenth of them missing."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 9, n) / 8
    values[rng.random(n) < 0.1] = np.nan
    return values


def pixel_of(points: PlacedPoints, zoom: int) -> tuple[np.ndarray, np.ndarray]:
    """The column and row of each point's cell in the whole plane, by plain arithmetic."""
    cells = 2**zoom * CELLS
    return np.floor(points.u * cells).astype(int), np.floor(points.v * cells).astype(int)


@pytest.mark.parametrize("zoom", [0, 1, 2, 3])
def test_sums_over_tiles_are_the_totals_and_each_cell_counts_its_points(zoom: int) -> None:
    coordinates, values = clustered(5_000), eighths(5_000)
    points = PlacedPoints.place(coordinates)
    layer = NumberLayer.of(points, values)
    columns, rows = pixel_of(points, zoom)
    counts = np.zeros((2**zoom * CELLS,) * 2, dtype=int)
    np.add.at(counts, (rows, columns), 1)
    seen, known, total = 0, 0, 0.0
    drawn = np.zeros_like(counts)
    for x in range(2**zoom):
        for y in range(2**zoom):
            cells = tile_cells(points, layer, zoom=zoom, x=x, y=y, least=1)
            across, down = cell_columns_and_rows(cells.cells)
            drawn[y * CELLS + down, x * CELLS + across] += cells.points
            seen, known = seen + int(cells.points.sum()), known + int(cells.own.sum())
            own = cells.own > 0
            assert (cells.side[own] == 1).all()
            total += float((cells.content[own] * cells.own[own]).sum())
    assert (drawn == counts).all()
    assert seen == 5_000
    assert known == int(np.isfinite(values).sum())
    assert total == pytest.approx(float(np.nansum(values)), rel=1e-12)


def test_sums_of_a_tile_are_those_of_its_points_exactly() -> None:
    points = PlacedPoints.place(clustered(4_000))
    layer = NumberLayer.of(points, eighths(4_000))
    span = points.span(1, 0, 0)
    local = points.cells(1, span)
    starts = np.flatnonzero(np.concatenate([[True], local[1:] != local[:-1]]))
    assert layer.totals(span, starts).sum() == np.nansum(layer.values[slice(*span)])


@pytest.mark.parametrize("zoom", [0, 3, 7, DEEPEST])
def test_a_point_lies_in_exactly_one_tile(zoom: int) -> None:
    points = PlacedPoints.place(clustered(400))
    tiles = {(int(u * 2**zoom), int(v * 2**zoom)) for u, v in zip(points.u, points.v, strict=True)}
    spans = sorted(points.span(zoom, *tile) for tile in tiles)
    assert [first for first, _ in spans] == [0, *(last for _, last in spans[:-1])]
    assert spans[-1][1] == 400


def test_a_square_speaks_only_from_the_least_number_of_scored_points_on() -> None:
    coordinates, values = clustered(3_000), eighths(3_000)
    points = PlacedPoints.place(coordinates)
    layer = NumberLayer.of(points, values)
    zoom, x, y = 1, 1, 1
    cells = tile_cells(points, layer, zoom=zoom, x=x, y=y, least=10)
    columns, rows = pixel_of(points, zoom)
    across, down = cell_columns_and_rows(cells.cells)
    sides = set()
    for place in range(len(cells.cells)):
        column, row = x * CELLS + across[place], y * CELLS + down[place]
        own = (columns == column) & (rows == row) & ~np.isnan(layer.values)
        assert cells.own[place] == own.sum()
        if not own.any():
            assert (cells.side[place], cells.n[place]) == (0, 0)
            continue
        for side in SQUARES:
            inside = (columns // side == column // side) & (rows // side == row // side) & ~np.isnan(layer.values)
            if inside.sum() >= 10:
                assert cells.content[place] == pytest.approx(layer.values[inside].mean(), rel=1e-12)
                assert (cells.side[place], cells.n[place]) == (side, inside.sum())
                break
        else:
            assert np.isnan(cells.content[place])
            assert (cells.side[place], cells.n[place]) == (0, inside.sum())
        sides.add(int(cells.side[place]))
    assert {0, 1, 16} <= sides


def test_the_most_frequent_category_of_a_cell() -> None:
    rng = np.random.default_rng(5)
    coordinates = np.repeat(rng.random((30, 2)), 20, axis=0)
    numbers = rng.integers(-1, 4, 600)
    points = PlacedPoints.place(coordinates)
    cells = tile_cells(points, CategoryLayer.of(points, numbers, k=4, colors=40), zoom=4, x=8, y=8, least=1)
    assert len(cells.cells)
    columns, rows = pixel_of(points, 4)
    across, down = cell_columns_and_rows(cells.cells)
    for place in range(len(cells.cells)):
        own = numbers[points.rows[(columns == 8 * CELLS + across[place]) & (rows == 8 * CELLS + down[place])]]
        counts = [int((own == number).sum()) for number in range(4)]
        assert int(cells.content[place]) == counts.index(max(counts))


def test_an_empty_tile_has_no_cell_and_an_empty_picture() -> None:
    points = PlacedPoints.place(np.array([[0.0, 0.0], [1.0, 1.0]]))
    layer = NumberLayer.of(points, np.array([0.0, 1.0]))
    cells = tile_cells(points, layer, zoom=3, x=0, y=0, least=1)
    assert len(cells.cells) == 0
    pixels = np.asarray(Image.open(BytesIO(tile_picture(cells, layer, COLORS))))
    assert (pixels == EMPTY).all()


def test_no_point_at_all() -> None:
    points = PlacedPoints.place(np.zeros((0, 2)))
    assert len(tile_cells(points, NumberLayer.of(points, np.zeros(0)), zoom=0, x=0, y=0, least=1).cells) == 0
    assert len(points.inside((0, 0, 1, 1))) == 0


def test_points_that_all_lie_on_one_place() -> None:
    points = PlacedPoints.place(np.full((50, 2), 3.5))
    layer = NumberLayer.of(points, np.full(50, 0.25))
    cells = [
        tile_cells(points, layer, zoom=DEEPEST, x=int(u), y=int(v), least=10)
        for u, v in {(points.u[0] * 2**DEEPEST, points.v[0] * 2**DEEPEST)}
    ]
    assert cells[0].points.tolist() == [50]
    assert cells[0].content.tolist() == [0.25]


def test_points_without_finite_coordinates_have_no_place() -> None:
    points = PlacedPoints.place(np.array([[0.0, 1.0], [np.nan, 1.0], [2.0, np.inf], [2.0, 3.0]]))
    assert sorted(points.rows.tolist()) == [0, 3]
    assert points.n == 4


def test_the_same_points_give_the_same_picture() -> None:
    coordinates, values = clustered(2_000), eighths(2_000)
    pictures = []
    for _ in range(2):
        points = PlacedPoints.place(coordinates.copy())
        layer = NumberLayer.of(points, values.copy())
        pictures.append(tile_picture(tile_cells(points, layer, zoom=1, x=0, y=1, least=10), layer, COLORS))
    assert pictures[0] == pictures[1]


def test_a_picture_tells_counts_and_hatches_what_has_too_few() -> None:
    many, few, unscored = np.full((40, 2), 0.1), np.full((9, 2), 0.5), np.full((3, 2), 0.9)
    points = PlacedPoints.place(np.concatenate([many, few, unscored]))
    values = np.concatenate([np.full(40, 1.0), np.full(9, 0.0), np.full(3, np.nan)])
    layer = NumberLayer.of(points, values)
    cells = tile_cells(points, layer, zoom=0, x=0, y=0, least=10)
    picture = Image.open(BytesIO(tile_picture(cells, layer, COLORS)))
    assert picture.mode == "P"
    pixels = np.asarray(picture)
    across, down = cell_columns_and_rows(cells.cells)
    shown = dict(zip(cells.points.tolist(), pixels[down, across].tolist(), strict=True))
    assert shown[40] == FIRST + STEPS * len(STRENGTHS) + 3  # the last colour, at full strength
    assert shown[9] in (HATCH, BETWEEN)
    assert shown[3] == FIRST + 1  # what is absent, at the second strength
    assert (pixels != EMPTY).sum() == 3
    assert picture.info["transparency"][EMPTY] == 0


def test_a_palette_has_room_for_all_its_colours() -> None:
    TileColors(("#000000",) * MOST_COLORS, absent="#000000", hatch="#000000")
    with pytest.raises(ValueError, match="colours"):
        TileColors(("#000000",) * (MOST_COLORS + 1), absent="#000000", hatch="#000000")


@pytest.mark.parametrize("box", [(0.0, 0.0, 1.0, 1.0), (0.2, 0.3, 0.55, 0.4), (0.5, 0.5, 0.53, 0.55), (-1, -1, 2, 0.5)])
def test_the_points_in_a_box(box: tuple[float, float, float, float]) -> None:
    points = PlacedPoints.place(clustered(3_000))
    u0, v0, u1, v1 = box
    expected = np.flatnonzero((points.u >= u0) & (points.u < u1) & (points.v >= v0) & (points.v < v1))
    assert len(expected)
    assert points.inside(box).tolist() == expected.tolist()


def test_a_box_that_is_none_holds_nothing() -> None:
    points = PlacedPoints.place(clustered(100))
    assert len(points.inside((0.5, 0.5, 0.5, 0.9))) == 0
    assert len(points.inside((2.0, 2.0, 3.0, 3.0))) == 0
