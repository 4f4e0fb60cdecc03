"""What people see of a calibration: verdict, sets, diagnostics, coverage, decisions, and the evaluator behind it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.comparison import compare_methods
from hcat.core.capabilities.calibration.views.calibration import (
    coverage_view,
    decisions_view,
    diagnostics_view,
    reliability_view,
    rule_view,
    sets_view,
    verdict_view,
)
from hcat.core.capabilities.calibration.views.evaluators import comparison_view, weights_view
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label
from hcat.core.view.tree import Callout
from hcat.core.view.view import View
from tests.views import snapshots

CORRECT = Criterion("correctness", ("fail", "pass"))
METRICS = ("answer_f1", "token_recall")
N = 120


@pytest.fixture(scope="module")
def scores() -> ScoreTable:
    rng = np.random.default_rng(4)
    index = pd.Index([f"s{k}" for k in range(N)], name="sample_id", dtype="str")
    quality = rng.normal(size=N)
    columns = {name: 1 / (1 + np.exp(-quality - 0.8 * rng.normal(size=N))) for name in METRICS}
    return ScoreTable(pd.DataFrame(columns, index=index), Provenance("0", "abc", METRICS))


@pytest.fixture(scope="module")
def labels(scores: ScoreTable) -> list[Label]:
    rng = np.random.default_rng(6)
    means = scores.frame.mean(axis=1).to_numpy()
    passed = means + 0.15 * rng.normal(size=N) > 0.5
    return [Label(f"s{k}", "correctness", int(passed[k]), "ann") for k in range(80)]


@pytest.fixture(scope="module")
def combined(scores: ScoreTable, labels: list[Label]) -> Calibration:
    return calibrate(labels, scores, criterion=CORRECT, metrics=METRICS, conditional="class")


@pytest.fixture(scope="module")
def single(scores: ScoreTable, labels: list[Label]) -> Calibration:
    return calibrate(labels, scores, criterion=CORRECT, metrics=METRICS[:1])


def whole(fitted: Calibration, scores: ScoreTable) -> View:
    decisions = {str(word): int(n) for word, n in fitted.predict(scores)["decision"].value_counts().items()}
    views = (
        *(verdict_view(fitted), sets_view(fitted), weights_view(fitted.map), diagnostics_view(fitted)),
        *(coverage_view(fitted, "class"), reliability_view(fitted), decisions_view(fitted, decisions, "May")),
    )
    return View(tuple(block for view in views for block in view.blocks))


def test_sets_by_class_of_several_metrics(
    combined: Calibration, scores: ScoreTable, capsys: pytest.CaptureFixture[str]
) -> None:
    snapshots.check("calibration-by-class", lambda: whole(combined, scores), capsys)


def test_one_metric(single: Calibration, scores: ScoreTable, capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("calibration-one-metric", lambda: whole(single, scores), capsys)


def test_the_rule_of_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("calibration-rule", lambda: rule_view(0.1), capsys)


def test_a_comparison_of_evaluators(
    scores: ScoreTable, labels: list[Label], capsys: pytest.CaptureFixture[str]
) -> None:
    found = compare_methods(labels, scores, criterion=CORRECT, metrics=METRICS, methods=("logistic", "combined"))
    snapshots.check("calibration-comparison", lambda: comparison_view(found), capsys)


def test_decisions_far_from_the_usual_carry_a_warning(single: Calibration) -> None:
    usual, odd = {"pass": 60, "fail": 50, "undecided (both)": 10}, {"pass": 0, "undecided (both)": 120}
    assert not any(isinstance(block, Callout) for block in decisions_view(single, usual, "May").blocks) or (
        single.diagnostics is not None and single.diagnostics.undecided.low > 10 / 120
    )
    assert any(isinstance(block, Callout) for block in decisions_view(single, odd, "May").blocks)
