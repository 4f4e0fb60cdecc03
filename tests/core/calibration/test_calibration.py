from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.wording.checklist import verdict_conditions
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.errors import FileFormatError, HcatError, NotEnoughLabelsError, UnknownMetricError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.partition import SPLITS, assign_split
from hcat.core.types import Criterion, Label
from tests.core.calibration.calibration_file import calibration_json

CORRECTNESS = Criterion("correctness")


def project(
    n: int = 400, *, seed: int = 0, slope: float = 8.0, probability: float = 1.0
) -> tuple[list[Label], ScoreTable]:
    """Labels that follow the metric `good` by a logistic curve; `noise` and `answer_length` do not matter."""
    rng = np.random.default_rng(seed)
    good = rng.beta(3, 2, n)
    passed = rng.random(n) < 1 / (1 + np.exp(-slope * (good - 0.6)))
    frame = pd.DataFrame(
        {"good": good, "noise": rng.random(n), "answer_length": rng.integers(5, 80, n).astype(float)},
        index=pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str"),
    )
    labels = [Label(f"s{i}", "correctness", int(passed[i]), "ann", probability=probability) for i in range(n)]
    return labels, ScoreTable(frame, Provenance("0", "abc", tuple(frame.columns)))


def with_splits(**counts: tuple[int, int]) -> tuple[list[Label], ScoreTable]:
    """As many fails and passes in each split as asked for, with scores that follow them."""
    rows: list[tuple[str, int]] = []
    wanted = {split: list(counts.get(split, (0, 0))) for split in SPLITS}
    for i in range(5000):
        left = wanted[assign_split(f"s{i}")]
        for level in (0, 1):
            if left[level] > 0:
                left[level] -= 1
                rows.append((f"s{i}", level))
                break
    frame = pd.DataFrame(
        {"good": [0.3 + 0.4 * level + 0.001 * k for k, (_, level) in enumerate(rows)]},
        index=pd.Index([sample for sample, _ in rows], name="sample_id", dtype="str"),
    )
    return [Label(sample, "correctness", level) for sample, level in rows], ScoreTable(
        frame, Provenance("0", "abc", ("good",))
    )


def test_a_good_metric_is_fit_for_use() -> None:
    labels, scores = project(1000)
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"])
    assert result.fit_for_use.value == "yes"
    assert sum(result.split_sizes.values()) == 1000
    assert result.diagnostics is not None
    assert (result.diagnostics.n, result.diagnostics.folds) == (1000, 5)
    assert result.threshold.n == result.split_sizes["fit"] == 1000
    assert set(result.diagnostics.baselines) == {"answer_length"}
    assert result.diagnostics.ece < 0.1


def test_noise_is_not() -> None:
    labels, scores = project(1500)
    assert calibrate(labels, scores, criterion=CORRECTNESS, metrics=["noise"]).fit_for_use.value == "no"


def test_a_baseline_is_not_held_against_itself() -> None:
    labels, scores = project()
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["answer_length"])
    assert result.diagnostics is not None
    assert result.diagnostics.baselines == {}


def test_no_label_serves_twice() -> None:
    labels, scores = project()
    whole = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], divided=True)
    without_check = [x for x in labels if assign_split(x.sample_id) != "check"]
    unchecked = calibrate(without_check, scores, criterion=CORRECTNESS, metrics=["good"], divided=True)
    assert (unchecked.map, unchecked.threshold) == (whole.map, whole.threshold)
    flipped = [
        Label(x.sample_id, x.criterion, 1 - x.level) if assign_split(x.sample_id) == "conformal" else x for x in labels
    ]
    other = calibrate(flipped, scores, criterion=CORRECTNESS, metrics=["good"], divided=True)
    assert other.map == whole.map and other.threshold != whole.threshold


def test_no_check_labels_give_no_diagnostics_and_a_reason() -> None:
    labels, scores = with_splits(fit=(6, 6), conformal=(6, 6))
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], divided=True)
    assert result.diagnostics is None
    assert result.fit_for_use.value == "not shown"
    assert "No labels were left" in verdict_reason_of(result)
    assert Calibration.from_json(calibration_json(result)) == result


def test_too_few_labels_for_alpha() -> None:
    labels, scores = with_splits(fit=(6, 6), conformal=(4, 4), check=(3, 3))
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], alpha=0.1, divided=True)
    assert (result.threshold.q_hat, result.threshold.enough, result.threshold.needed) == (1.0, False, 9)
    assert set(result.predict(scores)["decision"]) == {"undecided (both)"}
    assert "at least 9" in verdict_reason_of(result)


@pytest.mark.parametrize(
    ("counts", "needed"),
    [
        # 6 of 10 labels to fit with: 4 / 0.4 = 10 more.
        ({"fit": (3, 3), "conformal": (2, 2)}, 10),
        # Nothing for the threshold: 1 / 0.3 = 3.3, so 4 more.
        ({"fit": (6, 6)}, 4),
        # 1 of 2 fails to fit with, seen share (1 + 1) / (14 + 2) = 1/8: 1 / (0.4 / 8) = 20 more.
        ({"fit": (1, 11), "conformal": (0, 2)}, 20),
        # No label at all: 10 / 0.4 = 25 exceeds 2 / (0.4 · 1/2) = 10.
        ({}, 25),
    ],
)
def test_too_few_labels_say_how_many_more(counts: dict[str, tuple[int, int]], needed: int) -> None:
    labels, scores = with_splits(**counts)
    with pytest.raises(NotEnoughLabelsError, match=f"needs about {needed} more labels") as caught:
        calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], divided=True)
    assert caught.value.needed == needed


def test_labels_that_are_not_divided_suffice_sooner() -> None:
    labels, scores = with_splits(fit=(3, 3), check=(1, 1))
    with pytest.raises(NotEnoughLabelsError, match="needs about 2 more labels"):
        calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"])
    labels, scores = with_splits(fit=(3, 3), check=(2, 2))
    assert calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"]).threshold.enough


def test_too_few_labels_say_which_were_left_out() -> None:
    labels, scores = with_splits(fit=(3, 3), conformal=(2, 2))
    strangers = [Label(f"stranger {k}", "correctness", k % 2) for k in range(3)]
    with pytest.raises(NotEnoughLabelsError, match="labelled samples left out: 3 not in the scores"):
        calibrate([*labels, *strangers], scores, criterion=CORRECTNESS, metrics=["good"], divided=True)


def test_trees_that_learn_nothing_are_not_shown_to_be_fit_or_unfit() -> None:
    labels, scores = with_splits(fit=(5, 6), conformal=(6, 6), check=(6, 6))
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], method="xgboost")
    assert np.ptp(result.probability(scores)) == 0
    assert (result.fit_for_use.value, "same probability" in verdict_reason_of(result)) == ("not shown", True)


def test_the_least_that_suffices() -> None:
    labels, scores = with_splits(fit=(3, 7), conformal=(0, 1))
    assert calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], divided=True).split_sizes["fit"] == 10


def test_predictions() -> None:
    labels, scores = project()
    scores.frame.iloc[3, 0] = np.nan
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"])
    predicted = result.predict(scores)
    assert predicted.columns.tolist() == ["sample_id", "probability", "in_0", "in_1", "decision"]
    assert predicted["sample_id"].tolist() == list(scores.sample_ids)
    unscored = predicted.iloc[3]
    assert unscored["decision"] == "unscored"
    assert math.isnan(unscored["probability"]) and unscored["in_0"] is pd.NA and unscored["in_1"] is pd.NA
    assert result.left_out == {"tie": 0, "not in the scores": 0, "unscored": 1}
    rest = predicted.drop(3)
    words = {(False, True): "pass", (True, False): "fail", (True, True): "undecided (both)"}
    for in_0, in_1, decision in zip(rest["in_0"], rest["in_1"], rest["decision"], strict=True):
        assert decision == words.get((bool(in_0), bool(in_1)), "undecided (empty)")


def test_empty_sets_are_undecided() -> None:
    labels, scores = project(slope=40.0)
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], alpha=0.3)
    assert result.threshold.q_hat < 0.5
    predicted = result.predict(scores)
    empty = ~predicted["in_0"] & ~predicted["in_1"]
    assert empty.any()
    assert set(predicted.loc[empty, "decision"]) == {"undecided (empty)"}


def test_nothing_to_predict() -> None:
    labels, scores = project()
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"])
    assert result.predict(ScoreTable(scores.frame.iloc[:0], scores.provenance)).empty


def test_several_metrics_make_a_combined_evaluator() -> None:
    labels, scores = project()
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good", "noise", "good"])
    assert result.metrics == result.map.metrics == ("good", "noise")


def test_equal_sampling_probabilities_change_nothing() -> None:
    plain = calibrate(*project(), criterion=CORRECTNESS, metrics=["good"])
    weighted = calibrate(*project(probability=0.3), criterion=CORRECTNESS, metrics=["good"])
    assert (weighted.map, weighted.threshold, weighted.diagnostics) == (plain.map, plain.threshold, plain.diagnostics)


def test_unequal_sampling_probabilities_are_used_and_said() -> None:
    labels, scores = project(1200)
    unequal = [
        Label(x.sample_id, x.criterion, x.level, probability=0.2 if k % 2 else 1.0) for k, x in enumerate(labels)
    ]
    result = calibrate(unequal, scores, criterion=CORRECTNESS, metrics=["good"])
    assert result.diagnostics is not None
    assert "effective n" in result.diagnostics.coverage.method
    assert result.map != calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"]).map


def test_the_document_is_that_of_the_interface() -> None:
    labels, scores = project()
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], alpha=0.2)
    document = json.loads(calibration_json(result))
    assert document["hcat"]
    assert document["inputs"]["run"] == "abc"
    version, _, digest = document["inputs"]["labels"].partition(":")
    assert version == "v2" and len(digest) == 64
    assert (document["method"], document["metrics"], document["alpha"]) == ("logistic", ["good"], 0.2)
    assert document["q_hat"] == result.threshold.q_hat
    assert set(document["split_sizes"]) == set(SPLITS)
    diagnostics = document["diagnostics"]
    assert all(isinstance(diagnostics[name], float) for name in ("auc", "ece", "brier", "type_1", "type_2"))
    assert {"value", "low", "high", "n"} <= set(diagnostics["coverage"])
    stated = document["fit_for_use"]
    assert isinstance(stated, dict) and isinstance(stated["conditions"], list)
    assert (stated["value"], stated["reason"]) == (result.fit_for_use.value, verdict_reason_of(result))
    assert [one["condition"] for one in stated["conditions"]][3:5] == ["direction", "above chance"]  # type: ignore[index, call-overload]
    assert all(one["value"] for one in stated["conditions"])  # type: ignore[index, call-overload]
    read = Calibration.from_document(document)
    assert verdict_conditions(read) == tuple(replace(one, cause=None) for one in verdict_conditions(result))


def test_the_document_round_trips() -> None:
    labels, scores = project()
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good", "noise"])
    again = Calibration.from_json(calibration_json(result))
    assert again == result
    assert again.predict(scores).equals(result.predict(scores))


def test_unknown_numbers_are_null() -> None:
    labels, scores = with_splits(fit=(6, 6), conformal=(6, 6), check=(0, 4))
    result = calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], divided=True)
    document = json.loads(calibration_json(result))
    assert document["diagnostics"]["auc"] is None and document["diagnostics"]["type_1"] is None
    again = Calibration.from_json(calibration_json(result)).diagnostics
    assert again is not None and math.isnan(again.auc.value) and math.isnan(again.type_1.low)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"hcat": "1"}', "null", "sample_id,label"])
def test_another_file_is_refused(text: str) -> None:
    with pytest.raises(FileFormatError, match="no calibration of hcat"):
        Calibration.from_json(text)


@pytest.mark.parametrize(
    "change",
    [
        {"method": "magic"}, {"q_hat": "0.5"}, {"fit_for_use": {"value": "maybe", "reason": ""}},
        {"parameters": {"intercept": 1.0}}, {"threshold": {"n": 1, "enough": 1, "needed": 9}}, {"metrics": "good"},
    ],
)  # fmt: skip
def test_a_damaged_document_is_refused(change: dict[str, object]) -> None:
    labels, scores = project()
    document = json.loads(calibration_json(calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"])))
    with pytest.raises(FileFormatError):
        Calibration.from_json(json.dumps(document | change))


def test_unusable_requests_are_refused() -> None:
    labels, scores = project()
    with pytest.raises(UnknownMetricError):
        calibrate(labels, scores, criterion=CORRECTNESS, metrics=["nothing"])
    with pytest.raises(HcatError, match="at least one metric"):
        calibrate(labels, scores, criterion=CORRECTNESS, metrics=[])
    with pytest.raises(HcatError, match="choose one of logistic"):
        calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], method="magic")
    with pytest.raises(HcatError, match="alpha"):
        calibrate(labels, scores, criterion=CORRECTNESS, metrics=["good"], alpha=1.0)
