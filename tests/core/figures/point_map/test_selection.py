"""A selection holds exactly the points in the polygon, by an independent rule in exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from hcat.core.arrays import Floats
from hcat.core.errors import HcatError
from hcat.core.figures.point_map.selection import MOST_CORNERS, OrderedPoints, Point


def winding_parity(x: float, y: float, corners: Sequence[Point]) -> bool:
    """Even-odd by the signed area of triangles, in fractions: a ray upwards crosses an edge where the edge's ends lie
    on both sides of x and the triangle with the point turns the right way. Points on an edge are not asked."""
    px, py = Fraction(x), Fraction(y)
    odd = False
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        a, b = (Fraction(ax), Fraction(ay)), (Fraction(bx), Fraction(by))
        if (a[0] > px) == (b[0] > px):
            continue
        area = (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])
        odd ^= (area < 0) == (b[0] > a[0])
    return odd


def expected(points: Floats, corners: Sequence[Point]) -> list[int]:
    return [row for row, (x, y) in enumerate(points.tolist()) if winding_parity(x, y, corners)]


@pytest.mark.parametrize("corners", [3, 4, 7, 40])
@pytest.mark.parametrize("seed", range(5))
def test_as_by_an_independent_rule(corners: int, seed: int) -> None:
    rng = np.random.default_rng(100 * corners + seed + 1)
    points = rng.normal(size=(400, 2))
    polygon = [(float(x), float(y)) for x, y in rng.normal(size=(corners, 2)) * 2]  # its edges cross one another
    found = OrderedPoints.of(points).in_polygon(polygon).tolist()
    assert found == expected(points, polygon)
    assert found


def test_a_lasso_around_a_hole_leaves_it_out() -> None:
    outer = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)]
    inner = [(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0), (1.0, 1.0)]
    points = OrderedPoints.of(np.array([[0.5, 0.5], [2.0, 2.0], [5.0, 2.0], [3.5, 0.2]]))
    assert points.in_polygon([*outer, *inner]).tolist() == [0, 3]


def test_polygons_side_by_side_share_no_point_and_lose_none() -> None:
    grid = np.array([[x / 4, y / 4] for x in range(17) for y in range(17)])
    points = OrderedPoints.of(grid)
    left = points.in_polygon([(-1.0, -1.0), (2.0, -1.0), (2.0, 5.0), (-1.0, 5.0)])
    right = points.in_polygon([(2.0, -1.0), (5.0, -1.0), (5.0, 5.0), (2.0, 5.0)])
    assert sorted([*left.tolist(), *right.tolist()]) == list(range(len(grid)))
    assert not set(left.tolist()) & set(right.tolist())


def test_beside_an_edge_rounding_does_not_decide() -> None:
    """An edge through (0, 0) and (3, 1): rounded products are equal for many points that lie next to it."""
    low, high = (0.0, 0.0), (3.0, 1.0)
    rng = np.random.default_rng(6)
    y = rng.random(300)
    x = np.concatenate([np.nextafter(3 * y, 9), np.nextafter(3 * y, -9), 3 * y])
    points = np.column_stack([x, np.concatenate([y, y, y])])
    polygon = [low, high, (-9.0, 1.0), (-9.0, 0.0)]
    exact = [row for row, (a, b) in enumerate(points.tolist()) if Fraction(a) < 3 * Fraction(b)]
    assert OrderedPoints.of(points).in_polygon(polygon).tolist() == exact


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_coordinates_of_any_size(scale: float) -> None:
    points = np.array([[1.0, 1.0], [3.0, 1.0], [1.0, 1.9]]) * scale
    corners = [(x * scale, y * scale) for x, y in ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))]
    assert OrderedPoints.of(points).in_polygon(corners).tolist() == [0, 2]


def test_points_without_a_place_are_in_no_selection() -> None:
    points = OrderedPoints.of(np.array([[np.nan, 0.5], [0.5, 0.5], [np.inf, 0.5]]))
    assert points.n == 3
    assert points.in_polygon([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]).tolist() == [1]


@pytest.mark.parametrize(
    "corners",
    [[], [(0.0, 0.0), (1.0, 1.0)], [(0.0, 0.0), (1.0, 1.0), (np.nan, 0.0)], [(0.0, 0.0)] * (MOST_CORNERS + 1)],
)
def test_what_is_no_polygon_is_refused(corners: list[Point]) -> None:
    with pytest.raises(HcatError, match="draw it again"):
        OrderedPoints.of(np.zeros((1, 2))).in_polygon(corners)


def test_edges_without_a_height_and_corners_twice_change_nothing() -> None:
    rng = np.random.default_rng(8)
    points = rng.random((200, 2))
    square = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.2), (0.8, 0.7), (0.2, 0.7), (0.2, 0.7)]
    assert OrderedPoints.of(points).in_polygon(square).tolist() == expected(points, square)
