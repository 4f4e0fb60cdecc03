"""What people see of the scores of a run: means, what was withheld, and why samples are unscored."""

from __future__ import annotations

import math

import pytest

from hcat.core.capabilities.metrics.view import scores_view, unscored_view
from hcat.core.scoring.score_table import MetricSummary
from hcat.core.types import Estimate
from hcat.core.view.view import View
from tests.views import snapshots

NAN = math.nan
SCORES = (
    ("Groundedness", MetricSummary(Estimate(0.71, 0.65, 0.77, 83), {"no answer": 4})),
    ("Answer F1", MetricSummary(Estimate(0.64, 0.58, 0.7, 83), {"no answer": 4})),
    ("Faithfulness", MetricSummary(Estimate(0.9, NAN, NAN, 60), {"refusal": 7}, True, {"no contexts": 20})),
)


def test_means_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    def both() -> View:
        views = scores_view(SCORES, "Scores", more="Shown are 3."), unscored_view(SCORES, "Why samples are unscored")
        return View(tuple(block for view in views for block in view.blocks))

    snapshots.check("scores-of-a-run", both, capsys)


def test_nothing_is_said_where_all_are_scored() -> None:
    scored = [("Groundedness", MetricSummary(Estimate(0.71, 0.65, 0.77, 83), {}))]
    assert unscored_view(scored, "Why samples are unscored").blocks == ()
