import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hcat.core.display.palette import BAD, GREY_SHADES, HATCH, SHADES, VERDICT_COLORS
from hcat.core.figures.curve import CalibrationCurve, CurveRegion
from hcat.core.figures.forest import ForestPlot, ForestRow
from hcat.core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from hcat.core.figures.reliability import ReliabilityDiagram, ReliabilityPoint
from hcat.core.types import Estimate
from hcat.core.view.renderers.svg import _drawing, _finish, draw
from hcat.core.view.renderers.svg_heatmap import _direction
from hcat.core.view.tree import FigureData

NAN = float("nan")
HOSTILE = '"><script>alert(1)</script><image href="http://evil.example/a.png"/>'
RELIABILITY = ReliabilityDiagram(
    (ReliabilityPoint(0.2, Estimate(0.25, 0.1, 0.5, 12)), ReliabilityPoint(0.8, Estimate(0.75, NAN, NAN, 1)))
)
CURVE = CalibrationCurve(
    "groundedness",
    ((0.0, 0.1), (0.5, 0.5), (1.0, 0.9)),
    ((0.2, False), (0.9, True)),
    (CurveRegion("fail", 0.0, 0.4), CurveRegion("both", 0.4, 0.6), CurveRegion("pass", 0.6, 1.0)),
)
HEATMAP = WeaknessHeatmap(
    "groundedness",
    "topic",
    HOSTILE,
    ("cards", HOSTILE),
    ("yes/no", "multi-hop"),
    (
        HeatmapCell("cards", "yes/no", Estimate(0.4, 0.3, 0.5, 31), -0.3, "weak", 0.001, 0),
        HeatmapCell(HOSTILE, "yes/no", Estimate(0.7, 0.6, 0.8, 29), 0.1, "not shown to be weak", 0.4, 4),
        HeatmapCell(HOSTILE, "multi-hop", Estimate(0.9, 0.1, 1.7, 4), None, "insufficient evidence"),
    ),
    overall=0.7,
)
FOREST = ForestPlot(
    "groundedness",
    (
        ForestRow("topic", HOSTILE, Estimate(0.4, 0.3, 0.5, 31), "weak"),
        ForestRow("topic", "cards", Estimate(0.7, 0.6, 0.8, 29), "not shown to be weak"),
        ForestRow("topic", "empty", Estimate(NAN, NAN, NAN, 0), "insufficient evidence"),
    ),
    overall=0.6,
)
ALL = {"reliability": RELIABILITY, "curve": CURVE, "heatmap": HEATMAP, "forest": FOREST}


def one_cell(cell: HeatmapCell, *, title: str) -> WeaknessHeatmap:
    return WeaknessHeatmap(title, title, title, (cell.level_1,), (cell.level_2,), (cell,), NAN)


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter("text")]


@pytest.mark.parametrize("name", ALL)
def test_figures_are_well_formed_and_load_nothing(name: str) -> None:
    svg = draw(ALL[name], name=name)
    root = ET.fromstring(svg)
    assert root.tag == "svg"
    assert {element.tag for element in root.iter()} <= {
        "svg",
        "g",
        "path",
        "text",
        "line",
        "rect",
        "defs",
        "clipPath",
        "linearGradient",
        "stop",
        "tspan",
    }
    links = [value for element in root.iter() for key, value in element.attrib.items() if key.endswith("href")]
    assert all(link.startswith("#") for link in links)
    assert "http" not in re.sub(r"http://evil\.example", "", svg)


@settings(max_examples=4, deadline=None)  # each draws two figures, which takes a second
@given(st.text(st.characters(), max_size=12))
@example("\x00")
@example("if")
@example("\ud800")
@example("\r\n\u2028")
@example('" + toString(datum) + "')
@example("\ufffe]]>&amp;")
def test_any_label_can_be_drawn(level: str) -> None:
    # A character that XML forbids would otherwise abort the whole process.
    mean = Estimate(0.5, 0.4, 0.6, 20)
    rows = (ForestRow(level, level, mean, "not shown to be weak"), ForestRow(level, level + "b", mean, "weak"))
    forest = ForestPlot(level, rows)
    heatmap = one_cell(HeatmapCell(level, level, mean, 0.1, "not shown to be weak"), title=level)
    assert [ET.fromstring(draw(data, name="x")).tag for data in (forest, heatmap)] == ["svg", "svg"]


@pytest.mark.parametrize("name", ALL)
def test_figures_are_valid_by_the_librarys_schema(name: str) -> None:
    """`draw` leaves this check out, for its time."""
    assert _finish(_drawing(ALL[name])).to_dict(validate=True)["$schema"]


@pytest.mark.parametrize("name", ALL)
def test_figures_are_the_same_twice(name: str) -> None:
    assert draw(ALL[name], name="a") == draw(ALL[name], name="a")


@pytest.mark.parametrize("name", ALL)
def test_ids_are_the_figures_own(name: str) -> None:
    svg = draw(ALL[name], name="figure-7")
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert all(i.startswith("figure-7-") for i in ids)
    assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(ids)


@pytest.mark.parametrize("name", ALL)
def test_ink_takes_the_colour_of_the_page(name: str) -> None:
    svg = draw(ALL[name], name=name)
    assert "currentColor" in svg
    assert 'fill="white"' not in svg


def test_heatmap_cells_show_mean_and_n_and_thin_cells_only_n() -> None:
    svg = draw(HEATMAP, name="h")
    shown = texts(svg)
    assert {"0.40", "n=31", "0.70", "n=29", "n=4"} <= set(shown)
    assert "0.90" not in shown
    # An edge and three lines in the cell, and as many in the legend.
    assert svg.count(f'stroke="{HATCH}"') == 8
    assert {"fewer than 10 independent samples: not compared", "blank: no sample", "weak"} <= set(shown)


def test_heatmap_cells_have_the_shade_of_their_evidence() -> None:
    fills = [fill for fill in re.findall(r'fill="(#\w{6})"', draw(HEATMAP, name="h")) if fill in SHADES]
    assert fills[:2] == [SHADES[0], SHADES[4]]
    greys = draw(replace(HEATMAP, machine=True), name="h")
    assert GREY_SHADES[0] in greys and SHADES[0] not in greys


def test_forest_shows_levels_with_their_n_and_leaves_out_levels_without_a_mean() -> None:
    svg = draw(FOREST, name="f")
    shown = texts(svg)
    assert {"0.40  n=31", "0.70  n=29", "cards"} <= set(shown)
    assert "empty" not in shown
    assert BAD in svg
    assert VERDICT_COLORS["not shown to be weak"] in svg


def test_curve_names_prediction_sets_and_labels() -> None:
    assert {"{fail}", "{fail, pass}", "{pass}", "pass", "fail"} <= set(texts(draw(CURVE, name="c")))


@pytest.mark.parametrize(
    "data",
    [
        ReliabilityDiagram(()),
        CalibrationCurve("m", ((0.0, 0.5), (0.0, 0.5)), (), ()),
        WeaknessHeatmap("m", "a", "b", (), (), (), NAN),
        ForestPlot("m", ()),
    ],
)
def test_figures_without_data_are_still_drawn(data: FigureData) -> None:
    assert ET.fromstring(draw(data, name="x")).tag == "svg"


def test_a_metric_that_scored_no_sample_can_be_drawn() -> None:
    nothing = Estimate(NAN, NAN, NAN, 0)
    rows = (ForestRow("topic", "cards", nothing, "insufficient evidence"),)
    cells = (HeatmapCell("cards", "yes/no", nothing, NAN, "insufficient evidence"),)
    for data in (ForestPlot("recall@8", rows, overall=NAN), one_cell(cells[0], title="recall@8")):
        svg = draw(data, name="empty")
        ET.fromstring(svg)
        assert "NaN" not in svg


def points(svg: str, color: str) -> list[str]:
    """The outlines of the points filled in this colour, without those of the legend."""
    found = [e for e in ET.fromstring(svg).iter("path") if e.get("fill") == color]
    return [re.sub(r"[\d.,-]+", "", e.get("d", "")) for e in found]


def test_what_colours_say_shapes_say_too() -> None:
    forest = draw(
        replace(FOREST, rows=tuple(replace(FOREST.rows[1], level=v, verdict=v) for v in VERDICTS_SHOWN)), name="forest"
    )
    outlines = {verdict: set(points(forest, VERDICT_COLORS[verdict])) for verdict in VERDICTS_SHOWN}
    assert all(len(shapes) == 1 for shapes in outlines.values()), outlines
    triangle, diamond, circle, cross = (next(iter(shapes)) for shapes in outlines.values())
    assert "A" in circle and len({diamond, circle, cross}) == 3 and triangle not in (circle, cross)


VERDICTS_SHOWN = ("weak", "possibly weak", "not shown to be weak", "insufficient evidence")


@pytest.mark.parametrize(("shade", "direction"), [(0, 0), (2, 0), (3, -1), (4, -1), (5, 1), (7, 1), (None, -1)])
def test_a_strong_shade_has_the_triangle_of_its_direction(shade: int | None, direction: int) -> None:
    assert _direction(shade) == direction
