"""Figures as SVG: a pure function of their data. No browser, no network and no installed font is needed.

Ink takes the colour of the text around it (`currentColor`), so that a figure reads on light and on dark pages.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Literal, cast

from hcat.core.display.edition import Language, current_language
from hcat.core.display.messages import say
from hcat.core.display.numbers import format_number
from hcat.core.display.palette import ACCENT, BAD, MUTED, OUTCOMES, REGIONS, VERDICT_COLORS
from hcat.core.figures.curve import SET_NAMES, CalibrationCurve
from hcat.core.figures.forest import ForestPlot
from hcat.core.figures.heatmap import WeaknessHeatmap
from hcat.core.figures.level_labels import short_labels
from hcat.core.figures.reliability import ReliabilityDiagram
from hcat.core.figures.slice_scores import SliceScores
from hcat.core.types import Estimate, JsonValue
from hcat.core.view.renderers.svg_heatmap import MOST_CHARACTERS, heatmap_drawing
from hcat.core.view.tree import FigureData

if TYPE_CHECKING:
    import altair as alt

    Drawing = alt.LayerChart | alt.FacetChart | alt.VConcatChart

INK = "#010203"
"""A colour that no data takes: it is replaced by `currentColor` in the finished SVG."""

PRINT_INK = "#17252B"

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
WIDTH = 520

NUMBERS: Mapping[Language, Literal["en-US", "de-DE"]] = {"en": "en-US", "de": "de-DE"}
"""Locale by which the drawing library writes the numbers of an axis."""

_UNPRINTABLE = re.compile("[^\x20-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Row = dict[str, str | float | int | None]


def draw(data: FigureData, *, name: str) -> str:
    """The figure as one SVG element. `name` goes into its ids, so that several can be on one page."""
    return _embeddable(_svg(data), name=name)


def draw_for_print(data: FigureData, *, font: str, shown: Callable[[str], str]) -> str:
    """The figure as an SVG file in dark ink and in this font; `shown` says how a text reads that it may not have."""
    svg = _renamed(_svg(data, shown), name="part").replace(INK, PRINT_INK)
    return svg.replace(f'"{FONT}"', f'"{font}"')


def _svg(data: FigureData, shown: Callable[[str], str] = str) -> str:
    import vl_convert
    from altair.utils.schemapi import debug_mode

    # Each part of a drawing is otherwise validated by the schema when it is made, which is a third of the time.
    with debug_mode(False):
        specification = json.dumps(_printable(_finish(_drawing(data)).to_dict(validate=False), shown))
    svg: str = vl_convert.vegalite_to_svg(
        specification, vl_version="6.4", allowed_base_urls=[], format_locale=NUMBERS[current_language()]
    )
    return svg


def _drawing(data: FigureData) -> Drawing:
    # Each drawing takes one kind of data; the table below pairs them, which the type checker can't follow.
    function = cast("Callable[[FigureData], Drawing]", DRAWINGS[type(data)])
    return function(data)


def reliability(data: ReliabilityDiagram) -> Drawing:
    """Observed against predicted shares with intervals, and the diagonal."""
    import altair as alt

    rows: list[Row] = [
        {"x": point.probability, "y": point.observed.value, **_bounds(point.observed)} for point in data.points
    ]
    x = alt.X("x:Q", title=say("predicted probability of a pass"), scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("y:Q", title=say("share labelled pass"), scale=alt.Scale(domain=[0, 1]))
    points = _chart(rows)
    diagonal = _chart([{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}])
    return alt.layer(
        diagonal.mark_line(stroke=INK, strokeOpacity=0.5, strokeDash=[4, 4]).encode(x=x, y=y),
        points.mark_rule(stroke=ACCENT, strokeWidth=2).encode(x=x, y=alt.Y("low:Q"), y2="high:Q"),
        points.mark_point(filled=True, fill=ACCENT, stroke=ACCENT, size=70, opacity=1).encode(x=x, y=y),
    ).properties(width=340, height=340)


def calibration_curve(data: CalibrationCurve) -> Drawing:
    """The map over its metric, labels as dots at 0 and 1, prediction sets as bands."""
    import altair as alt

    ends = [score for score, _ in data.curve]
    x = alt.X("x:Q", title=_title(data.metric), scale=alt.Scale(domain=[min(ends), max(ends)], nice=False))
    y = alt.Y("y:Q", title=say("probability of a pass"), scale=alt.Scale(domain=[-0.08, 1.08], nice=False))
    y = y.axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f")
    bands: list[Row] = [{"x": r.low, "x2": r.high, "set": say(SET_NAMES[r.set_name])} for r in data.regions]
    names = [say(SET_NAMES[r.set_name]) for r in data.regions]
    colors = [REGIONS[r.set_name] for r in data.regions]
    dots: list[Row] = [
        {"x": score, "y": (1 + _spread(i)) if passed else (0 - _spread(i)), "label": say("pass" if passed else "fail")}
        for i, (score, passed) in enumerate(data.labels)
    ]
    color = alt.Color("set:N", title=say("prediction set"), scale=alt.Scale(domain=names, range=colors))
    label = alt.Fill(
        "label:N", title=say("label"), scale=alt.Scale(domain=list(map(say, OUTCOMES)), range=list(OUTCOMES.values()))
    )
    drawing: Drawing = (
        alt.layer(
            _chart(bands).mark_rect(opacity=0.2).encode(x=x, x2="x2:Q", color=color),
            _chart([{"x": score, "y": p} for score, p in data.curve])
            .mark_line(stroke=INK, strokeWidth=2.5, clip=True)
            .encode(x=x, y=y),
            _chart(dots).mark_circle(size=34, opacity=0.75, clip=True).encode(x=x, y=y, fill=label),
        )
        .resolve_scale(color="independent", fill="independent")
        .properties(width=WIDTH, height=280)
    )
    return drawing


def heatmap(data: WeaknessHeatmap) -> Drawing:
    """Mean and n in each cell; its colour says whether it is shown to differ, hatched where n is too small."""
    return heatmap_drawing(data, axis_ink=INK)


def forest(data: ForestPlot) -> Drawing:
    """One line a level: mean, interval, n, coloured by verdict, against the mean of all samples."""
    import altair as alt

    several = len({row.dimension for row in data.rows}) > 1
    rows: list[Row] = []
    titles = {row: f"{row.dimension} = {row.level}" if several else row.level for row in data.rows}
    labels = short_labels(titles.values(), most=MOST_CHARACTERS)
    for row in (row for row in data.rows if isfinite(row.mean.value)):
        shown = f"{format_number(row.mean.value)}  n={row.mean.n}"
        rows.append(
            {
                "level": labels[titles[row]],
                "x": row.mean.value,
                "text": shown,
                "verdict": say(row.verdict),
                **_bounds(row.mean),
            }
        )
    verdicts = [verdict for verdict in VERDICT_COLORS if any(row.verdict == verdict for row in data.rows)]
    title = data.metric
    if data.rows and not several:
        title = say("{metric} by {dimension}", metric=title, dimension=data.rows[0].dimension)
    x = alt.X("x:Q", title=_title(title), scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6))
    y = alt.Y("level:N", title=None, sort=None, axis=_level_axis())
    scale = alt.Scale(domain=list(map(say, verdicts)), range=[VERDICT_COLORS[verdict] for verdict in verdicts])
    color = alt.Color("verdict:N", title=None, scale=scale, legend=alt.Legend(orient="top"))
    shapes = [_SHAPES.get(VERDICT_COLORS[verdict], "circle") for verdict in verdicts]
    shape = alt.Shape("verdict:N", title=None, scale=alt.Scale(domain=list(map(say, verdicts)), range=shapes))
    base = _chart(rows)
    layers: list[alt.Chart] = []
    if data.overall is not None:
        line = _chart([{"x": data.overall}])
        layers.append(line.mark_rule(stroke=INK, strokeOpacity=0.6, strokeDash=[4, 4]).encode(x=x))
    layers += [
        base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=color),
        base.mark_point(size=100, opacity=1, filled=True).encode(x=x, y=y, color=color, shape=shape),
        base.mark_text(align="left", fontSize=11, fill=INK).encode(x=alt.value(WIDTH - 110), y=y, text="text:N"),
    ]
    return alt.layer(*layers).properties(width=WIDTH - 120, height=alt.Step(24))


def slice_scores(data: SliceScores) -> Drawing:
    """One dot a sample, coloured by its label; the mean with its interval, and the mean of the rest."""
    import altair as alt

    x = alt.X("x:Q", title=_title(data.metric), scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6))
    y = alt.Y("y:Q", title=None, axis=None, scale=alt.Scale(domain=[0, 1]))
    colors = {**OUTCOMES, "no label": MUTED}
    present = [name for name in colors if any(outcome == name for _, outcome in data.scores)]
    scale = alt.Scale(domain=list(map(say, present)), range=[colors[name] for name in present])
    fill = alt.Fill("outcome:N", title=say("label"), scale=scale, legend=alt.Legend(orient="top"))
    dots: list[Row] = [
        {"x": score, "y": 0.3 + 5 * _spread(place), "outcome": say(outcome)}
        for place, (score, outcome) in enumerate(data.scores)
    ]
    shapes = alt.Scale(domain=list(map(say, present)), range=[_SHAPES.get(colors[name], "circle") for name in present])
    shape = alt.Shape("outcome:N", title=say("label"), scale=shapes)
    layers = [_chart(dots).mark_point(size=60, opacity=0.8, filled=True).encode(x=x, y=y, fill=fill, shape=shape)]
    if data.mean is not None and isfinite(data.mean.value):
        mean = _chart([{"x": data.mean.value, "y": 0.14, **_bounds(data.mean)}])
        layers.append(mean.mark_rule(stroke=INK, strokeWidth=2.5).encode(x=alt.X("low:Q"), x2="high:Q", y=y))
        layers.append(mean.mark_point(shape="diamond", size=110, filled=True, fill=INK, opacity=1).encode(x=x, y=y))
    if data.rest is not None:
        line = _chart([{"x": data.rest}])
        layers.append(line.mark_rule(stroke=INK, strokeOpacity=0.6, strokeDash=[4, 4]).encode(x=x))
    return alt.layer(*layers).properties(width=WIDTH, height=130)


_SHAPES = {
    BAD: "triangle-down",
    VERDICT_COLORS["higher"]: "square",
    VERDICT_COLORS["possibly weak"]: "diamond",
    MUTED: "cross",
}
"""Shapes of points by what their colour says, so that print without colour says it too; others are circles."""

DRAWINGS: dict[type[FigureData], object] = {
    ReliabilityDiagram: reliability,
    CalibrationCurve: calibration_curve,
    WeaknessHeatmap: heatmap,
    ForestPlot: forest,
    SliceScores: slice_scores,
}


def _chart(rows: Sequence[Row]) -> alt.Chart:
    import altair as alt

    return alt.Chart({"values": list(rows)})


def _level_axis(*, angle: int = 0) -> alt.Axis:
    import altair as alt

    return alt.Axis(labelAngle=angle, labelLimit=0, ticks=False, domain=False, grid=False)


def _title(text: str) -> str:
    """The title of an axis: Vega takes one that is exactly "if" for an expression, so a space is put behind it."""
    return f"{text} "


def _bounds(estimate: Estimate) -> dict[str, float]:
    """The interval for a rule; the value itself where there is none, which draws nothing."""
    finite = isfinite(estimate.low) and isfinite(estimate.high)
    return {"low": estimate.low, "high": estimate.high} if finite else {"low": estimate.value, "high": estimate.value}


def _spread(position: int) -> float:
    """Offsets that keep labels at the same score apart: low-discrepancy, so that a figure never changes."""
    return 0.06 * ((position * 0.618033988749895) % 1)


def _finish(chart: Drawing) -> Drawing:
    finished: Drawing = (
        # Without `aria`, as the library would build expressions out of uploaded names; the page names the figure.
        chart.configure(background="transparent", font=FONT, padding=6, aria=False)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK,
            titleColor=INK,
            domainColor=INK,
            tickColor=INK,
            gridColor=INK,
            gridOpacity=0.12,
            domainOpacity=0.5,
            tickOpacity=0.5,
            labelFontSize=11.5,
            titleFontSize=12,
            titleFontWeight="normal",
            titlePadding=8,
            labelFlush=False,
        )
        .configure_legend(
            labelColor=INK, titleColor=INK, labelFontSize=11.5, titleFontSize=11.5, titleFontWeight="normal"
        )
    )
    return finished


def _printable(value: JsonValue, shown: Callable[[str], str]) -> JsonValue:
    """The value with a space for line breaks and for what XML forbids: in a label these abort the drawing library.

    A number that is none, such as the mean of a slice that no sample scored, is null: nothing is drawn for it.
    """
    if isinstance(value, str):
        return shown(_UNPRINTABLE.sub(" ", value))
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [_printable(item, shown) for item in value]
    if isinstance(value, dict):
        return {key: _printable(item, shown) for key, item in value.items()}
    return value


def _embeddable(svg: str, *, name: str) -> str:
    """The SVG for a place inside HTML: ids of its own, no namespace addresses, ink in the page's colour."""
    svg = re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", svg)
    return _renamed(svg, name=name).replace(INK, "currentColor")


def _renamed(svg: str, *, name: str) -> str:
    """The library counts its ids on from figure to figure; here they start again, so a figure is always the same."""
    ids = {old: f"{name}-{number}" for number, old in enumerate(re.findall(r'\bid="([^"]+)"', svg), start=1)}
    svg = re.sub(r'\bid="([^"]+)"', lambda match: f'id="{ids[match[1]]}"', svg)
    return re.sub(r"url\(#([^)]+)\)", lambda match: f"url(#{ids.get(match[1], match[1])})", svg)
