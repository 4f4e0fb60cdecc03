"""Annotators side by side: coefficients in rows, pairs as a heatmap, their levels, drift, and who is strict."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from hcat.core.capabilities.agreement.drift import Drift
from hcat.core.capabilities.agreement.leniency import Leniency
from hcat.core.capabilities.agreement.summary import LevelAgreement, PairAgreement
from hcat.core.display.numbers import format_count, format_estimate, format_number
from hcat.core.display.palette import BAD, GOOD, MUTED, SEQUENTIAL
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.types import Estimate
from hcat.dashboard.charts.style import LIGHT, finish, label, scale, tone

ROW = 34
PALE = SEQUENTIAL[:4]
"""Colours on which dark figures can be read."""
LABELS_ONLY, POWERED = "Labels only", "PPI++ (both)"
MANNERS = {"lenient": GOOD, "strict": BAD, "not shown": MUTED}


def level_rows(parts: Sequence[LevelAgreement], overall: Estimate, coefficient: str, *, dark: bool) -> go.Figure:
    """One row a level: the coefficient with its interval and n, and a line at that of all samples."""
    estimates = [level.agreement.coefficients[coefficient] for level in parts]
    shown = [
        level.agreement.suffices_for(coefficient) and math.isfinite(estimate.value)
        for level, estimate in zip(parts, estimates, strict=True)
    ]
    rows = [position for position, keep in enumerate(shown) if keep]
    figure = go.Figure(_rows(rows, [estimates[row] for row in rows], coefficient, tone(dark).accent))
    if math.isfinite(overall.value):
        figure.add_vline(x=overall.value, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    _name_rows(figure, [level.level for level in parts], [level.agreement.n for level in parts], shown)
    low = min((estimates[row].low for row in rows if math.isfinite(estimates[row].low)), default=0.0)
    figure.update_xaxes(title=label(coefficient), range=[min(-0.05, low - 0.05), 1.05])
    finish(figure, dark=dark, height=110 + ROW * max(len(parts), 2), legend=False)
    return figure.update_layout(margin={"r": 90})


def pair_matrix(
    annotators: Sequence[str], pairs: Sequence[PairAgreement], coefficient: str, *, dark: bool
) -> go.Figure:
    """Each pair as a cell with the coefficient and n; pairs with too few samples in common are blank but for n."""
    names = [label(name, most=20) for name in annotators]
    size = len(annotators)
    values: list[list[float | None]] = [[None] * size for _ in range(size)]
    texts = [[""] * size for _ in range(size)]
    hover = [["no sample in common"] * size for _ in range(size)]
    keys = [[["", ""] for _ in range(size)] for _ in range(size)]
    place = {name: position for position, name in enumerate(annotators)}
    for pair in pairs:
        estimate = pair.agreement.coefficients[coefficient]
        has_value = pair.agreement.suffices_for(coefficient) and math.isfinite(estimate.value)
        for row, column in ((place[pair.first], place[pair.second]), (place[pair.second], place[pair.first])):
            values[row][column] = estimate.value if has_value else None
            texts[row][column] = (
                f"{format_number(estimate.value) if has_value else '–'}<br>n = {format_count(estimate.n)}"
            )
            hover[row][column] = (
                format_estimate(estimate) if has_value else f"{INSUFFICIENT}, n = {format_count(estimate.n)}"
            )
            keys[row][column] = [pair.first, pair.second]
    for position in range(size):
        hover[position][position] = "the same annotator"
    figure = go.Figure(
        go.Heatmap(
            z=values,
            text=texts,
            texttemplate="%{text}",
            textfont={"color": LIGHT.ink},
            customdata=keys,
            hovertext=hover,
            hovertemplate="%{y} and %{x}<br>%{hovertext}<extra></extra>",
            colorscale=scale(PALE),
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=2,
            hoverongaps=False,
            colorbar={"title": {"text": label(coefficient), "side": "right"}, "thickness": 12},
        )
    )
    _blank_cells(figure, values, texts, dark=dark)
    # Positions, not names: two annotators may read alike once they are shortened.
    figure.update_xaxes(tickvals=list(range(size)), ticktext=names, side="top", showgrid=False, zeroline=False)
    figure.update_yaxes(
        tickvals=list(range(size)), ticktext=names, autorange="reversed", showgrid=False, zeroline=False
    )
    finish(figure, dark=dark, height=150 + 62 * size, legend=False)
    return figure.update_layout(clickmode="event+select")


def confusion_table(pair: PairAgreement, levels: Sequence[str], *, dark: bool) -> go.Figure:
    """Confusion matrix of two annotators: rows are the first annotator's levels, columns the second's."""
    names = [label(level, most=18) for level in levels]
    total = sum(map(sum, pair.table))
    figure = go.Figure(
        go.Heatmap(
            z=[[count / total if total else 0 for count in row] for row in pair.table],
            text=[[format_count(count) for count in row] for row in pair.table],
            texttemplate="%{text}",
            textfont={"color": LIGHT.ink},
            colorscale=scale(PALE),
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=2,
            showscale=False,
            hovertemplate="first: %{y}, second: %{x}<br>%{text} samples, %{z:.0%}<extra></extra>",
        )
    )
    ticks = {"tickvals": list(range(len(names))), "ticktext": names, "showgrid": False, "zeroline": False}
    figure.update_xaxes(title=label(pair.second), side="top", **ticks)
    figure.update_yaxes(title=label(pair.first), autorange="reversed", **ticks)
    return finish(figure, dark=dark, height=150 + 56 * len(names), legend=False)


def drift_blocks(drift: Drift, title: str, *, share: bool, dark: bool) -> go.Figure:
    """The mean of each block of labels in order of time, with its interval; a line where the mean changes most."""
    accent = tone(dark).accent
    middle = [(block.first + block.last) / 2 for block in drift.blocks]
    means = [block.mean for block in drift.blocks]
    figure = go.Figure(
        go.Scatter(
            x=middle,
            y=[_known(mean.value) for mean in means],
            mode="markers+lines",
            marker={"color": accent, "size": 9},
            line={"color": accent, "width": 1},
            error_y=_bars(means, accent),
            text=[
                f"labels {block.first} to {block.last}: {format_estimate(block.mean, percent=share)}"
                for block in drift.blocks
            ],
            hovertemplate="%{text}<extra></extra>",
        )
    )
    if drift.is_shown:
        figure.add_vline(x=drift.change + 0.5, line={"color": BAD, "dash": "dash", "width": 2})
        figure.add_annotation(
            x=drift.change + 0.5, y=1, yref="paper", text=f"after label {drift.change}", showarrow=False, yshift=14
        )
    if not share:
        figure.add_hline(y=0, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    figure.update_xaxes(title="the annotator's labels, oldest first", range=[0, drift.n + 1])
    figure.update_yaxes(title=label(title), tickformat=".0%" if share else "+.0%")
    if share:
        figure.update_yaxes(range=[-0.03, 1.03])
    return finish(figure, dark=dark, height=300, legend=False)


def leniency_rows(leniencies: Sequence[Leniency], *, dark: bool) -> go.Figure:
    """One row an annotator: the difference in pass rate to the others on the same samples, around a line at none."""
    shown = [leniency.manner != INSUFFICIENT for leniency in leniencies]
    figure = go.Figure()
    for manner, color in MANNERS.items():
        rows = [row for row, leniency in enumerate(leniencies) if leniency.manner == manner]
        figure.add_trace(_rows(rows, [leniencies[row].difference for row in rows], manner, color, percent=True))
    figure.add_vline(x=0, line={"color": tone(dark).ink, "dash": "dot", "width": 1})
    _name_rows(
        figure,
        [leniency.annotator for leniency in leniencies],
        [leniency.difference.n for leniency in leniencies],
        shown,
    )
    figure.update_xaxes(title="pass rate less that of the others on the same samples", tickformat="+.0%")
    finish(figure, dark=dark, height=120 + ROW * max(len(leniencies), 2))
    return figure.update_layout(margin={"r": 90})


def policy_rows(
    names: Sequence[str], labels_only: Sequence[Estimate], powered: Sequence[Estimate], target: float, *, dark: bool
) -> go.Figure:
    """The run's pass rate by the labels of each: PPI++ with its interval, labels only behind it, and the target."""
    figure = go.Figure()
    every = range(len(names))
    figure.add_trace(_rows([row + 0.2 for row in every], labels_only, LABELS_ONLY, MUTED, percent=True))
    figure.add_trace(_rows(list(every), powered, POWERED, tone(dark).accent, percent=True))
    figure.add_vline(x=target, line={"color": BAD, "dash": "dash", "width": 2})
    _name_rows(figure, names, [estimate.n for estimate in labels_only], [True] * len(names))
    figure.update_xaxes(title="pass rate of the whole run", tickformat=".0%", range=[-0.02, 1.02])
    finish(figure, dark=dark, height=120 + 44 * max(len(names), 2))
    return figure.update_layout(margin={"r": 90})


def _blank_cells(
    figure: go.Figure, values: Sequence[Sequence[float | None]], texts: Sequence[Sequence[str]], *, dark: bool
) -> None:
    """A heatmap writes nothing into cells without a value; their n still counts."""
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            if value is None and texts[row][column]:
                figure.add_annotation(
                    x=column,
                    y=row,
                    text=texts[row][column],
                    showarrow=False,
                    font={"color": tone(dark).ink, "size": 12},
                )


def _rows(
    y: Sequence[float], estimates: Sequence[Estimate], name: str, color: str, *, percent: bool = False
) -> go.Scatter:
    return go.Scatter(
        x=[_known(one.value) for one in estimates],
        y=list(y),
        mode="markers",
        name=name,
        marker={"color": color, "size": 11},
        error_x=_bars(estimates, color),
        text=[f"{name}: {format_estimate(one, percent=percent)}" for one in estimates],
        hovertemplate="%{text}<extra></extra>",
    )


def _bars(estimates: Sequence[Estimate], color: str) -> dict[str, object]:
    return {
        "array": [_known(estimate.high - estimate.value) for estimate in estimates],
        "arrayminus": [_known(estimate.value - estimate.low) for estimate in estimates],
        "symmetric": False,
        "thickness": 2.5,
        "width": 5,
        "color": color,
    }


def _name_rows(figure: go.Figure, names: Sequence[str], counts: Sequence[int], shown: Sequence[bool]) -> None:
    for row, (n, enough) in enumerate(zip(counts, shown, strict=True)):
        where = {"x": 1.0, "xref": "paper", "xanchor": "left", "xshift": 8}
        figure.add_annotation(y=row, text=f"n = {format_count(n)}", showarrow=False, font={"size": 12}, **where)
        if not enough:
            figure.add_annotation(
                x=0, xref="paper", y=row, text=INSUFFICIENT, xanchor="left", xshift=8, showarrow=False
            )
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[label(name, most=40) for name in names],
        range=[len(names) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
