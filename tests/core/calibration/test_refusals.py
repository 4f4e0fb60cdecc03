"""Refusals in a calibration: left out and counted, never decided fail; their labels still count for the run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.answer_scores import answer_scores, declined
from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.dataset import join_scores
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.refusals.state import AnswerState
from hcat.core.scoring.score_table import Provenance, ScoreTable
from hcat.core.types import Criterion, Label

CORRECTNESS = Criterion("correctness")
CYCLE: tuple[AnswerState, ...] = ("answered",) * 6 + ("correct_refusal", "wrong_refusal", "refusal", "no_answer")
METRICS = ["groundedness", "recall@8"]


def _run(n: int = 300) -> tuple[list[Label], ScoreTable]:
    """Answers pass the more often, the higher they score. Refusals that state something have a score, and a low one."""
    rng = np.random.default_rng(5)
    states = tuple(CYCLE[k % len(CYCLE)] for k in range(n))
    score = np.where(np.isin(states, ["answered"]), rng.random(n), 0.02)
    score[np.isin(states, ["no_answer"])] = np.nan
    passed = np.where(np.isin(states, ["answered"]), rng.random(n) < score, np.isin(states, ["correct_refusal"]))
    ids = [f"s{k}" for k in range(n)]
    frame = pd.DataFrame({"groundedness": score, "recall@8": rng.random(n)}, index=pd.Index(ids, name="sample_id"))
    table = ScoreTable(frame, Provenance("0", "r", tuple(frame.columns)), states)
    return [Label(ids[k], "correctness", int(passed[k])) for k in range(n)], table


def test_fit_threshold_and_check_use_answers_and_count_the_refusals() -> None:
    labels, scores = _run()
    fitted = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["groundedness"], replicates=0)
    assert fitted.left_out == {"tie": 0, "not in the scores": 0, "unscored": 30, "refusal": 90}
    assert sum(fitted.split_sizes.values()) == 180
    answers = [label for label, state in zip(labels, scores.answer_states or (), strict=True) if state == "answered"]
    alone = calibrate(answers, scores, criterion=CORRECTNESS, metrics=["groundedness"], replicates=0)
    assert (alone.map, alone.threshold, alone.diagnostics) == (fitted.map, fitted.threshold, fitted.diagnostics)
    assert sum(fitted.split_sizes.values()) + sum(fitted.left_out.values()) == len(labels)


@pytest.mark.parametrize("method", ["logistic", "isotonic", "combined"])
def test_each_state_is_a_decision_and_the_counts_add_up(method: str) -> None:
    labels, scores = _run()
    fitted = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["groundedness"], method=method, replicates=0)
    decided = fitted.predict(scores)
    counts = decided["decision"].value_counts()
    assert [counts[name] for name in ("correct_refusal", "wrong_refusal", "refusal", "unscored")] == [30, 30, 30, 30]
    assert counts.sum() == 300
    refused = decided[scores.refused]
    assert refused["probability"].isna().all()
    assert refused[["in_0", "in_1"]].isna().all(axis=None)
    assert decided.loc[np.array(scores.answer_states) == "answered", "probability"].notna().all()


def test_a_combination_leaves_refusals_out_though_another_metric_scored_them() -> None:
    labels, scores = _run()
    joined = join_scores(labels, scores, criterion=CORRECTNESS, metrics=METRICS, partial=True)
    assert (len(joined), joined.left_out["refusal"], joined.left_out["unscored"]) == (210, 90, 0)
    assert np.isnan(answer_scores(scores, METRICS)[scores.refused]).all()


def test_metrics_of_retrieval_judge_no_answer_and_score_refusals() -> None:
    labels, scores = _run()
    assert not declined(scores, ["recall@8"]).any()
    fitted = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["recall@8"], replicates=0)
    assert fitted.left_out["refusal"] == 0
    assert set(fitted.predict(scores)["decision"]) <= {"pass", "fail", "undecided (both)", "undecided (empty)"}


def test_scores_without_states_are_as_they_were() -> None:
    labels, scores = _run()
    old = replace(scores, answer_states=None)
    fitted = calibrate(labels, old, criterion=CORRECTNESS, metrics=["groundedness"], replicates=0)
    assert fitted.left_out == {"tie": 0, "not in the scores": 0, "unscored": 30}
    assert fitted.predict(old)["probability"].notna().sum() == 270


def test_labels_on_refusals_count_in_the_pass_rate_of_the_run() -> None:
    labels, scores = _run()
    prepared = prepare_run(labels, scores, criterion=CORRECTNESS, metrics=["groundedness"])
    assert np.isnan(prepared.run.prediction).sum() == 120
    found = estimate_pass_rate(prepared.run)
    assert (found.n_labels, found.n_samples, found.unscored) == (300, 300, 120)
    assert found.labels_only.value == pytest.approx(np.mean([label.level for label in labels]))
    # With every sample labelled nothing is left to correct.
    assert found.ppi.value == pytest.approx(found.labels_only.value)
