"""What people see of the difference in pass rate between two runs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.capabilities.estimates.views.difference import difference_view, systems_view
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.paired_difference import DifferenceEstimates, estimate_difference
from hcat.core.estimates.systems import SystemDifference, SystemEstimates
from hcat.core.scoring.score_table import MetricSummary
from hcat.core.types import Estimate
from hcat.core.view.tree import Paragraph
from hcat.core.view.values import text_of
from hcat.core.view.view import View
from tests.views import snapshots

CASES = [f"c{k}" for k in range(120)]
NONE = Estimate(0.4, math.nan, math.nan, 120)
PAIRS = {("May", "June"): (0.8, 0.5), ("May", "July"): (0.8, 0.75), ("June", "July"): (0.5, 0.75)}
NAMES = {"first": "May", "second": "June", "criterion": "correctness"}


def difference(rates: tuple[float, float], labelled: int) -> DifferenceEstimates:
    """Of two runs whose answers pass at these rates; a score of 0.8 or 0.2 is right in four of five cases."""
    rng = np.random.default_rng(3)
    hard = rng.random(len(CASES))
    runs = []
    for rate in rates:
        passes = (hard < rate).astype(float)
        scores = np.where(rng.random(len(CASES)) < 0.8, passes, 1 - passes) * 0.6 + 0.2
        passes[labelled:] = np.nan
        runs.append(labelled_run(passes, scores, clusters=CASES))
    return estimate_difference(*runs)


def view(found: DifferenceEstimates) -> View:
    return difference_view(found, **NAMES, metrics=["answer_f1", "groundedness"])


def test_a_shown_difference(capsys: pytest.CaptureFixture[str]) -> None:
    found = difference((0.8, 0.5), 60)
    assert found.ppi.high < 0
    snapshots.check("difference-shown", lambda: view(found), capsys)


def test_three_runs_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = {pair: difference(rates, 60) for pair, rates in PAIRS.items()}
    rates = {
        "May": found["May", "June"].first,
        "June": found["May", "June"].second,
        "July": found["May", "July"].second,
    }
    summary = {"answer_f1": MetricSummary(Estimate(0.62, 0.55, 0.7, 118), {}), "own": MetricSummary(NONE, {})}
    systems = [
        SystemEstimates(name, 120, each, summary if name == "May" else {"answer_f1": summary["answer_f1"]})
        for name, each in rates.items()
    ]
    differences = [SystemDifference(*pair, each, min(3 * each.p, 1)) for pair, each in found.items()]
    snapshots.check("systems", lambda: systems_view(systems, differences, criterion="correctness"), capsys)


@pytest.mark.parametrize(("labelled", "words"), [(60, "contains 0"), (0, "too few labels")])
def test_what_is_not_shown_is_not_said(labelled: int, words: str) -> None:
    first, *_ = view(difference((0.6, 0.6), labelled)).blocks
    assert isinstance(first, Paragraph) and words in text_of(first.text)
