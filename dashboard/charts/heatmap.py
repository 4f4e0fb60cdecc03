"""Heatmaps of slices: colour by evidence, hatched where samples are too few. Source: HCAT 6.2, Figure 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from hcat.core.display.numbers import format_count, format_difference, format_estimate, format_number, p_value_text
from hcat.core.figures.frames import FRAMES
from hcat.core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from hcat.core.figures.level_labels import lines_of, short_labels
from hcat.dashboard.charts.style import Tone, finish, label, tone

Place = tuple[int, int, HeatmapCell]
"""A cell by row and column number, from the bottom left."""

Notes = Mapping[tuple[str, str], str]
"""Further text on a cell when the mouse is over it, by its levels."""

HALF = 0.47
"""Half the side of a cell whose neighbours are at distance 1, so that there is a gap between them."""
MOST_ROW, MOST_COLUMN, COLUMN_LINE = 40, 42, 14
MOST_LEVEL_LABELS, ROOM_FOR_SLANTED = 6, 110
"""More columns have slanted labels, of which the last reaches beyond the cells."""
MOST_TALL_ROWS = 16
TEXT_SIZE = 11
"""Pixels: of the numbers in cells where there is room."""
DIGIT, COMMA, OTHER = 0.52, 0.26, 1.0
"""Widths of characters as shares of their size."""
LETTER, FRAME = 6.4, 5
"""Pixels: a letter of a level's label, and what a frame takes of a cell."""


@dataclass(frozen=True, slots=True)
class CellRoom:
    """Space for the longest texts of the cells, as shares of their size, in so many columns; and the space next to the
    cells, in pixels."""

    value: float
    n: float
    columns: int
    beside: float

    def for_values_and_n(self, size: int) -> float:
        """The least width of a chart, in pixels, in which texts of this size do not touch."""
        return self._width(max(self.value, self.n) * size)

    def for_values(self, size: int) -> float:
        """The same without n."""
        return self._width(self.value * size)

    def _width(self, text: float) -> float:
        return self.beside + self.columns * (text + FRAME) / (2 * HALF)


def heatmap(data: WeaknessHeatmap, *, dark: bool, notes: Notes | None = None) -> go.Figure:
    """The mean of every pair of levels, with n in the cell.

    What answers to clicks is a layer of transparent markers on top, which carry (level_1, level_2) as customdata.
    """
    rows, columns = data.rows[::-1], data.columns
    places = [(rows.index(cell.level_1), columns.index(cell.level_2), cell) for cell in data.cells]
    tones = tone(dark)
    figure = go.Figure(
        [
            _colours(data, places, tones),
            _hatches(places, tones),
            _texts(data, places, tones),
            _targets(data, places, tones, notes or {}),
        ]
    )
    _frame(figure, places, tones)
    tall = _axes(figure, data)
    row_height = 44 if len(rows) <= MOST_TALL_ROWS else 34
    figure.update_layout(hovermode="closest", hoverdistance=-1, clickmode="event+select", barmode="overlay")
    finish(figure, dark=dark, height=max(200, 54 + tall + row_height * len(rows)), legend=False)
    return figure.update_layout(margin_r=_right_margin(data))


def cell_room(data: WeaknessHeatmap) -> CellRoom:
    """The room that the numbers of the heatmap take."""
    labels = short_labels(data.rows, most=MOST_ROW).values()
    return CellRoom(
        value=max((_text_width(data.text(cell)) for cell in data.cells), default=0.0),
        n=max((_text_width(_n_text(cell)) for cell in data.cells), default=0.0),
        columns=len(data.columns),
        beside=LETTER * max(map(len, labels), default=0) + _right_margin(data) + 12,
    )


def _text_width(text: str) -> float:
    return sum(COMMA if mark in ",." else DIGIT if mark in "0123456789n=+−" else OTHER for mark in text)


def _right_margin(data: WeaknessHeatmap) -> int:
    return ROOM_FOR_SLANTED if len(data.columns) > MOST_LEVEL_LABELS else 12


def cell_text(data: WeaknessHeatmap, cell: HeatmapCell) -> str:
    """The mean with its interval, the difference with q, and the verdict, a line each."""
    if data.machine:
        said = f"machine says {format_number(cell.mean.value)}, n = {format_count(cell.mean.n)}"
    else:
        said = f"{'mean' if data.against is None else 'difference'} {format_estimate(cell.mean)}"
    lines = [said, f"verdict: {cell.verdict}"]
    if cell.difference is not None and cell.q is not None:
        against = f"{format_difference(cell.difference, decimals=3)} from the rest, " if data.against is None else ""
        lines.insert(1, against + p_value_text("q", cell.q))
    return "<br>".join(lines)


def _colours(data: WeaknessHeatmap, places: Sequence[Place], tones: Tone) -> go.Heatmap:
    shades = {(i, j): cell.shade for i, j, cell in places}
    colors = tones.grey_shades if data.machine else tones.shades
    last = len(colors)
    steps = [[end / last, color] for place, color in enumerate(colors) for end in (place, place + 1)]
    return go.Heatmap(
        z=[[shades.get((i, j)) for j in range(len(data.columns))] for i in range(len(data.rows))],
        x=list(range(len(data.columns))),
        y=list(range(len(data.rows))),
        hoverinfo="skip",
        xgap=3,
        ygap=3,
        colorscale=steps,
        zmin=-0.5,
        zmax=last - 0.5,
        showscale=False,
    )


def _hatches(places: Sequence[Place], tones: Tone) -> go.Bar:
    thin = [(i, j) for i, j, cell in places if cell.shade is None]
    return go.Bar(
        x=[j for _, j in thin],
        y=[2 * HALF] * len(thin),
        base=[i - HALF for i, _ in thin],
        width=2 * HALF,
        hoverinfo="skip",
        showlegend=False,
        marker={
            "color": "rgba(0,0,0,0)",
            "line": {"width": 1, "color": tones.hatch},
            "pattern": {"shape": "/", "fgcolor": tones.hatch, "fillmode": "replace", "size": 7, "solidity": 0.15},
        },
    )


def _texts(data: WeaknessHeatmap, places: Sequence[Place], tones: Tone) -> go.Scatter:
    return go.Scatter(
        x=[j for _, j, _ in places],
        y=[i for i, _, _ in places],
        mode="text",
        text=[_inside(data, cell) for _, _, cell in places],
        textfont={"size": TEXT_SIZE, "color": tones.ink},
        unselected={"textfont": {"color": tones.ink}},  # else a click on one cell pales the numbers of all
        hoverinfo="skip",
        showlegend=False,
    )


def _inside(data: WeaknessHeatmap, cell: HeatmapCell) -> str:
    n, number = _n_text(cell), data.text(cell)
    if not number:
        return n
    shown = cell.q is not None and cell.q <= data.q
    return f"<b>{number}</b><br>{n}" if shown else f"{number}<br>{n}"


def _n_text(cell: HeatmapCell) -> str:
    return f"n={format_count(cell.mean.n)}"


def _targets(data: WeaknessHeatmap, places: Sequence[Place], tones: Tone, notes: Notes) -> go.Scatter:
    return go.Scatter(
        x=[j for _, j, _ in places],
        y=[i for i, _, _ in places],
        mode="markers",
        showlegend=False,
        marker={"symbol": "square", "size": 40, "color": tones.ink, "opacity": 0.0},
        customdata=[[cell.level_1, cell.level_2] for _, _, cell in places],
        text=[_hover(data, cell, notes) for _, _, cell in places],
        hovertemplate="%{text}<br>click to see the samples<extra></extra>",
        selected={"marker": {"opacity": 0.25}},
        unselected={"marker": {"opacity": 0.0}},
    )


def _hover(data: WeaknessHeatmap, cell: HeatmapCell, notes: Notes) -> str:
    note = notes.get((cell.level_1, cell.level_2), "")
    title = f"<b>{label(cell.level_1, most=60)} × {label(cell.level_2, most=60)}</b>"
    return "<br>".join(filter(None, [title, cell_text(data, cell), note]))


def _frame(figure: go.Figure, places: Sequence[Place], tones: Tone) -> None:
    shapes = []
    for i, j, cell in places:
        if cell.shade is None or cell.verdict not in FRAMES:
            continue
        frame = FRAMES[cell.verdict]
        dash = ",".join(f"{length}px" for length in frame.dash) or "solid"
        line = {"color": tones.ink, "width": frame.width, "dash": dash}
        shapes.append({"type": "rect", "x0": j - HALF, "x1": j + HALF, "y0": i - HALF, "y1": i + HALF, "line": line})
    figure.update_layout(shapes=shapes)  # at once: each that is added by itself has all others looked at again


def _axes(figure: go.Figure, data: WeaknessHeatmap) -> int:
    """Levels as tick labels; gives the height that those of the columns take."""
    rows, columns = data.rows[::-1], data.columns
    row_labels = short_labels(rows, most=MOST_ROW)
    column_labels = short_labels(columns, most=MOST_COLUMN)
    level = len(columns) <= MOST_LEVEL_LABELS
    across = [lines_of(column_labels[name], width=COLUMN_LINE * (1 if level else 2)) for name in columns]
    figure.update_xaxes(
        tickmode="array",
        tickvals=list(range(len(columns))),
        ticktext=["<br>".join(label(line, most=99) for line in lines) for lines in across],
        side="top",
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(columns) - 0.5],
        tickangle=0 if level else -35,
    )
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[label(row_labels[name], most=99) for name in rows],
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(rows) - 0.5],
    )
    deepest = max((len(lines) for lines in across), default=1)
    return 16 * deepest if level else 60 + 12 * deepest
