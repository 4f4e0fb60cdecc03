"""What people see of pass rates by labels and machine, and of machine verdicts against labels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from hcat.core.capabilities.estimates.views.pass_rate import (
    explanation_of_rates,
    level_rates_view,
    ordered_levels,
    pass_rate_view,
    verdict_errors_view,
)
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.run_estimates import LabelDraw, PreparedRun
from hcat.core.estimates.slices import SliceEstimate, estimate_slices
from hcat.core.estimates.verdict_errors import verdict_errors
from hcat.core.labelling.ties import TieBounds
from hcat.core.types import Estimate
from hcat.core.view.view import View
from tests.views import snapshots

N = 160
ON = {"run": "May", "criterion": "correctness"}
BY = {"metrics": ["answer_f1", "groundedness"], "method": "logistic"}


def run(labelled: int) -> LabelledRun:
    """Every third answer fails; the score is right in nine of ten cases."""
    rng = np.random.default_rng(7)
    passed = (np.arange(N) % 3 > 0).astype(float)
    scores = np.where(rng.random(N) < 0.9, passed, 1 - passed) * 0.8 + 0.1
    passed[labelled:] = np.nan
    return labelled_run(passed, scores)


def levels(names: Mapping[str, int], *, labelled: int = 60) -> tuple[SliceEstimate, ...]:
    """The rates at levels of so many samples each, dealt out in turn."""
    dealt = [name for name, weight in names.items() for _ in range(weight)]
    return estimate_slices(run(labelled), [dealt[i % len(dealt)] for i in range(N)])


def test_a_rate_of_many_labels(capsys: pytest.CaptureFixture[str]) -> None:
    found = estimate_pass_rate(run(60))
    drawn = PreparedRun(run(60), {"not in the scores": 3}).drawn
    assert drawn == LabelDraw(without_scores=3)

    def view() -> View:
        rate = pass_rate_view(found, **ON, **BY, drawn=drawn)
        return View((*rate.blocks, *explanation_of_rates().blocks))

    snapshots.check("pass-rate", view, capsys)


def test_a_rate_with_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    few = estimate_pass_rate(run(20), note="No metric was used: too few.")
    tied = TieBounds(4, Estimate(0.55, 0.3, 0.7, 24), Estimate(0.7123, 0.5, 0.9, 24))
    drawn = LabelDraw(by_stratum=True, by_design=True)
    snapshots.check(
        "pass-rate-warnings", lambda: pass_rate_view(few, **ON, **BY, drawn=drawn, tied=tied, by_rule=5), capsys
    )


def test_rates_by_level(capsys: pytest.CaptureFixture[str]) -> None:
    found = levels({"fees": 6, "limits": 8, "rates": 1})
    assert [each.enough for each in ordered_levels(found)] == [True, True, False]
    snapshots.check("pass-rate-levels", lambda: level_rates_view(found, dimension="topic", **ON), capsys)


def test_ranges_are_in_rising_order_whatever_their_rates() -> None:
    found = levels({"24–31 words": 3, "(none)": 2, "7–23 words": 1})
    assert [each.level for each in ordered_levels(found)] == ["7–23 words", "24–31 words", "(none)"]


def test_machine_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = np.where(run(N).prediction > 0.5, 1.0, 0.0)
    found = verdict_errors(run(60), verdicts, metric="faithfulness", criterion="correctness")
    snapshots.check("verdict-errors", lambda: verdict_errors_view([("May", found)]), capsys)
    assert verdict_errors_view([]) == View(())
