from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.checks.comparison import (
    FOLDS,
    Comparison,
    _corrected,
    _Scale,
    _standard_error,
    compare_methods,
)
from hcat.core.capabilities.calibration.wording.calibration import comparison_sentence
from hcat.core.errors import HcatError, NotEnoughLabelsError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.partition import assign_split
from hcat.core.types import Criterion, Label

CORRECTNESS = Criterion("correctness")


def project(n: int, *, parts: int, seed: int = 3) -> tuple[list[Label], ScoreTable]:
    """Three metrics, of which `parts` each see a part of what people judge; the others are noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    passed = X[:, :parts].sum(axis=1) * 2 / parts + 0.5 * rng.logistic(size=n) > 0
    index = pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str")
    frame = pd.DataFrame(X, columns=["token_recall", "groundedness", "answer_length"], index=index)
    labels = [Label(f"s{i}", "correctness", int(level)) for i, level in enumerate(passed)]
    return labels, ScoreTable(frame, Provenance("0", "abc", tuple(frame.columns)))


def compare(labels: list[Label], scores: ScoreTable, **rest: object) -> Comparison:
    chosen = {"methods": ["logistic", "isotonic", "combined"], "repeats": 1} | rest
    return compare_methods(labels, scores, criterion=CORRECTNESS, metrics=scores.metrics, **chosen)  # type: ignore[arg-type]


def test_one_metric_is_enough_where_the_others_are_noise() -> None:
    found = compare(*project(600, parts=1), repeats=3)
    assert found.enough is not None
    assert (found.enough.method, found.enough.metrics) == ("logistic", ("token_recall",))
    assert "logistic on token_recall" in comparison_sentence(found).lower()


def test_the_combination_is_worth_it_where_each_sees_a_part() -> None:
    found = compare(*project(900, parts=3), repeats=3)
    assert found.enough is not None and len(found.enough.metrics) == 3
    assert "The combination is worth it" in comparison_sentence(found)
    alone = [one for one in found.candidates if len(one.metrics) == 1]
    assert len(alone) == 6 and all(one.auc_difference.high < 0 < one.log_loss_difference.low for one in alone)


def test_the_best_stands_first_and_differs_from_itself_by_nothing() -> None:
    found = compare(*project(300, parts=2))
    losses = [one.log_loss.value for one in found.candidates]
    assert losses == sorted(losses)
    assert (found.best.log_loss_difference.value, found.best.standard_error) == (0, 0)
    one = found.candidates[-1]
    assert one.log_loss_difference.value == pytest.approx(one.log_loss.value - found.best.log_loss.value)


def test_the_standard_error_by_hand() -> None:
    # Four folds in two rounds of two: variance 1/3 · (4 · 1²) = 4/3; (1/4 + 1/(2 − 1)) · 4/3 = 5/3.
    assert _standard_error(np.array([1.0, 3.0, 1.0, 3.0]), 2) == pytest.approx(math.sqrt(5 / 3))


def test_only_labels_to_fit_with_choose() -> None:
    labels, scores = project(400, parts=1)
    flipped = [
        x if assign_split(x.sample_id) == "fit" else Label(x.sample_id, x.criterion, 1 - x.level) for x in labels
    ]
    found = compare(labels, scores)
    assert found == compare(flipped, scores)
    assert found.n == sum(assign_split(x.sample_id) == "fit" for x in labels)
    assert compare(labels, scores, splits=("fit", "conformal", "check")).n == 400


def test_copies_of_a_test_case_teach_nothing() -> None:
    # Labels are chance, and every sample stands four times with the same scores.
    rng = np.random.default_rng(9)
    X, y = np.tile(rng.normal(size=(80, 2)), (4, 1)), np.tile(rng.integers(0, 2, 80), 4)
    index = pd.Index([f"s{i}" for i in range(320)], name="sample_id", dtype="str")
    scores = ScoreTable(pd.DataFrame(X, columns=["a", "b"], index=index), Provenance("0", "abc", ("a", "b")))
    labels = [Label(f"s{i}", "correctness", int(level)) for i, level in enumerate(y)]
    everything = {"methods": ["xgboost"], "splits": ("fit", "conformal", "check"), "repeats": 1}
    apart = compare(labels, scores, **everything)
    together = compare(labels, scores, test_cases={f"s{i}": f"c{i % 80}" for i in range(320)}, **everything)
    assert apart.best.auc.value > 0.6
    assert together.best.auc.low < 0.5


def test_all_candidates_answer_for_the_same_samples() -> None:
    # Half of the samples lack the metric that people follow; ten lack every score.
    labels, scores = project(400, parts=1)
    scores.frame.iloc[:200, 0] = np.nan
    scores.frame.iloc[:10] = np.nan
    found = compare(labels, scores, splits=("fit", "conformal", "check"))
    assert (found.n, found.left_out["unscored"]) == (390, 10)
    scored = {(one.method, one.metrics[0] if len(one.metrics) == 1 else "all"): one.scored for one in found.candidates}
    assert scored["combined", "all"] == 390
    assert scored["logistic", "all"] == scored["logistic", "token_recall"] == 200
    assert scored["logistic", "groundedness"] == 390


def test_a_metric_that_scores_nothing_says_no_more_than_the_pass_rate() -> None:
    labels, scores = project(300, parts=1)
    scores.frame.iloc[20:, 2] = np.nan
    found = compare(labels, scores, splits=("fit", "conformal", "check"), repeats=1)
    hardly = next(one for one in found.candidates if one.metrics == ("answer_length",) and one.method == "logistic")
    share = found.passes / found.n
    entropy = -share * math.log(share) - (1 - share) * math.log(1 - share)
    assert hardly.scored == 20 and hardly.log_loss.value == pytest.approx(entropy, abs=0.06)


def test_what_cannot_be_fitted_is_named() -> None:
    # The highest level has a single label, which four folds of five see and one does not.
    labels, scores = project(300, parts=1)
    three = [Label(x.sample_id, "correctness", x.level) for x in labels[:-1]] + [Label("s299", "correctness", 2)]
    found = compare_methods(
        three,
        scores,
        criterion=Criterion("correctness", ("a", "b", "c")),
        metrics=["token_recall"],
        methods=["logistic", "ordinal"],
        splits=("fit", "conformal", "check"),
    )
    assert [one.method for one in found.candidates] == ["logistic"]
    assert "ordinal on token_recall" in found.skipped


def test_a_single_metric_is_compared_by_every_method() -> None:
    labels, scores = project(200, parts=1)
    found = compare_methods(labels, scores, criterion=CORRECTNESS, metrics=["token_recall"], repeats=1)
    expected = {"logistic", "platt", "isotonic", "isotonic_steps", "combined", "xgboost"}
    assert {one.method for one in found.candidates} == expected


def test_the_document_holds_every_number_with_its_interval() -> None:
    found = compare(*project(200, parts=1))
    document = json.loads(json.dumps(found.document()))
    assert (document["n"], document["folds"], document["repeats"]) == (found.n, FOLDS, 1)
    first = document["candidates"][0]
    for name in ("log_loss", "brier", "auc", "log_loss_difference", "brier_difference", "auc_difference"):
        assert {"value", "low", "high", "n"} <= set(first[name])


def test_same_labels_same_numbers() -> None:
    labels, scores = project(200, parts=1)
    assert compare(labels, scores) == compare(labels, scores)
    assert compare(labels, scores) != compare(labels, scores, seed=8)


def test_too_few_labels() -> None:
    labels, scores = project(12, parts=1)
    with pytest.raises(NotEnoughLabelsError, match="5 passes and 5 fails"):
        compare(labels, scores)
    with pytest.raises(HcatError, match="at least one metric"):
        compare_methods(labels, scores, criterion=CORRECTNESS, metrics=[])


def test_intervals_keep_within_what_a_score_can_be() -> None:
    # Two folds of 0.9 and 1: mean 0.95, variance 0.005, half = t₁ · √((1/2 + 1/4) · 0.005) = 12.706 · 0.0612 = 0.778.
    found = _corrected(np.array([0.9, 1.0]), _Scale(100, 5, 0.95, 1), (0.0, 1.0))
    assert (found.low, found.high) == (pytest.approx(0.172, abs=1e-3), 1.0)
    # With 5 passes and 5 fails a fold holds one of each: its AUC is 0 or 1, and means of few such scatter widely.
    few = compare(*project(32, parts=1), splits=("fit", "conformal", "check"), methods=["logistic", "isotonic"])
    for one in few.candidates:
        assert one.log_loss.low >= 0
        assert all(0 <= e.low <= e.value <= e.high <= 1 for e in (one.brier, one.auc))
        assert all(-1 <= e.low <= e.value <= e.high <= 1 for e in (one.brier_difference, one.auc_difference))


def test_what_is_not_shown_is_not_called_worth_it() -> None:
    comparison = compare(*project(900, parts=3), repeats=3)
    best, *rest = comparison.candidates
    alone = next(one for one in rest if len(one.metrics) == 1)

    def said(low: float) -> str:
        gap = replace(alone.log_loss_difference, value=0.03, low=low, high=0.08)
        candidates = (best, replace(alone, log_loss_difference=gap))
        return comparison_sentence(replace(comparison, candidates=candidates, enough=best))

    assert "The combination is worth it" in said(0.01) and "(0.010 to 0.080)" in said(0.01)
    for low in (0.0, -0.02):
        assert "this is not shown" in said(low) and "worth it" not in said(low)


def test_the_base_rate_by_hand() -> None:
    # The pass rate of the other folds, so close to that of all: its log-loss is the entropy, its AUC one half.
    labels, scores = project(400, parts=1)
    found = compare(labels, scores, splits=("fit", "conformal", "check"))
    share = found.passes / found.n
    entropy = -share * math.log(share) - (1 - share) * math.log(1 - share)
    assert found.base_rate.log_loss.value == pytest.approx(entropy, abs=0.01)
    assert (found.base_rate.auc.value, found.base_rate.gain.value) == (0.5, 0.0)
    for one in found.candidates:
        assert one.gain.value == pytest.approx(found.base_rate.log_loss.value - one.log_loss.value)
    useful = {one.metrics for one in found.candidates if one.beats_base_rate}
    assert ("token_recall",) in useful and ("groundedness",) not in useful


def test_nothing_is_recommended_where_nothing_beats_a_constant() -> None:
    labels, scores = project(60, parts=1)
    chance = np.random.default_rng(5).permutation([label.level for label in labels])
    noise = [label._replace(level=int(level)) for label, level in zip(labels, chance, strict=True)]
    found = compare(noise, scores, splits=("fit", "conformal", "check"))
    assert found.enough is None and not any(one.beats_base_rate for one in found.candidates)
    said = comparison_sentence(found)
    assert said.startswith("No evaluator is shown to beat a constant")
    assert "good enough" not in said and "worth it" not in said
    assert json.loads(json.dumps(found.document()))["enough"] is None


def test_intervals_of_differences_hold_for_all_candidates_at_once() -> None:
    # t of 14 degrees at 1 − 0.025 / 4 is 2.864, against 2.145 for one comparison.
    values, scale = np.linspace(-1, 1, 15), _Scale(100, 5, 0.95, 4)
    one, four = (_corrected(values, scale, (-math.inf, math.inf), comparisons=k) for k in (1, 4))
    assert (four.high - four.low) / (one.high - one.low) == pytest.approx(2.864 / 2.145, abs=1e-3)
    assert "Bonferroni over 4" in four.method
