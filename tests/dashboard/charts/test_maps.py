"""What a map says with its colours, its legend and its words."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.display.palette import BAD, CATEGORICAL, GOOD, contrast, level_colors
from hcat.core.estimates.slices import MINIMUM_N
from hcat.core.figures.point_map.layers import STEPS
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.dashboard.charts.maps import MOST_ENTRIES, MapChart, MapTopics, category_chart, number_chart, value_colors
from hcat.dashboard.charts.style import tone

EVIL = '<img src=x onerror="alert(1)">'


def numbers(values: list[float], *, machine: bool = False, higher_is_better: bool = True) -> MapChart:
    n = len(values)
    topics = MapTopics(np.zeros(n, dtype=np.int64), [EVIL])
    return number_chart(
        PlacedPoints.place(np.column_stack([np.linspace(0, 1, n), np.zeros(n)])),
        np.array(values),
        title="Answer F1",
        topics=topics,
        noun="sample",
        higher_is_better=higher_is_better,
        machine=machine,
        dark=False,
    )


def test_a_number_is_coloured_by_its_place_between_the_ends_and_an_unscored_one_is_not() -> None:
    chart = numbers([0.0, 0.5, 1.0, np.nan])
    by_row = dict(zip(chart.map.points.rows.tolist(), chart.map.point_colors.tolist(), strict=True))
    assert by_row == {0: 1, 1: 1 + STEPS // 2, 2: STEPS, 3: 0}
    assert chart.legend.scale == ("0.000", "1.000")
    assert chart.legend.absent == "unscored: 1"
    assert chart.point_lines(3) == [EVIL, "unscored"]
    assert chart.point_lines(1) == [EVIL, "Answer F1: 0.500"]


def test_low_is_blue_where_lower_is_better() -> None:
    assert value_colors(higher_is_better=False, dark=False) == value_colors(higher_is_better=True, dark=False)[::-1]


@pytest.mark.parametrize("dark", [False, True])
def test_no_colour_of_a_scale_is_that_of_the_page(*, dark: bool) -> None:
    colors = value_colors(higher_is_better=True, dark=dark)
    assert min(contrast(color, tone(dark).paper) for color in colors) > 1.5


def test_all_alike_or_all_unscored_is_no_error() -> None:
    assert set(numbers([0.25] * 3).map.point_colors.tolist()) == {1 + STEPS // 2}
    assert set(numbers([np.nan] * 3).map.point_colors.tolist()) == {0}


@pytest.mark.parametrize(
    ("machine", "said"), [(False, "mean 0.500, n = 12 here"), (True, "machine says 0.500, n = 12 here")]
)
def test_a_cell_says_its_mean_with_n_and_a_machines_verdicts_are_no_estimate(*, machine: bool, said: str) -> None:
    topics = MapTopics(np.full(12, -1), [])
    chart = number_chart(
        PlacedPoints.place(np.zeros((12, 2))),
        np.array([0.0, 1.0] * 6),
        title="m",
        topics=topics,
        noun="sample",
        higher_is_better=True,
        machine=machine,
        dark=True,
    )
    found = chart.map.cell_at(0, 0.5, 0.5)
    assert found is not None
    assert chart.cell_lines(*found) == ["12 samples here", said]


def test_a_cell_with_too_few_says_no_mean() -> None:
    chart = numbers([0.5])
    found = chart.map.cell_at(0, float(chart.map.points.u[0]), float(chart.map.points.v[0]))
    assert found is not None
    assert chart.cell_lines(*found) == ["1 sample here", "too few to say: n = 1 within about 35 pixels"]
    assert chart.map.least == MINIMUM_N


def categories(names: list[str], of: list[int], *, least: int = 1, **colors: str) -> MapChart:
    topics = MapTopics(np.array(of), names)
    return category_chart(
        PlacedPoints.place(np.random.default_rng(1).random((len(of), 2))),
        np.array(of),
        names,
        title="Topic",
        topics=topics,
        noun="sample",
        absent="(no topic)",
        colors=colors,
        least=least,
    )


def test_a_topic_is_told_once_and_the_legend_counts() -> None:
    chart = categories(["fees", EVIL], [0, 0, 1, -1])
    assert chart.legend.entries == (("fees: 2", 0), (f"{EVIL[:27]}…: 1", 1))
    assert chart.legend.absent == "(no topic): 1"
    assert chart.point_lines(0) == ["fees"]
    assert chart.point_lines(3) == ["no topic", "(no topic)"]
    assert chart.legend.hatched == ""


def test_on_the_map_fail_is_orange_and_pass_is_blue() -> None:
    chart = categories(["fail", "pass"], [0, 1], least=MINIMUM_N, **level_colors(("fail", "pass")))
    assert [swatch.color for swatch in chart.swatches] == [BAD.lower(), GOOD.lower()]
    assert chart.legend.hatched == f"fewer than {MINIMUM_N} within about 35 pixels: none is shown"


def test_many_topics_take_colours_and_symbols_in_turn() -> None:
    names = [f"topic {number}" for number in range(93)]
    chart = categories(names, list(range(93)))
    assert len(set(chart.swatches)) == 4 * len(CATEGORICAL)
    assert chart.legend.entries == ()
    assert len(names) > MOST_ENTRIES
    assert chart.map.point_colors.max() == 4 * len(CATEGORICAL)


def test_no_topic_at_all() -> None:
    chart = categories([], [-1, -1])
    assert chart.map.point_colors.tolist() == [0, 0]
    found = chart.map.cell_at(0, float(chart.map.points.u[0]), float(chart.map.points.v[0]))
    assert found is not None
    assert chart.cell_lines(*found) == ["1 sample here", "(no topic): 2"]
