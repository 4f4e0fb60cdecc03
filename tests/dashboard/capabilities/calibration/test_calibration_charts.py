"""The data of the charts of the live page."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.estimates.label_evaluation import HistoryPoint
from hcat.core.types import Estimate
from hcat.dashboard.capabilities.calibration.chart import level_ranges_chart
from hcat.dashboard.capabilities.labelling.chart import label_history
from hcat.dashboard.capabilities.samples.contributions_chart import BASELINE, TOTAL, contribution_bars


def estimate(value: float, half: float = 0.1) -> Estimate:
    return Estimate(value, value - half, value + half, 30)


def test_the_bars_run_from_the_baseline_to_the_log_odds() -> None:
    # −0.5 + 1.5 − 0.25 = 0.75
    figure = contribution_bars(-0.5, [("Answer F1", 1.5), ("Length <b>", -0.25)], dark=False)
    bars = figure.data[0]
    assert list(bars.x) == [-0.5, 1.5, -0.25, 0.75]
    assert list(bars.measure) == ["absolute", "relative", "relative", "total"]
    assert list(bars.y) == [BASELINE, "Answer F1", "Length &lt;b&gt;", TOTAL]
    assert bars.text[-1] == "0.75"
    low, high = figure.layout.xaxis.range
    assert low < -0.5 and high > 1.0  # the running sum reaches 1.0


def test_history_leaves_out_what_was_not_known_and_marks_too_few_labels() -> None:
    points = [
        HistoryPoint(10, math.nan, False, None, None, Estimate(0.5, math.nan, math.nan, 1)),
        HistoryPoint(14, 1.0, False, estimate(0.95), estimate(0.7), estimate(0.55)),
        HistoryPoint(20, 0.8, True, estimate(0.9), Estimate(math.nan, math.nan, math.nan, 9), estimate(0.6)),
    ]
    figure = label_history(points, alpha=0.1, at=14, dark=True)
    q_hat, coverage, auc, rate = (figure.data[k] for k in (0, 2, 4, 6))
    assert list(q_hat.x) == [14, 20] and list(q_hat.marker.symbol) == ["circle-open", "circle"]
    assert list(coverage.y) == [0.95, 0.9]
    assert list(auc.x) == [14]
    assert list(rate.x) == [10, 14, 20]
    band = figure.data[5]  # of the pass rate: without the point that has no bounds
    assert list(band.x) == [14, 20, 20, 14] and list(band.y) == pytest.approx([0.45, 0.5, 0.7, 0.65])
    lines = [shape.y0 for shape in figure.layout.shapes if shape.y0 == shape.y1]
    assert lines == [0.9, 0.5]


def test_each_level_is_drawn_where_it_is_in_the_set() -> None:
    x = np.linspace(0, 1, 5)
    sets = np.array([[1, 0], [1, 1], [0, 1], [0, 1], [1, 0]], dtype=bool)
    poor, good = level_ranges_chart(x, sets, names=("poor", "good"), title="score", dark=False).data
    assert list(poor.x) == [0.0, 0.25, None, 1.0, 1.0, None]  # two stretches: the set of this map has a gap
    assert list(good.x) == [0.25, 0.75, None] and list(good.y) == [1, 1, None]
    nothing = level_ranges_chart(x, np.zeros((5, 2), dtype=bool), names=("a", "b"), title="score", dark=False)
    assert list(nothing.data[0].x) == []
