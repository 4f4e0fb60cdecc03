"""What a chart says in words has the chart's values."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from hcat.core.metrics.funnel import RecallCurve
from hcat.dashboard.capabilities.retrieval.chart import recall_chart
from hcat.dashboard.capabilities.samples.contributions_chart import contribution_bars
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.distribution import histogram
from hcat.dashboard.charts.transport import Flow, transport_heatmap


def test_short_series_are_said_value_by_value() -> None:
    curve = RecallCurve(np.array([0.25, 0.5, math.nan]), 7)
    figure = recall_chart(first=None, second=curve, ceiling=None, cutoffs=(2,), dark=False)
    said = described(figure, "Mean recall by rank")
    assert said == "Mean recall by rank. stage 2, contexts, n = 7: 1: 0.250; 2: 0.500. 2: 0.500."


def test_long_series_are_said_by_their_spread() -> None:
    # 0, 0.01 … 1: the median is the middle one.
    bars = histogram(np.linspace(0, 1, 101), metric="m", mean=0.5, dark=False)
    assert described(bars, "Scores") == "Scores. samples: 101 values, from 0.000 to 1.000, median 0.500."
    lying = go.Figure(go.Bar(x=np.linspace(0, 1, 101), y=[f"case {k}" for k in range(101)], name="cases"))
    assert described(lying, "Cases") == "Cases. cases: 101 values, from 0.000 to 1.000, median 0.500."
    points = go.Figure(go.Scatter(x=np.zeros(30), y=np.zeros(30), mode="markers", name="fees"))
    assert described(points, "Map") == "Map. fees: 30 points."


def test_cells_are_named_by_row_and_column() -> None:
    plan = transport_heatmap(["one", "two"], ["x"], [Flow(1, 0, 0.5, 0.2)], dark=False)
    assert described(plan, "Plan") == "Plan. c2, a1: 0.500."
    assert described(go.Figure(go.Heatmap(z=np.ones((20, 20)))), "Many") == (
        "Many. 400 values, from 1.000 to 1.000, median 1.000."
    )


def test_bars_that_lie_are_named_by_their_rows() -> None:
    said = described(contribution_bars(-0.5, [("Answer F1", 1.5)], dark=False), "Why")
    assert "Answer F1: 1.500" in said and "−0.500" in said and "<" not in said


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert described(go.Figure(go.Scatter(x=[1, 2], y=[math.nan, None])), "Nothing") == "Nothing."
    assert described(go.Figure(), "Nothing") == "Nothing."


def test_estimates_are_said_with_interval_and_n() -> None:
    figure = go.Figure(go.Bar(x=[0.4], y=["test case"], orientation="h", text=["40.0% [30.0%, 50.0%], n = 20"]))
    assert described(figure, "Shares") == "Shares. test case: 40.0% [30.0%, 50.0%], n = 20."
