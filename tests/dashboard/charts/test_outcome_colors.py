"""Pass is blue and fail is orange in every chart that draws them, on screen and in the report."""

from __future__ import annotations

import re

import numpy as np

from hcat.core.calibration.conformal.threshold import probability_regions
from hcat.core.display.palette import BAD, GOOD, OUTCOMES, REGIONS, blend, level_colors
from hcat.core.figures.curve import CalibrationCurve, regions_along
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.settings import ROOT
from hcat.core.view.renderers import svg
from hcat.dashboard.capabilities.calibration.chart import (
    LabelledPoints,
    calibration_curve,
    curve_keys,
    level_probabilities_chart,
)
from hcat.dashboard.capabilities.retrieval.query import LOST, MARKED
from hcat.dashboard.capabilities.samples.contributions_chart import contribution_bars
from hcat.dashboard.charts.maps import MapTopics, category_chart

ONE_PLACE = ("core/display/palette.py", "dashboard/charts/style.py")
"""Colours are written here; what else draws takes them from here, but for the greys of the report's style."""

LINE = tuple((x, x) for x in np.linspace(0, 1, 11).tolist())
CURVE = CalibrationCurve("score", LINE, ((0.2, False), (0.9, True)), regions_along(LINE, probability_regions(0.8)))
POINTS = LabelledPoints(["a", "b"], np.array([0.2, 0.9]), np.array([False, True]), np.array([0, 0]))


def test_there_is_one_colour_for_each_outcome() -> None:
    assert OUTCOMES == {"pass": GOOD, "fail": BAD}
    assert (REGIONS["pass"], REGIONS["fail"]) == (GOOD, BAD)
    assert level_colors(("fail", "pass")) == {"fail": BAD.lower(), "pass": GOOD.lower()}
    assert level_colors(("wrong", "partly", "right"))["right"] == blend((GOOD, GOOD), 1)


def test_the_calibration_curve_draws_labels_and_sets_in_them() -> None:
    figure = calibration_curve(CURVE, points=POINTS, title="score", dark=False)
    sets = {trace.name: trace.line.color for trace in figure.data if trace.mode == "lines"}
    assert (sets["set {pass}"], sets["set {fail}"]) == (GOOD, BAD)
    [labels] = [trace for trace in figure.data if trace.name == "fit"]
    drawn = dict(zip(labels.text, labels.marker.color, strict=True))
    assert {text.split(": ")[1]: dict(labels.marker.colorscale)[place] for text, place in drawn.items()} == OUTCOMES
    keys = {key.text: key.color for key in curve_keys(POINTS, CURVE.regions)}
    assert (keys["set {pass}"], keys["set {fail}"]) == (GOOD, BAD)


def test_levels_bars_maps_and_rankings_draw_in_them() -> None:
    probabilities = np.array([[0.7, 0.3], [0.2, 0.8]])
    levels = level_probabilities_chart(
        np.array([0.1, 0.9]), probabilities, names=("fail", "pass"), title="score", dark=False
    )
    colors = {trace.name: (trace.fillcolor or trace.line.color).lower() for trace in levels.data}
    assert colors == {"fail": BAD.lower(), "pass": GOOD.lower()}
    bars = contribution_bars(0.0, [("up", 1.0), ("down", -1.0)], dark=False).data[0]
    assert (bars.increasing.marker.color, bars.decreasing.marker.color) == (GOOD, BAD)
    assert points_of_the_map() == {"fail": BAD.lower(), "pass": GOOD.lower()}
    assert GOOD in MARKED and BAD in LOST


def points_of_the_map() -> dict[str, str]:
    names, numbers = ["fail", "pass"], np.array([1, 0])
    topics = MapTopics(np.array([-1, -1]), [])
    chart = category_chart(
        PlacedPoints.place(np.eye(2)),
        numbers,
        names,
        title="label",
        topics=topics,
        noun="sample",
        absent="(no label)",
        colors=level_colors(names),
    )
    return {name: swatch.color for name, swatch in zip(names, chart.swatches, strict=True)}


def test_the_report_draws_in_them() -> None:
    specification = svg.calibration_curve(CURVE).to_json().lower()
    domains = re.findall(r'"domain": \[([^\]]*?)\],\s*"range": \[([^\]]*?)\]', specification)
    scales = [dict(zip(*(re.findall(r'"([^"]+)"', side) for side in pair), strict=True)) for pair in domains]
    assert {"pass": GOOD.lower(), "fail": BAD.lower()} in scales
    assert any(scale.get("{pass}") == GOOD.lower() and scale.get("{fail}") == BAD.lower() for scale in scales)


def test_no_other_file_writes_these_colours() -> None:
    colors = re.compile("|".join((GOOD, BAD, r"31,\s*111,\s*168", r"184,\s*92,\s*14")), re.IGNORECASE)
    files = [path for folder in ("core", "dashboard", "pages") for path in (ROOT / folder).rglob("*.py")]
    writing = [path.relative_to(ROOT).as_posix() for path in files if colors.search(path.read_text("utf-8"))]
    assert [path for path in writing if path not in ONE_PLACE] == []
