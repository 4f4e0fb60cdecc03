"""Pages and reports draw the same object: the same order of levels, and the same colour for each cell."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import plotly.colors
import plotly.graph_objects as go
import pytest

from core.calibration.conformal.threshold import Region
from core.display.palette import BAD, DIVERGING, GOOD, NEUTRAL, VERDICT_COLORS, blend, level_colors, readable_on
from core.figures.curve import CurveRegion, regions_along
from core.figures.forest import level_forest
from core.figures.heatmap import WeaknessHeatmap, weakness_heatmap
from core.figures.level_order import are_ranges, levels_in_order
from core.figures.marginal_heatmap import marginal_heatmap
from core.report.renderers.svg import draw
from core.types import Direction
from core.weakness.slices import quantile_bins
from core.weakness.table import WeaknessTable, combine, find_weaknesses
from core.weakness.verdicts import VERDICTS
from dashboard.charts.weakness import heatmap, marginal_violins
from tests.core.report.renderers.test_svg import texts

TOPICS = ("accounts", "cards", "fees")


def sliced() -> tuple[pd.DataFrame, pd.Series]:
    """240 samples; "fees" is weak, and worse the longer the query; two samples of a level that is too small."""
    rng = np.random.default_rng(4)
    words = rng.integers(7, 120, 240).astype(np.float64)
    topic = np.array([TOPICS[i % 3] for i in range(240)])
    topic[:2] = "(other)"
    values = 0.7 - 0.3 * (topic == "fees") * (words > 60) + rng.normal(0, 0.1, 240)
    ids = pd.Index([f"q{i}" for i in range(240)], dtype="str")
    levels = pd.Index([*TOPICS, "(other)"], dtype="str")
    frame = pd.DataFrame(
        {"topic": pd.Categorical(topic, categories=levels), "length": quantile_bins(words, unit="words")}, index=ids
    )
    return frame, pd.Series(values, index=ids)


def table_of(direction: Direction = "higher") -> WeaknessTable:
    frame, values = sliced()
    return find_weaknesses(frame, values, metric="m", direction=direction, pairs=True)


def data_of(direction: Direction = "higher") -> WeaknessHeatmap:
    return weakness_heatmap(table_of(direction), "m", rows="topic", columns="length")


def plotly_colors(data: WeaknessHeatmap) -> dict[tuple[str, str], tuple[float, ...] | None]:
    """Of each cell by its levels as the page names them, from the values and the scale that Plotly is given."""
    figure = heatmap(data, metric="m", dark=False)
    (drawn,) = [trace for trace in figure.data if isinstance(trace, go.Heatmap)]
    rows, columns = figure.layout.yaxis.ticktext, figure.layout.xaxis.ticktext
    colors: dict[tuple[str, str], tuple[float, ...] | None] = {}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            z = drawn.z[i][j]
            share = None if z is None else min(max((z - drawn.zmin) / (drawn.zmax - drawn.zmin), 0.0), 1.0)
            scale = [[place, color] for place, color in drawn.colorscale]
            sampled = None if share is None else plotly.colors.sample_colorscale(scale, share, colortype="tuple")[0]
            colors[row, column] = None if sampled is None else tuple(255 * part for part in sampled)
    return colors


def svg_colors(data: WeaknessHeatmap) -> list[tuple[float, ...]]:
    """Of the coloured cells in their order, as they are drawn."""
    fills = re.findall(r'<path[^>]*fill="rgb\((\d+), (\d+), (\d+)\)"', draw(data, name="h"))
    return [tuple(float(part) for part in fill) for fill in fills]


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_page_and_report_give_each_cell_the_same_colour(direction: Direction) -> None:
    data = data_of(direction)
    on_page, in_report = plotly_colors(data), svg_colors(data)
    coloured = [cell for cell in data.cells if cell.value is not None]
    assert len(coloured) == len(in_report) == 12
    for cell, drawn in zip(coloured, in_report, strict=True):
        assert on_page[cell.level_1, cell.level_2] == pytest.approx(drawn, abs=1.01)
        color = data.color(cell)
        assert color is not None
        assert [int(color[i : i + 2], 16) for i in (1, 3, 5)] == pytest.approx(drawn, abs=1.01)
    grey = {(cell.level_1, cell.level_2) for cell in data.cells if cell.value is None}
    assert grey
    assert all(on_page[levels] is None for levels in grey)


def test_page_and_report_have_the_levels_in_the_same_order() -> None:
    data = data_of()
    figure = heatmap(data, metric="m", dark=False)
    shown = texts(draw(data, name="h"))
    from_left = [level for level in shown if level in data.columns]
    from_top = [level for level in shown if level in data.rows]
    assert from_left == list(figure.layout.xaxis.ticktext) == list(data.columns)
    assert from_top == list(figure.layout.yaxis.ticktext)[::-1] == list(data.rows) == [*TOPICS, "(other)"]
    lows = [int(level.split("–")[0]) for level in data.columns]
    assert lows == sorted(lows)  # "7–23 words" before "24–31 words"


def test_blue_is_better_and_orange_worse_whichever_way_the_metric_goes() -> None:
    higher, lower = data_of("higher"), data_of("lower")
    worst = min((cell for cell in higher.cells if cell.value is not None), key=lambda cell: cell.mean.value)
    assert higher.color(worst) == DIVERGING[0].lower()  # more than a standard deviation below the mean
    assert lower.color(worst) == DIVERGING[-1].lower()


def test_the_scale_is_one_standard_deviation_either_side_of_the_overall_mean() -> None:
    _, values = sliced()
    data = data_of()
    assert data.overall == pytest.approx(values.mean())
    assert data.limits == pytest.approx((values.mean() - values.std(ddof=1), values.mean() + values.std(ddof=1)))
    assert data.limits == weakness_heatmap(table_of(), "m", rows="length", columns="topic").limits


def test_turned_round_a_heatmap_has_the_same_cells() -> None:
    data, turned = data_of(), weakness_heatmap(table_of(), "m", rows="length", columns="topic")
    assert (turned.rows, turned.columns) == (data.columns, data.rows)
    cells = {(cell.level_1, cell.level_2): cell.mean.value for cell in data.cells}
    assert {(cell.level_2, cell.level_1): cell.mean.value for cell in turned.cells} == cells


def test_only_the_most_frequent_levels_are_kept_in_their_order() -> None:
    data = weakness_heatmap(table_of(), "m", rows="topic", columns="length", most_levels=3)
    assert data.rows == TOPICS
    assert len(data.columns) == 3
    assert len(data.cells) == 9


def test_names_go_from_the_worst_and_ranges_by_their_numbers_on_page_and_in_report() -> None:
    frame, values = sliced()
    table = table_of()
    for name, wanted in (("topic", ["fees"]), ("length", list(levels_in_order(table, "length")))):
        data = level_forest(table, "m", dimension=name)
        levels = [row.level for row in data.rows]
        assert levels[: len(wanted)] == wanted
        ticks = marginal_violins(data, values, frame[name].astype(str), metric="m", dark=False).layout.yaxis.ticktext
        assert [tick.split("  n=")[0] for tick in ticks][::-1] == levels
        assert [text for text in texts(draw(data, name="f")) if text in levels] == levels
    lower = level_forest(table_of("lower"), "m", dimension="topic")
    assert [row.mean.value for row in lower.rows] == sorted((row.mean.value for row in lower.rows), reverse=True)


def test_ranges_are_told_from_names() -> None:
    assert are_ranges(["7–23 words", "24–31 words", "(none)"])
    assert are_ranges(["-1.5", "0", "2e+03"])
    assert not are_ranges(["2 apples", "1 pear"])
    assert not are_ranges(["cards", "fees"])
    assert not are_ranges(["(none)"])


def test_colours_blend_evenly_and_end_where_the_scale_ends() -> None:
    assert blend(("#000000", "#0a0a0a", "#ff0000"), 0.25) == "#050505"
    assert blend(DIVERGING, 0.5) == NEUTRAL.lower()
    assert (blend(DIVERGING, -3.0), blend(DIVERGING, 7.0)) == (DIVERGING[0].lower(), DIVERGING[-1].lower())
    assert level_colors(("fail", "pass")) == {"fail": BAD.lower(), "pass": GOOD.lower()}
    assert readable_on("#FFFFFF", ("#FFFFFF", "#1B2326")) == "#1B2326"
    assert readable_on("#1A5A8E", ("#FFFFFF", "#1B2326")) == "#FFFFFF"


def test_regions_of_probability_are_found_along_a_falling_and_a_flat_curve() -> None:
    regions = (Region("fail", 0.0, 0.4), Region("both", 0.4, 0.6), Region("pass", 0.6, 1.0))
    # From (0, 1) to (1, 0): 0.6 is reached at 0.4, and 0.4 at 0.6; then the curve stays at 0.
    found = regions_along(((0.0, 1.0), (1.0, 0.0), (2.0, 0.0)), regions)
    assert [region.set_name for region in found] == ["pass", "both", "fail"]
    assert [edge for region in found for edge in (region.low, region.high)] == pytest.approx([0, 0.4, 0.4, 0.6, 0.6, 2])
    assert regions_along(((0.0, 1.0), (1.0, 1.0)), regions) == (CurveRegion("pass", 0.0, 1.0),)


def test_each_verdict_has_a_colour() -> None:
    assert tuple(VERDICT_COLORS) == VERDICTS
    assert len(set(VERDICT_COLORS.values())) == 5


def test_all_levels_and_metrics_are_in_standard_deviations_and_better_upwards() -> None:
    frame, values = sliced()
    error = find_weaknesses(frame, 1 - values, metric="error", direction="lower")
    data = marginal_heatmap(combine([find_weaknesses(frame, values, metric="m", direction="higher"), error]))
    assert data.columns == ("m", "error") and data.rows[:3] == ("topic = accounts", "topic = cards", "topic = fees")
    cells = {(cell.level_1, cell.level_2): cell for cell in data.cells}
    fees = cells["topic = fees", "m"]
    inside = (frame["topic"] == "fees").to_numpy()
    assert fees.mean.value == pytest.approx((values[inside].mean() - values.mean()) / values.std())
    assert cells["topic = fees", "error"].mean.value == pytest.approx(fees.mean.value)
    assert fees.mean.low < fees.mean.value < fees.mean.high and data.color(fees) != data.color(
        cells["topic = cards", "m"]
    )
    assert cells["topic = (other)", "m"].value is None
    assert "<svg" in draw(data, name="all")
