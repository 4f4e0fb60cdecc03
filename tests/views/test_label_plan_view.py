"""What people see of the labels that questions take, and of the decision to stop."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.estimates.views.label_plan import decision_view, label_plan_view
from hcat.core.estimates.forecast import label_forecast
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.plans import plan_labels
from hcat.core.estimates.stopping import decide, look_level
from hcat.core.view.tree import Callout
from hcat.core.view.values import text_of
from hcat.core.view.view import View
from tests.views import snapshots

N = 400


def run(labelled: int) -> LabelledRun:
    """Four of five answers pass; the score is right in nine of ten cases."""
    rng = np.random.default_rng(7)
    passed = (np.arange(N) % 5 > 0).astype(float)
    scores = np.where(rng.random(N) < 0.9, passed, 1 - passed) * 0.8 + 0.1
    passed[labelled:] = np.nan
    return labelled_run(passed, scores)


def decision(labelled: int, threshold: float, looks: int | None) -> View:
    found = decide(run(labelled), threshold, looks=looks)
    ahead = label_forecast(run(labelled), level=look_level(found.n_labels, looks=looks))
    return decision_view(found, looks=looks, ahead=ahead)


def test_plans(capsys: pytest.CaptureFixture[str]) -> None:
    ahead = label_forecast(run(100))
    plans = plan_labels(ahead, width=0.1, shares={"hard": 0.3, "easy": 0.7}, group="kind")
    snapshots.check("label-plan", lambda: label_plan_view(plans, ahead), capsys)


def test_a_decision_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("label-decision", lambda: decision(100, 0.805, 3), capsys)


@pytest.mark.parametrize(
    ("labelled", "threshold", "kind", "words"),
    [
        (200, 0.5, "good", "Stop"),
        (200, 0.95, "warning", "all of it below 95%"),
        (N, 0.8, "warning", "a larger run would decide"),
        (29, 0.8, "info", "at least 1 more is needed."),
    ],
)
def test_a_decision_is_marked_by_its_verdict(labelled: int, threshold: float, kind: str, words: str) -> None:
    first, _ = decision(labelled, threshold, None).blocks
    assert isinstance(first, Callout) and first.kind == kind
    assert words in text_of(first.text)
