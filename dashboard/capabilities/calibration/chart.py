"""The calibration curve with its conformal regions (HCAT Figure 4), and the reliability diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from hcat.core.calibration.conformal.threshold import SetName
from hcat.core.display.numbers import format_count
from hcat.core.display.palette import BAD, GOOD, MUTED, REGIONS, WORST_TO_BEST, blend
from hcat.core.figures.curve import SET_NAMES, CalibrationCurve, CurveRegion
from hcat.core.figures.reliability import ReliabilityDiagram
from hcat.core.statistics.partition import SPLITS, Split
from hcat.dashboard.charts.style import LINE, Key, axis_lines, common_layout, finish, label, tone

SPLIT_SYMBOLS: dict[Split, str] = {"fit": "circle", "conformal": "diamond", "check": "square-open"}
SPLIT_MARKS: dict[Split, str] = {"fit": "●", "conformal": "◆", "check": "□"}
MOST_POINTS = 200
"""Of more labels, one in so many is drawn, evenly along the score: thousands take a browser seconds."""

UNDECIDED = ("both", "empty")
"""Prediction sets that do not name one label."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPoints:
    """Labelled samples on the curve: x (n,) is the score (or log-odds), `passed` (n,) the label, `splits` (n,) the
    index in `SPLITS` of the third of each. `splits` is None if all labels have the same use."""

    sample_ids: Sequence[str]
    x: NDArray[np.float64]
    passed: NDArray[np.bool_]
    splits: NDArray[np.intp] | None

    def rows(self, split: Split) -> NDArray[np.intp]:
        """Those that serve this third; all in the first, where labels are not divided."""
        if self.splits is None:
            return np.arange(len(self.x) if split == SPLITS[0] else 0)
        return np.flatnonzero(self.splits == SPLITS.index(split))


def calibration_curve(data: CalibrationCurve, *, points: LabelledPoints, title: str, dark: bool) -> go.Figure:
    """The fitted probability of a pass over the score, the labels at 0 and 1, and the prediction sets as bands.

    The legend is in `curve_keys`.
    """
    x, probability = np.asarray(data.curve, dtype=np.float64).reshape(-1, 2).T
    drawn = [_stretch(x, probability, region) for region in data.regions]
    generator = np.random.default_rng(7)
    drawn += [_labels(points, split, generator) for split in SPLITS]
    layout = {
        **common_layout(dark=dark, height=350, legend=False),
        "shapes": [_band(region) for region in data.regions],
        "xaxis": axis_lines(dark=dark, title=label(title, most=70)),
        "yaxis": {
            **axis_lines(dark=dark, title="probability of a pass"),
            "range": [-0.09, 1.09],
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
        },
        # Margins that depend on their content are found by drawing the chart twice.
        "margin": {"l": 64, "r": 12, "t": 12, "b": 52, "autoexpand": False},
    }
    # It is drawn after every label: looking through all of it takes longer than the calibration, and is for the tests.
    return go.Figure({"data": drawn, "layout": layout}, _validate=False)


def curve_keys(points: LabelledPoints, regions: Sequence[CurveRegion]) -> list[Key]:
    """The legend of the calibration curve."""
    sets = dict.fromkeys(region.set_name for region in regions)
    keys = [Key(LINE, REGIONS[name], _set_title(name)) for name in sets]
    thinning = f", one in {_step(points)} drawn" if _step(points) > 1 else ""
    for split in SPLITS if points.splits is not None else SPLITS[:1]:
        n = len(points.rows(split))
        which = "labels" if points.splits is None else f"labels: {split}"
        keys.append(Key(SPLIT_MARKS[split], MUTED, f"{which} (n={format_count(n)}{thinning if n else ''})"))
    return keys


def _set_title(name: SetName) -> str:
    """ "set {pass}", "set {fail, pass}: undecided"."""
    return f"set {SET_NAMES[name]}: undecided" if name in UNDECIDED else f"set {SET_NAMES[name]}"


def _band(region: CurveRegion) -> dict[str, object]:
    """The stretch of the score axis on which the set is the same, as a band from the bottom to the top."""
    return {
        "type": "rect",
        "yref": "y domain",
        "x0": region.low,
        "x1": region.high,
        "y0": 0,
        "y1": 1,
        "fillcolor": REGIONS[region.set_name],
        "opacity": 0.13,
        "line": {"width": 0},
    }


def _stretch(x: NDArray[np.float64], probability: NDArray[np.float64], region: CurveRegion) -> dict[str, object]:
    """The curve where it runs through the region."""
    inside = (x >= region.low) & (x <= region.high)
    return {
        "type": "scatter",
        "x": x[inside],
        "y": probability[inside],
        "mode": "lines",
        "name": _set_title(region.set_name),
        "line": {"color": REGIONS[region.set_name], "width": 4, "simplify": False},
        "hoverinfo": "skip",
    }


def _labels(points: LabelledPoints, split: Split, generator: np.random.Generator) -> dict[str, object]:
    """The labels of one split."""
    rows, step = points.rows(split), _step(points)
    chosen = rows[np.lexsort((points.x[rows], points.passed[rows]))][::step] if step > 1 else rows
    ids, passed = [points.sample_ids[row] for row in chosen.tolist()], points.passed[chosen]
    jitter = generator.uniform(0.0, 0.05, len(chosen))
    said = [f"{label(name, most=50)}: {'pass' if good else 'fail'}" for name, good in zip(ids, passed, strict=True)]
    return {
        "type": "scatter",
        "x": points.x[chosen],
        "y": np.where(passed, 1.01 + jitter, -0.01 - jitter),
        "mode": "markers",
        "name": split,
        "marker": {
            "symbol": SPLIT_SYMBOLS[split],
            "size": 8,
            "color": passed.astype(np.float64),
            "colorscale": [[0.0, BAD], [1.0, GOOD]],
            "cmin": 0.0,
            "cmax": 1.0,
            "opacity": 0.8,
        },
        "text": np.array(said, dtype=np.object_),
        "hovertemplate": "%{text}<br>score %{x:.3f}<extra></extra>",
    }


def _step(points: LabelledPoints) -> int:
    """One in so many labels is drawn."""
    return -(-len(points.x) // MOST_POINTS)


def level_probabilities_chart(
    x: NDArray[np.float64], probabilities: NDArray[np.float64], *, names: Sequence[str], title: str, dark: bool
) -> go.Figure:
    """The probability of each level, stacked to 1, over x (m,); `probabilities` (m, levels) from worst to best."""
    shades = np.linspace(0.0, 1.0, max(len(names), 2))
    figure = go.Figure()
    for position, name in enumerate(names):
        figure.add_trace(
            go.Scatter(
                x=x,
                y=probabilities[:, position],
                mode="lines",
                stackgroup="levels",
                name=label(name, most=40),
                line={"width": 0.5, "color": blend(WORST_TO_BEST, float(shades[position]))},
                hovertemplate="%{fullData.name}: %{y:.2f}<extra></extra>",
            )
        )
    figure.update_yaxes(title="probability of each level, stacked", range=[0, 1])
    figure.update_xaxes(title=label(title, most=70))
    finish(figure, dark=dark, height=420)
    return figure.update_layout(hovermode="x unified", legend={"orientation": "h", "yanchor": "top", "y": -0.2, "x": 0})


def level_ranges_chart(
    x: NDArray[np.float64], sets: NDArray[np.bool_], *, names: Sequence[str], title: str, dark: bool
) -> go.Figure:
    """Over which stretches of x (m,) each level is in the prediction set (m, levels): one row a level, best on top."""
    shades = np.linspace(0.0, 1.0, max(len(names), 2))
    figure = go.Figure()
    for position, name in enumerate(names):
        ends = [end for low, high in _stretches(sets[:, position]) for end in (float(x[low]), float(x[high]), None)]
        figure.add_trace(
            go.Scatter(
                x=ends,
                y=[None if end is None else position for end in ends],
                mode="lines+markers",
                line={"width": 13, "color": blend(WORST_TO_BEST, float(shades[position]))},
                marker={"size": 5, "symbol": "square"},
                name=label(name, most=40),
                hovertemplate=f"{label(name, most=40)} is in the set: %{{x:.3f}}<extra></extra>",
            )
        )
    ticks = [label(name, most=24) for name in names]
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=ticks, range=[-0.6, len(names) - 0.4])
    figure.update_xaxes(title=label(title, most=70), range=[float(x.min()), float(x.max())])
    return finish(figure, dark=dark, height=90 + 34 * len(names), legend=False)


def _stretches(inside: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last place of each run of true."""
    steps = np.diff(np.concatenate([[0], inside.astype(np.intp), [0]]))
    first, after = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return list(zip(first.tolist(), (after - 1).tolist(), strict=True))


def reliability_chart(data: ReliabilityDiagram, dark: bool) -> go.Figure:
    """Observed share of passes over predicted probability. On the diagonal the probabilities are calibrated."""
    observed = [point.observed for point in data.points]
    figure = go.Figure(
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", line={"color": MUTED, "dash": "dash"}, name="perfect", hoverinfo="skip"
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[point.probability for point in data.points],
            y=[mean.value for mean in observed],
            mode="markers",
            name="observed share, 95% interval",
            customdata=[[mean.n, mean.low, mean.high] for mean in observed],
            cliponaxis=False,
            marker={"size": [8 + 2 * float(np.sqrt(mean.n)) for mean in observed], "color": tone(dark).accent},
            error_y={
                "array": [mean.high - mean.value for mean in observed],
                "arrayminus": [mean.value - mean.low for mean in observed],
                "symmetric": False,
            },
            hovertemplate="predicted %{x:.2f}<br>observed %{y:.2f} [%{customdata[1]:.2f}, %{customdata[2]:.2f}]"
            "<br>n = %{customdata[0]}<extra></extra>",
        )
    )
    figure.update_xaxes(title="predicted probability of a pass", range=[-0.03, 1.03])
    figure.update_yaxes(title="observed share of passes", range=[-0.05, 1.1])
    return finish(figure, dark=dark, height=350)
