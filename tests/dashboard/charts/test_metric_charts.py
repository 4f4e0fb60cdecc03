"""Charts of correlation and retrieval, tested on their data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hcat.core.metrics.funnel import RecallCurve
from hcat.core.statistics.rank_correlation import rank_correlations
from hcat.core.types import Estimate
from hcat.dashboard.capabilities.metrics.correlation_chart import correlation_heatmap, metric_scatter
from hcat.dashboard.capabilities.retrieval.chart import recall_chart

NAN = float("nan")
COLUMNS = {
    "a": np.array([1.0, 2.0, 3.0, 4.0]),
    "b": np.array([2.0, 1.0, 4.0, 3.0]),
    "c": np.array([5.0, 5.0, 5.0, NAN]),
}


@pytest.mark.parametrize("dark", [False, True])
def test_the_heatmap_holds_each_pair_once_with_its_n(dark: bool) -> None:
    titles = {"a": "<b>A</b>", "b": "B", "c": "C"}
    figure = correlation_heatmap(rank_correlations(COLUMNS), ["a", "b", "c"], titles, dark=dark)
    colours, targets = figure.data
    # Σd² = 4 over 4 ranks: ρ = 1 − 24/60 = 0.6; c never varies beside the others, so it has no colour.
    assert [[None, None, None], [pytest.approx(0.6), None, None], [None, None, None]] == [
        list(row) for row in colours.z
    ]
    assert [list(pair) for pair in targets.customdata] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert "ρ = 0.60" in targets.text[0]
    assert "n = 4" in targets.text[0]
    assert "undefined" in targets.text[1]
    assert "<b>A</b>" not in json.dumps(figure.to_dict()["layout"]["xaxis"]["ticktext"])
    assert "NaN" not in figure.to_json()


def test_the_scatter_holds_the_samples_that_both_scored() -> None:
    figure = metric_scatter(COLUMNS["a"], COLUMNS["c"], ["s1", "s2", "s3", "s4"], x_title="A", y_title="C", dark=False)
    [points] = figure.data
    assert [list(row) for row in points.customdata] == [["s1"], ["s2"], ["s3"]]
    assert list(points.x) == [1.0, 2.0, 3.0]


def test_recall_by_rank_with_the_ceiling() -> None:
    first, second = RecallCurve(np.array([0.5, 0.75, 1.0]), 4), RecallCurve(np.array([0.25, 0.5]), 4)
    figure = recall_chart(first=first, second=second, ceiling=Estimate(0.9, 0.8, 1.0, 4), cutoffs=(2, 16), dark=True)
    names = [trace.name for trace in figure.data]
    assert names[:2] == ["stage 1, candidates, n = 4", "stage 2, contexts, n = 4"]
    assert list(figure.data[0].x) == [1, 2, 3]
    assert (list(figure.data[2].x), list(figure.data[2].y)) == ([2], [0.5])
    assert figure.layout.annotations[0].text == "ceiling 0.900"


def test_without_stage_1_there_is_no_ceiling() -> None:
    figure = recall_chart(first=None, second=RecallCurve(np.array([0.25]), 4), ceiling=None, cutoffs=(8,), dark=False)
    assert len(figure.data) == 2
    assert not figure.layout.annotations


def test_many_metrics_are_numbered_across() -> None:
    names = [f"m{i}" for i in range(25)]
    columns = {name: np.arange(5.0) * (i + 1) for i, name in enumerate(names)}
    figure = correlation_heatmap(rank_correlations(columns), names, {name: name for name in names}, dark=False)
    assert list(figure.layout.xaxis.ticktext[:2]) == ["1", "2"]
    assert list(figure.layout.yaxis.ticktext[:2]) == ["m0  1", "m1  2"]
