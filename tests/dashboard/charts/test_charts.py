"""Charts are tested on their data: what is drawn is what the result says, and users' texts stay text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from hcat.core.calibration.checks.reliability import reliability
from hcat.core.calibration.conformal.threshold import probability_regions
from hcat.core.display.palette import BAD, GOOD
from hcat.core.figures.curve import CalibrationCurve, regions_along
from hcat.core.figures.forest import level_forest
from hcat.core.figures.heatmap import HeatmapCell, WeaknessHeatmap, weakness_heatmap
from hcat.core.figures.reliability import reliability_diagram
from hcat.core.slices.table import find_weaknesses
from hcat.core.types import Estimate
from hcat.dashboard.capabilities.calibration.chart import (
    LabelledPoints,
    calibration_curve,
    curve_keys,
    level_probabilities_chart,
    reliability_chart,
)
from hcat.dashboard.capabilities.weaknesses.chart import marginal_violins, points_of_a_level
from hcat.dashboard.charts.distribution import histogram
from hcat.dashboard.charts.frozen import frozen_chart
from hcat.dashboard.charts.heatmap import cell_room, heatmap
from hcat.dashboard.charts.style import DARK, LIGHT, plain
from hcat.dashboard.charts.transport import Flow, transport_heatmap

EVIL = '<img src=x onerror=alert(1)> <a href="http://evil">x</a>'


def traces(figure: go.Figure, kind: type) -> list:
    return [trace for trace in figure.data if isinstance(trace, kind)]


@pytest.fixture
def sliced() -> tuple[pd.DataFrame, pd.Series]:
    """Four cells of 12 samples; the cell cards × hard is planted weak."""
    rng = np.random.default_rng(0)
    topic = ["cards"] * 24 + ["fees"] * 24
    kind = (["easy"] * 12 + ["hard"] * 12) * 2
    mean = np.where((np.array(topic) == "cards") & (np.array(kind) == "hard"), 0.3, 0.8)
    ids = pd.Index([f"q{i}" for i in range(48)])
    frame = pd.DataFrame({"topic": topic, "kind": kind}, index=ids, dtype="category")
    return frame, pd.Series(mean + rng.normal(0, 0.05, 48), index=ids)


def test_heatmap_shows_every_cell_and_frames_the_lower_one(sliced: tuple[pd.DataFrame, pd.Series]) -> None:
    frame, values = sliced
    table = find_weaknesses(frame, values, metric="m", direction="higher", pairs=True)
    cells = table.frame[table.frame["dimension_2"].notna()]
    data = weakness_heatmap(table, "m", rows="topic", columns="kind")
    figure = heatmap(data, dark=False, notes={("cards", "hard"): "people pass 17%"})
    (colours,) = traces(figure, go.Heatmap)
    inside, clicks = traces(figure, go.Scatter)
    drawn = {
        (first, second): colours.z[i][j]
        for i, first in enumerate(["fees", "cards"])
        for j, second in enumerate(["easy", "hard"])
    }
    assert drawn == {(cell.level_1, cell.level_2): cell.shade for cell in data.cells}
    assert drawn["cards", "hard"] == 0
    assert figure.data[-1] is clicks  # the layer on top
    assert sorted(map(tuple, clicks.customdata)) == sorted(zip(cells["level_1"], cells["level_2"], strict=True))
    assert colours.hoverinfo == inside.hoverinfo == "skip"  # a click on them would return nothing
    framed = [shape for shape in figure.layout.shapes if shape.line.dash == "6px,3px"]
    assert [(round(s.x0 + 0.47), round(s.y0 + 0.47)) for s in framed] == [(1, 1)]  # hard × cards
    texts = dict(zip(map(tuple, clicks.customdata), inside.text, strict=True))
    assert texts["cards", "hard"] == f"<b>{values[12:24].mean():.2f}</b><br>n=12"
    assert "people pass 17%" in clicks.text[list(map(tuple, clicks.customdata)).index(("cards", "hard"))]


def test_thin_cells_are_hatched_not_coloured() -> None:
    ids = pd.Index([f"q{i}" for i in range(30)])
    frame = pd.DataFrame({"a": ["x"] * 27 + ["y"] * 3, "b": (["u", "v"] * 15)}, index=ids, dtype="category")
    values = pd.Series(np.linspace(0, 1, 30), index=ids)
    table = find_weaknesses(frame, values, metric="m", direction="higher", pairs=True)
    figure = heatmap(weakness_heatmap(table, "m", rows="a", columns="b"), dark=True)
    (colours,) = traces(figure, go.Heatmap)
    (hatches,) = traces(figure, go.Bar)
    assert list(colours.z[0]) == [None, None]  # y: n = 1 and 2
    assert sorted(zip(hatches.x, hatches.base, strict=True)) == [(0, -0.47), (1, -0.47)]
    assert hatches.marker.pattern.shape == "/"
    assert set(traces(figure, go.Scatter)[0].text) >= {"n=1", "n=2"}


def test_violins_hold_every_sample_and_the_means(sliced: tuple[pd.DataFrame, pd.Series]) -> None:
    frame, values = sliced
    values.iloc[0] = np.nan
    table = find_weaknesses(frame, values, metric="m", direction="higher", by=["topic"])
    forest = level_forest(table, "m", dimension="topic")
    figure = marginal_violins(forest, values, frame["topic"].astype(str), metric="m", dark=False)
    *strips, means = traces(figure, go.Scatter)
    points = {data[1] for strip in strips for data in strip.customdata}
    assert points == set(values.dropna().index)
    assert dict(zip([d[0] for d in means.customdata], means.x, strict=True)) == pytest.approx(
        values.groupby(frame["topic"], observed=True).mean().to_dict()
    )
    assert len(traces(figure, go.Violin)) == 2


def drawn_curve(x: np.ndarray) -> CalibrationCurve:
    """The map p = x with q̂ = 0.8."""
    line = tuple(zip(x.tolist(), x.tolist(), strict=True))
    return CalibrationCurve("score", line, (), regions_along(line, probability_regions(0.8)))


def test_calibration_curve_draws_labels_and_regions() -> None:
    x = np.linspace(0, 1, 101)
    points = LabelledPoints(["a", "b"], np.array([0.2, 0.9]), np.array([False, True]), np.array([0, 1]))
    data = drawn_curve(x)
    figure = calibration_curve(data, points=points, title="score", dark=False)
    curves = [trace for trace in traces(figure, go.Scatter) if trace.mode == "lines"]
    assert [trace.name.split(":")[0] for trace in curves] == ["set {fail}", "set {fail, pass}", "set {pass}"]
    both = np.asarray(curves[1].y, dtype=float)
    assert np.nanmin(both) == pytest.approx(0.2) and np.nanmax(both) == pytest.approx(0.8)
    labels = {
        said: y
        for t in traces(figure, go.Scatter)
        if t.mode == "markers" and t.text is not None
        for said, y in zip(t.text, t.y, strict=True)
    }
    assert labels["a: fail"] < 0 < 1 < labels["b: pass"]
    go.Figure(figure.to_dict())  # the library takes all of it


def test_of_many_labels_the_curve_draws_an_even_part_and_says_so() -> None:
    rng = np.random.default_rng(3)
    scores = rng.beta(2, 5, 3000)
    ids, passed = [str(i) for i in range(3000)], np.arange(3000) % 3 == 0
    points = LabelledPoints(ids, scores, passed, np.zeros(3000, dtype=np.intp))
    x = np.linspace(0, 1, 101)
    data = drawn_curve(x)
    figure = calibration_curve(data, points=points, title="score", dark=False)
    drawn = next(trace for trace in traces(figure, go.Scatter) if trace.name == "fit")
    said = [key.text for key in curve_keys(points, data.regions)]
    assert said[:3] == ["set {fail}", "set {fail, pass}: undecided", "set {pass}"]
    assert said[3:5] == ["labels: fit (n=3,000, one in 15 drawn)", "labels: conformal (n=0)"]
    assert len(drawn.x) == 200
    assert np.mean(np.asarray(drawn.y) > 0.5) == pytest.approx(1 / 3, abs=0.01)
    assert np.quantile(drawn.x, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(scores, [0.1, 0.5, 0.9]), abs=0.02)


def test_reliability_diagram_draws_the_bins() -> None:
    rng = np.random.default_rng(1)
    p = rng.uniform(size=60)
    bins = reliability(p, rng.uniform(size=60) < p)
    figure = reliability_chart(reliability_diagram(bins), dark=False)
    drawn = figure.data[1]
    assert list(drawn.y) == [b.observed.value for b in bins]
    assert [tuple(row) for row in drawn.customdata] == [(b.n, b.observed.low, b.observed.high) for b in bins]
    assert sum(b.n for b in bins) == 60


def test_transport_plan_and_histogram() -> None:
    figure = transport_heatmap(["c one", EVIL], ["a one"], [Flow(1, 0, 0.5, 0.2)], dark=False)
    (plan,) = figure.data
    assert [list(row) for row in plan.z] == [[None], [0.5]]
    assert (plan.zmin, plan.zmax) == (0, 0.5)  # the colour bar has no masses below 0, however alike they are
    assert "<img" not in plan.text[1][0]
    bars = histogram(np.array([0.1, np.nan, 0.3]), metric="m", mean=0.2, dark=False)
    assert list(bars.data[0].x) == [0.1, 0.3]


def test_plain_disarms_markup() -> None:
    assert "<" not in plain(EVIL).replace("<br>", "")


def test_levels_are_stacked_from_worst_to_best() -> None:
    chances = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    figure = level_probabilities_chart(
        np.array([0.0, 1.0]), chances, names=("poor", EVIL, "good"), title="score", dark=False
    )
    drawn = traces(figure, go.Scatter)
    assert [list(trace.y) for trace in drawn] == chances.T.tolist()
    assert {trace.stackgroup for trace in drawn} == {"levels"}
    assert (drawn[0].line.color, drawn[2].line.color) == (BAD.lower(), GOOD.lower())
    assert "<img" not in figure.to_json()


def test_a_frozen_chart_keeps_its_data_in_any_theme() -> None:
    kept = {"data": [{"type": "heatmap", "z": [[0.1, None]], "x": ["a", "b"], "y": ["c"]}], "layout": {}}
    light, dark = (frozen_chart(kept, dark=theme) for theme in (False, True))
    for figure, tones in ((light, LIGHT), (dark, DARK)):
        assert {axis.tickfont.color for axis in (figure.layout.xaxis, figure.layout.yaxis)} == {tones.quiet}
    assert light.data[0].z[0][0] == dark.data[0].z[0][0] == 0.1
    assert list(light.data[0].x) == ["a", "b"]
    assert light.layout.font.color != dark.layout.font.color
    assert dark.data[0].colorbar.tickfont.color == dark.layout.font.color


def test_numbers_of_a_heatmap_take_more_room_the_more_columns_and_digits_there_are() -> None:
    few, many = _wide_heatmap(10, n=40), _wide_heatmap(20, n=40)
    large = _wide_heatmap(20, n=123_456)
    assert "n=123,456" in heatmap(large, dark=False).data[2].text[0]
    rooms = [cell_room(data) for data in (few, many, large)]
    assert sorted(rooms, key=lambda room: room.for_values_and_n(11)) == rooms
    assert rooms[1].for_values(11) == rooms[2].for_values(11) < rooms[2].for_values_and_n(11)
    assert rooms[2].for_values_and_n(9) < rooms[2].for_values_and_n(11)


def _wide_heatmap(columns: int, *, n: int) -> WeaknessHeatmap:
    names = tuple(f"level {number:02d}" for number in range(columns))
    cells = tuple(HeatmapCell(names[0], name, Estimate(0.5, 0.4, 0.6, n), 0.0, "fine", shade=3) for name in names)
    return WeaknessHeatmap("m", "a", "b", names[:1], names, cells, 0.5)


def test_of_many_levels_fewer_points_are_drawn_and_violins_keep_their_shape() -> None:
    rng = np.random.default_rng(3)
    index = pd.Index([f"s{number}" for number in range(22_000)])
    frame = pd.DataFrame({"topic": pd.Categorical([f"t{number % 20}" for number in range(22_000)])}, index=index)
    values = pd.Series(rng.beta(4, 2, 22_000), index=index).sample(frac=1.0, random_state=1)  # in an order of their own
    table = find_weaknesses(frame, values.reindex(index), metric="m", direction="higher", by=["topic"])
    figure = marginal_violins(
        level_forest(table, "m", dimension="topic"), values, frame["topic"], metric="m", dark=False
    )
    *strips, _ = traces(figure, go.Scatter)
    for strip, violin in zip(strips, traces(figure, go.Violin), strict=True):
        own = values[frame["topic"].reindex(values.index) == strip.customdata[0][0]]
        assert len(strip.x) == points_of_a_level(20) == 250
        assert len(violin.x) == 1_000
        assert set(strip.x) <= set(own)
        for drawn in (strip.x, violin.x):
            assert (min(drawn), max(drawn)) == (own.min(), own.max())
            assert np.median(drawn) == pytest.approx(own.median(), abs=0.005)
    assert points_of_a_level(3) == 1_000
    assert points_of_a_level(400) == 100
