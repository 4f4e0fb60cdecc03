"""Heatmaps as Vega-Lite layers: shaded, hatched and framed cells, and their legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.display.palette import GREY_SHADES, HATCH, INK, PAPER, SHADES
from hcat.core.figures.frames import FRAMES
from hcat.core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from hcat.core.figures.heatmap_legend import LegendEntry
from hcat.core.figures.level_labels import short_labels
from hcat.core.wording.figures import heatmap_legend

if TYPE_CHECKING:
    import altair as alt

Row = dict[str, str | float | int | None]

WIDTH, ROW_HEIGHT, LEGEND_HEIGHT, SWATCH_WIDTH = 520, 38, 17, 22
MOST_CHARACTERS = 38
_STROKES = ((0.0, 0.5, 0.5, 0.0), (0.0, 1.0, 1.0, 0.0), (0.5, 1.0, 1.0, 0.5))
"""The diagonals of a hatched cell, as parts of its width and height: x and x2, y and y2."""

_INSET = 0.02
"""Distance of a frame from the edge of its cell, as a part of the width."""


def heatmap_drawing(data: WeaknessHeatmap, *, axis_ink: str) -> alt.VConcatChart:
    """Mean and n in each cell, its colour by the evidence, and below what the colours mean. `axis_ink` is the colour
    of text outside cells; inside it is that of light pages, as the cells are."""
    import altair as alt

    row_names = short_labels(data.rows, most=MOST_CHARACTERS)
    column_names = short_labels(data.columns, most=MOST_CHARACTERS)
    rows = [_cell_row(data, cell, row_names[cell.level_1], column_names[cell.level_2]) for cell in data.cells]
    width = max(56, min(96, WIDTH // max(1, len(data.columns))))
    across = alt.Axis(title=f"{data.dimension_2} ", labelAngle=-30, labelLimit=0, ticks=False, domain=False, grid=False)
    # The title is above the labels of the rows, whose width only the drawing library knows.
    down = alt.Axis(
        title=f"{data.dimension_1} ",
        titleAngle=0,
        titleAlign="right",
        titleX=-6,
        titleY=-9,
        labelLimit=0,
        ticks=False,
        domain=False,
        grid=False,
    )
    grid = _Grid(
        across,
        _levels([column_names[level] for level in data.columns]),
        down,
        _levels([row_names[level] for level in data.rows]),
    )
    x, y = grid.x(), grid.y()
    base = alt.Chart({"values": list(rows)})
    cells = alt.layer(
        *_marks(base, grid),
        *(
            base.transform_filter(f"datum.bold === {bold}")
            .mark_text(dy=-6, fontSize=13, fontWeight="bold" if bold else "normal", color=INK)
            .encode(x=x, y=y, text="mean:N")
            for bold in (0, 1)
        ),
        base.mark_text(dy=9, fontSize=10.5, color=INK).encode(x=x, y=y, text="n:N"),
    ).properties(width=width * len(data.columns), height=ROW_HEIGHT * len(data.rows))
    drawing: alt.VConcatChart = alt.vconcat(cells, _legend(data, axis_ink), spacing=14)
    return drawing


@dataclass(frozen=True, slots=True)
class _Grid:
    """The two axes of the cells, with their scales; no axis where none is drawn."""

    across: alt.Axis | None
    columns: alt.Scale
    down: alt.Axis | None
    rows: alt.Scale

    def x(self, part: float = 0.5) -> alt.X:
        """The place of a column, at a part of its width."""
        import altair as alt

        return alt.X("column:N", axis=self.across, scale=self.columns, bandPosition=part)

    def y(self, part: float = 0.5) -> alt.Y:
        """The place of a row, at a part of its height."""
        import altair as alt

        return alt.Y("row:N", axis=self.down, scale=self.rows, bandPosition=part)


def _marks(base: alt.Chart, grid: _Grid) -> list[alt.Chart]:
    """The cells of the rows: `fill` (none where hatched), `width` and `dash` of the frame (0 for none)."""
    import altair as alt

    x, y, fill = grid.x(), grid.y(), alt.Fill("fill:N", scale=None)
    hatched = base.transform_filter("datum.hatched === 1")
    marks = [
        base.transform_filter("datum.hatched === 0 && datum.fill !== null").mark_rect().encode(x=x, y=y, fill=fill),
        hatched.mark_rect(fill=PAPER, stroke=HATCH).encode(x=x, y=y),
    ]
    for x_start, x_end, y_start, y_end in _STROKES:
        marks.append(
            hatched.mark_rule(stroke=HATCH, strokeWidth=1.2).encode(
                x=grid.x(x_start),
                x2=alt.X2("column:N", bandPosition=x_end),
                y=grid.y(y_start),
                y2=alt.Y2("row:N", bandPosition=y_end),
            )
        )
    for direction, shape in enumerate(("triangle-down", "triangle-up")):
        shown = base.transform_filter(f"datum.direction === {direction}")
        marks.append(
            shown.mark_point(shape=shape, filled=True, fill=INK, size=26, opacity=1).encode(
                x=grid.x(0.9), y=grid.y(0.25)
            )
        )
    for verdict, frame in FRAMES.items():
        framed = base.transform_filter(f"datum.frame === {list(FRAMES).index(verdict)}")
        marks.append(
            framed.mark_rect(
                fillOpacity=0, stroke=INK, strokeWidth=frame.width, strokeDash=list(frame.dash) or [1, 0]
            ).encode(
                x=grid.x(_INSET),
                x2=alt.X2("column:N", bandPosition=1 - _INSET),
                y=grid.y(2 * _INSET),
                y2=alt.Y2("row:N", bandPosition=1 - 2 * _INSET),
            )
        )
    return marks


def _cell_row(data: WeaknessHeatmap, cell: HeatmapCell, row: str, column: str) -> Row:
    shown = cell.q is not None and cell.q <= data.q
    framed = cell.shade is not None and cell.verdict in FRAMES
    return {
        "row": row,
        "column": column,
        "mean": data.text(cell),
        "bold": int(shown),
        "n": f"n={cell.mean.n}",
        "fill": data.color(cell, _colors(data)),
        "hatched": int(cell.shade is None),
        "frame": list(FRAMES).index(cell.verdict) if framed else -1,
        "direction": _direction(cell.shade),
    }


def _direction(shade: int | None) -> int:
    """0 where a shade says worse, 1 where better, as print without colour has to say, too; −1 where it says neither."""
    steps = (len(SHADES) - 2) // 2
    return -1 if shade is None or steps <= shade < len(SHADES) - steps else int(shade >= steps)


def _legend(data: WeaknessHeatmap, ink: str) -> alt.LayerChart | alt.FacetChart:
    """The entries one below the other: swatches on the left, their text on the right."""
    import altair as alt

    entries = heatmap_legend(data)
    swatches = max(len(entry.shades) for entry in entries)
    rows: list[Row] = []
    for number, entry in enumerate(entries):
        rows += _swatches(entry, str(number), _colors(data))
    lines = [str(number) for number in range(len(entries))]
    grid = _Grid(
        None,
        alt.Scale(domain=[str(place) for place in range(swatches)], paddingInner=0.1),
        None,
        alt.Scale(domain=lines, paddingInner=0.25, paddingOuter=0),
    )
    texts = alt.Chart({"values": [{"row": str(number), "text": entry.text} for number, entry in enumerate(entries)]})
    width = swatches * SWATCH_WIDTH
    return alt.layer(
        *_marks(alt.Chart({"values": list(rows)}), grid),
        texts.mark_text(align="left", fontSize=11, color=ink).encode(x=alt.value(width + 6), y=grid.y(), text="text:N"),
    ).properties(width=width, height=LEGEND_HEIGHT * len(entries))


def _swatches(entry: LegendEntry, row: str, colors: Sequence[str]) -> list[Row]:
    plain: Row = {"row": row, "column": "0", "fill": None, "hatched": 0, "frame": -1, "direction": -1}
    rows: list[Row] = [
        {**plain, "column": str(i), "fill": colors[shade], "direction": _direction(shade)}
        for i, shade in enumerate(entry.shades)
    ]
    if entry.hatched:
        rows.append({**plain, "hatched": 1})
    if entry.framed is not None:
        rows.append({**plain, "fill": PAPER, "frame": list(FRAMES).index(entry.framed)})
    return rows


def _colors(data: WeaknessHeatmap) -> tuple[str, ...]:
    return GREY_SHADES if data.machine else SHADES


def _levels(levels: list[str]) -> alt.Scale:
    import altair as alt

    return alt.Scale(domain=levels, paddingInner=0.04, paddingOuter=0.02)
