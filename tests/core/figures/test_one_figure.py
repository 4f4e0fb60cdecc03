"""Pages and reports draw the same object: the same order of levels, and the same colour for each cell."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from hcat.core.calibration.conformal.threshold import Region
from hcat.core.capabilities.fairness.gap import GapVerdict
from hcat.core.capabilities.robustness import change
from hcat.core.display.palette import (
    BAD,
    DIVERGING,
    GOOD,
    GREY_SHADES,
    GREY_SHADES_DARK,
    INK,
    INK_DARK,
    NEUTRAL,
    PAPER,
    PAPER_DARK,
    SHADES,
    SHADES_DARK,
    VERDICT_COLORS,
    blend,
    contrast,
    level_colors,
)
from hcat.core.figures.curve import CurveRegion, regions_along
from hcat.core.figures.forest import level_forest
from hcat.core.figures.frames import FRAMES
from hcat.core.figures.heatmap import WeaknessHeatmap, weakness_heatmap
from hcat.core.figures.level_labels import short_labels
from hcat.core.figures.level_order import are_ranges, levels_in_order
from hcat.core.figures.marginal_heatmap import marginal_heatmaps
from hcat.core.figures.pair_coverage import fuller_pair, pair_coverages
from hcat.core.figures.shading import PALE_BETTER, PALE_WORSE, shade, shading_unit
from hcat.core.slices.slices import quantile_bins
from hcat.core.slices.table import WeaknessTable, combine, find_weaknesses
from hcat.core.slices.verdicts import VERDICTS
from hcat.core.types import Direction
from hcat.core.view.renderers.svg import draw
from hcat.core.wording.figures import heatmap_in_words, heatmap_legend, scale_sentence
from hcat.dashboard.capabilities.weaknesses.chart import marginal_violins
from hcat.dashboard.charts.heatmap import heatmap
from tests.core.view.renderers.test_svg import texts

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


def plotly_colors(data: WeaknessHeatmap, *, dark: bool = False) -> dict[tuple[str, str], str | None]:
    """Of each cell by its levels as the page names them, from the values and the scale that Plotly is given."""
    figure = heatmap(data, dark=dark)
    (drawn,) = [trace for trace in figure.data if isinstance(trace, go.Heatmap)]
    rows, columns = figure.layout.yaxis.ticktext, figure.layout.xaxis.ticktext
    colors: dict[tuple[str, str], str | None] = {}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            z = drawn.z[i][j]
            share = None if z is None else (z - drawn.zmin) / (drawn.zmax - drawn.zmin)
            below = [color for place, color in drawn.colorscale if share is not None and place <= share]
            colors[row, column] = below[-1] if below else None
    return colors


def svg_colors(data: WeaknessHeatmap) -> list[str]:
    """Of the coloured cells in their order, as they are drawn; those of the legend come behind them."""
    return [fill for fill in re.findall(r'<path[^>]*fill="(#\w{6})"', draw(data, name="h")) if fill in SHADES]


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_page_and_report_give_each_cell_the_same_colour(direction: Direction) -> None:
    data = data_of(direction)
    on_page, in_report = plotly_colors(data), svg_colors(data)
    coloured = [cell for cell in data.cells if cell.value is not None]
    assert len(coloured) == 12
    for cell, drawn in zip(coloured, in_report, strict=False):
        assert on_page[cell.level_1, cell.level_2] == drawn == data.color(cell)
    assert in_report[12:] == [*SHADES[2::-1], *SHADES[3:5], *SHADES[5:]]  # the legend
    hatched = {(cell.level_1, cell.level_2) for cell in data.cells if cell.value is None}
    assert hatched
    assert all(on_page[levels] is None for levels in hatched)


def test_what_is_not_shown_to_differ_is_pale_however_far_it_lies() -> None:
    data = data_of()
    for cell in data.cells:
        if cell.shade is not None:
            assert cell.q is not None
            assert (cell.shade in (PALE_WORSE, PALE_BETTER)) == (cell.q > 0.05)
    assert {PALE_WORSE, 2} <= {cell.shade for cell in data.cells} or len({cell.shade for cell in data.cells}) > 2


def test_shades_are_by_evidence_then_by_fixed_shares_of_the_range() -> None:
    assert [shade(-0.3, shown=True), shade(-0.15, shown=True), shade(-0.05, shown=True)] == [0, 1, 2]
    assert [shade(0.05, shown=True), shade(0.15, shown=True), shade(0.3, shown=True)] == [5, 6, 7]
    assert [shade(-0.9, shown=False), shade(0.9, shown=False)] == [PALE_WORSE, PALE_BETTER]
    frame, values = sliced()
    bounded = find_weaknesses(frame, values, metric="m", direction="higher", within=(-1.0, 1.0))
    assert shading_unit(bounded, "m") == 2.0  # of the range, not of the data
    assert shading_unit(table_of(), "m") == pytest.approx(4 * values.std(ddof=1))


@pytest.mark.parametrize(
    ("shades", "ink", "paper"),
    [
        (SHADES, INK, PAPER),
        (SHADES_DARK, INK_DARK, PAPER_DARK),
        (GREY_SHADES, INK, PAPER),
        (GREY_SHADES_DARK, INK_DARK, PAPER_DARK),
    ],
)
def test_text_and_frames_stand_out_from_every_cell(shades: tuple[str, ...], ink: str, paper: str) -> None:
    for background in (*shades, paper):
        assert contrast(ink, background) >= 4.5  # text; frames have the same colour and need 3
    strong, pale = (shades[:3], shades[5:]), shades[3:5]
    for side, nearest in zip(strong, pale, strict=True):
        assert min(contrast(color, nearest) for color in side) >= 1.25
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)  # WCAG's own example


def test_the_page_draws_text_and_frames_in_the_tested_colours() -> None:
    data = data_of()
    for dark, ink, shades in ((False, INK, SHADES), (True, INK_DARK, SHADES_DARK)):
        figure = heatmap(data, dark=dark)
        texts_in_cells = next(trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text")
        assert texts_in_cells.textfont.color == ink
        assert {shape.line.color for shape in figure.layout.shapes} == {ink}
        assert {color for color in plotly_colors(data, dark=dark).values() if color} <= set(shades)


def test_page_and_report_have_the_levels_in_the_same_order() -> None:
    data = data_of()
    figure = heatmap(data, dark=False)
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
    turned = next(cell for cell in lower.cells if (cell.level_1, cell.level_2) == (worst.level_1, worst.level_2))
    assert (worst.shade, turned.shade) in [(0, 7), (1, 6), (2, 5)]
    assert higher.worst_first[0].shade == worst.shade


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


def test_regions_of_probability_are_found_along_a_falling_and_a_flat_curve() -> None:
    regions = (Region("fail", 0.0, 0.4), Region("both", 0.4, 0.6), Region("pass", 0.6, 1.0))
    # From (0, 1) to (1, 0): 0.6 is reached at 0.4, and 0.4 at 0.6; then the curve stays at 0.
    found = regions_along(((0.0, 1.0), (1.0, 0.0), (2.0, 0.0)), regions)
    assert [region.set_name for region in found] == ["pass", "both", "fail"]
    assert [edge for region in found for edge in (region.low, region.high)] == pytest.approx([0, 0.4, 0.4, 0.6, 0.6, 2])
    assert regions_along(((0.0, 1.0), (1.0, 1.0)), regions) == (CurveRegion("pass", 0.0, 1.0),)


def test_each_verdict_has_a_colour() -> None:
    assert tuple(verdict for verdict in VERDICT_COLORS if verdict in VERDICTS) == VERDICTS
    of_attacks = {"more than its control", "not shown to exceed its control"}
    assert set(VERDICT_COLORS) == {*VERDICTS, *get_args(change.Verdict), *get_args(GapVerdict), *of_attacks}
    assert len(set(VERDICT_COLORS.values())) == 6


def test_all_levels_stand_against_all_metrics_in_as_many_heatmaps_as_it_takes() -> None:
    frame, values = sliced()
    error = find_weaknesses(frame, 1 - values, metric="error", direction="lower")
    table = combine([find_weaknesses(frame, values, metric="m", direction="higher"), error])
    (data,) = marginal_heatmaps(table, titles={"m": "The metric"})
    assert data.columns == ("The metric", "error")
    assert data.rows[:3] == ("topic = accounts", "topic = cards", "topic = fees")
    cells = {(cell.level_1, cell.level_2): cell for cell in data.cells}
    fees, turned = cells["topic = fees", "The metric"], cells["topic = fees", "error"]
    assert fees.mean.value == pytest.approx(values[(frame["topic"] == "fees").to_numpy()].mean())
    assert turned.mean.value == pytest.approx(1 - fees.mean.value)
    assert fees.shade == turned.shade  # worse is orange either way
    assert fees.shade is not None and fees.shade < PALE_WORSE
    assert cells["topic = (other)", "error"].value is None
    assert "<svg" in draw(data, name="all")
    parts = marginal_heatmaps(table, titles={}, most_metrics=1, machine={"error"})
    assert [(part.columns, part.machine) for part in parts] == [(("m",), False), (("error",), True)]
    assert parts[1].color(parts[1].cells[0], GREY_SHADES) in GREY_SHADES


def test_thirty_metrics_are_divided_evenly() -> None:
    frame, values = sliced()
    tables = [find_weaknesses(frame, values, metric=f"m{i}", direction="higher", by=["topic"]) for i in range(30)]
    parts = marginal_heatmaps(combine(tables), titles={})
    assert [len(part.columns) for part in parts] == [10, 10, 10]


def test_names_that_would_be_cut_alike_stay_apart() -> None:
    long = "Logical reasoning (based on numerical reasoning)"
    names = (long, f"{long} with a table", f"{long} without one", "short")
    labels = short_labels(names, most=24)
    assert len(set(labels.values())) == 4
    assert all(len(text) <= 24 for text in labels.values())
    assert labels["short"] == "short"
    same = short_labels(["a" * 30 + "x" * 30, "a" * 30 + "y" + "x" * 29], most=24)
    assert len(set(same.values())) == 2


def test_a_heatmap_is_told_in_words_and_numbers() -> None:
    data = data_of()
    said = heatmap_in_words(data, title="m by topic and length")
    worst = data.worst_first[0]
    assert f"{worst.level_1} × {worst.level_2} {worst.mean.value:.2f} [" in said
    assert "Worst first" in said and "too few independent samples" in said
    assert "q ≤ 0.05" in scale_sentence(data) and "Hatched: fewer than 10" in scale_sentence(data)
    entries = heatmap_legend(data)
    assert any(entry.hatched for entry in entries)
    assert any("blank" in entry.text for entry in entries)
    assert {entry.framed for entry in entries if entry.framed} == {
        cell.verdict for cell in data.cells if cell.verdict in FRAMES and cell.shade is not None
    }
    machine = replace(data, machine=True)
    assert "machine says" in " ".join(heatmap(machine, dark=False).data[-1].text)
    assert "[" not in heatmap(machine, dark=False).data[-1].text[0]


def test_a_fuller_pair_is_offered_where_most_cells_say_nothing() -> None:
    frame, values = sliced()
    frame = frame.assign(many=pd.Categorical([f"v{i % 40}" for i in range(240)]))
    table = find_weaknesses(frame, values, metric="m", direction="higher", pairs=True)
    coverages = pair_coverages(table)
    assert (coverages[0].first, coverages[0].second, coverages[0].compared) == ("topic", "length", 12)
    fuller = fuller_pair(coverages, "many", "length")
    assert fuller is not None and fuller.is_of("length", "topic")
    assert fuller_pair(coverages, "topic", "length") is None
    assert fuller_pair((), "topic", "length") is None


def test_dimensions_of_which_one_follows_from_the_other_come_after_a_pair_that_crosses() -> None:
    """12 cells of a topic and its area are compared, and each repeats its topic; of topic and hour, 2 cells are."""
    frame = pd.DataFrame({"topic": [f"t{i % 12:02d}" for i in range(240)]})
    frame["area"] = frame["topic"].map(lambda topic: "even" if int(topic[1:]) % 2 == 0 else "odd")
    frame["hour"] = [("noon" if i % 12 < 2 and i >= 120 else f"h{i % 17}") for i in range(240)]
    values = pd.Series(np.random.default_rng(2).normal(size=240))
    table = find_weaknesses(frame, values, metric="m", direction="higher", pairs=True)
    by_pair = {frozenset((pair.first, pair.second)): pair for pair in pair_coverages(table)}
    nested, crossed = by_pair[frozenset(("topic", "area"))], by_pair[frozenset(("topic", "hour"))]
    assert (nested.compared, nested.repeated, nested.cells) == (12, 12, 24)
    assert (crossed.compared, crossed.repeated) == (2, 0)
    assert pair_coverages(table)[-1] == nested
    alone = find_weaknesses(frame[["topic", "area"]], values, metric="m", direction="higher", pairs=True)
    assert [pair.repeated for pair in pair_coverages(alone)] == [12]


def test_verdicts_of_a_machine_have_marks_for_lower_and_higher_where_colours_are_grey() -> None:
    data = data_of()
    machine = replace(data, machine=True)
    for cell in data.cells:
        plain, marked = data.text(cell), machine.text(cell)
        lower, higher = (cell.shade is not None and cell.shade < 3), (cell.shade is not None and cell.shade > 4)
        assert marked == (f"▼ {plain}" if lower else f"▲ {plain}" if higher else plain)
    assert any(machine.text(cell).startswith("▼") for cell in machine.cells)
    texts = [entry.text for entry in heatmap_legend(machine)]
    assert texts[0].startswith("▼ shown to be lower") and texts[2].startswith("▲ shown to be higher")
    assert "▼ is lower, ▲ higher" in scale_sentence(machine)
    error = heatmap_legend(replace(machine, higher_is_better=False))
    assert error[0].text.startswith("▲ shown to be higher")
    assert not any("▼" in entry.text for entry in heatmap_legend(data))
