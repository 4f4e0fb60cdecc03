"""Charts of estimates, plans and trials, tested on their data."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from hcat.core.capabilities.trials.variance_components import Component
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.learning import ForecastPoint, LearningPoint
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.probabilistic import CaseScore
from hcat.core.estimates.slices import estimate_slices
from hcat.core.types import Estimate
from hcat.dashboard.capabilities.estimates.chart import difference_rows, forest, what_labels_bought
from hcat.dashboard.capabilities.estimates.planning_chart import rate_over_labels, width_over_labels
from hcat.dashboard.capabilities.trials.chart import case_probabilities, variance_shares

NAN = math.nan
NOTHING = Estimate(NAN, NAN, NAN, 0)


def test_a_run_without_labels_draws_without_nan() -> None:
    found = estimate_pass_rate(labelled_run([NAN] * 5, [0.2, 0.8, 0.9, NAN, 0.1]))
    spec = what_labels_bought(found, dark=True).to_json()
    assert "NaN" not in spec
    assert json.loads(spec)["data"][2]["x"] == [None]


def test_intervals_reach_from_bound_to_bound() -> None:
    found = estimate_pass_rate(labelled_run([1, 0, 1, 1, 0, 1], np.full(6, 0.9)))
    trace = what_labels_bought(found, dark=False).data[1]
    assert trace.x[0] + trace.error_x.array[0] == pytest.approx(found.labels_only.high)
    assert trace.x[0] - trace.error_x.arrayminus[0] == pytest.approx(found.labels_only.low)


def test_a_slice_of_few_labels_has_words_and_no_mark() -> None:
    passed = [1.0] * 4 + [NAN] * 6 + [1.0, 0.0] * 10
    run = labelled_run(passed, np.full(30, 0.5))
    parts = estimate_slices(run, ["<b>few</b>"] * 10 + ["many"] * 20)
    figure = forest(parts, estimate_pass_rate(run).ppi, dark=False)
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;few&lt;/b&gt;", "many"]
    assert [list(trace.x) for trace in figure.data] == [[0.5], [0.5]]
    texts = [note.text for note in figure.layout.annotations]
    assert texts.count("insufficient evidence") == 1
    assert "n = 4" in texts
    assert "n = 20, worth 20" in texts


def test_a_difference_stands_around_zero() -> None:
    cases = [str(i) for i in range(8)]
    runs = [labelled_run(y, np.full(8, 0.9), clusters=cases) for y in ([1, 0] * 4, [1, 1] * 4)]
    figure = difference_rows(estimate_difference(*runs), first="old", second="<i>new</i>", dark=False)
    assert figure.data[1].x[0] == pytest.approx(0.5)
    assert figure.layout.shapes[0].x0 == 0
    assert "&lt;i&gt;new&lt;/i&gt; less old" in figure.layout.xaxis.title.text


def test_planning_charts_leave_out_what_has_no_interval() -> None:
    one = estimate_pass_rate(labelled_run([1.0, NAN, NAN], [0.5, 0.5, 0.5]))
    many = estimate_pass_rate(labelled_run([1.0, 0.0] * 20 + [NAN] * 20, np.full(60, 0.5)))
    points = [LearningPoint(1, one), LearningPoint(40, many)]
    rate = rate_over_labels(points, threshold=0.9, dark=False)
    assert list(rate.data[1].x) == [40]
    assert rate.layout.shapes[0].y0 == 0.9
    ahead = [ForecastPoint(40, 0.3, 0.2, 0.4), ForecastPoint(60, 0.25, 0.1, 0.35)]
    width = width_over_labels(points, ahead, target=0.1, dark=True)
    assert list(width.data[2].x) == [40, 60, 60, 40]  # there along the upper end, back along the lower
    assert list(width.data[2].y) == [0.4, 0.35, 0.1, 0.2]
    assert list(width.data[3].y) == [0.3, 0.25]
    assert len(width_over_labels(points, [], target=None, dark=True).data) == 2


def test_test_cases_come_the_least_good_first_and_know_their_expectation() -> None:
    cases = [CaseScore("a", 4, 0.75, 1.0, 0.75), CaseScore("b", 4, 0.25, NAN, NAN)]
    figure = case_probabilities(cases, ["What is <i>a</i>?", "What is b?"], dark=False)
    assert list(figure.data[0].y) == [0.25, 0.75]
    assert [row[0] for row in figure.data[0].customdata] == ["b", "a"]
    assert (list(figure.data[1].x), list(figure.data[1].y)) == ([1], [1.0])
    assert "<i>" not in figure.to_json()


def test_sources_that_cannot_be_told_have_no_bar() -> None:
    parts = [
        Component("test case", 5, 0.1, Estimate(0.4, 0.2, 0.6, 5)),
        Component("trial", 9, NAN, NOTHING, "one judgement each"),
        Component("rest", 9, 0.15, Estimate(0.6, 0.4, 0.8, 5)),
    ]
    [bar] = variance_shares(parts, dark=False).data
    assert list(bar.y) == ["test case", "rest"]
    assert list(bar.error_x.array) == pytest.approx([0.2, 0.2])
