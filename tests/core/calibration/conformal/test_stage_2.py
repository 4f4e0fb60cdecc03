"""Calibrations whose thresholds are by class or by a dimension, and checks that go round over folds."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.cross_fitting import CROSS_FIT_BELOW, FOLDS
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.capabilities.calibration.wording.guarantee import guarantee_of
from hcat.core.errors import HcatError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label
from tests.core.calibration.calibration_file import calibration_json

BINARY = Criterion("correctness")
ORDINAL = Criterion("utility", ("poor", "fair", "good", "great"), passing=2)


def project(
    n: int, criterion: Criterion, *, seed: int = 0, weights: bool = False
) -> tuple[list[Label], ScoreTable, dict[str, dict[str, str | None]]]:
    """Levels that follow the metric `good`; the topic “small” holds one sample in 40, and few have no topic."""
    rng = np.random.default_rng(seed)
    top = len(criterion.levels) - 1
    good = rng.random(n)
    level = np.clip(np.round(good * top + rng.normal(0, 0.35, n)), 0, top).astype(int)
    ids = [f"s{i}" for i in range(n)]
    frame = pd.DataFrame({"good": good}, index=pd.Index(ids, name="sample_id", dtype="str"))
    topic = {i: "small" if k % 40 == 0 else None if k % 50 == 1 else "ab"[k % 2] for k, i in enumerate(ids)}
    labels = [
        Label(i, criterion.name, int(level[k]), probability=0.5 if weights and k % 3 else 1.0)
        for k, i in enumerate(ids)
    ]
    return labels, ScoreTable(frame, Provenance("0", "abc", ("good",))), {"topic": topic}


@pytest.mark.parametrize("method", ["logistic", "ordinal", "multinomial"])
@pytest.mark.parametrize("conditional", ["class", "topic"])
@pytest.mark.parametrize("weights", [False, True])
def test_the_document_holds_all(method: str, conditional: str, weights: bool) -> None:
    criterion = BINARY if method == "logistic" else ORDINAL
    labels, scores, groups = project(400, criterion, weights=weights)
    made = calibrate(
        labels, scores, criterion=criterion, metrics=["good"], method=method, conditional=conditional, groups=groups
    )
    assert made.thresholds is not None and made.thresholds.by == conditional
    assert made.weighted is weights
    again = Calibration.from_json(calibration_json(made))
    assert calibration_json(again) == calibration_json(made)
    assert (again.thresholds, again.diagnostics) == (made.thresholds, made.diagnostics)
    assert json.loads(calibration_json(made))["guarantee"] == guarantee_of(made)
    predicted = made.predict(scores, groups=groups["topic"])
    pd.testing.assert_frame_equal(again.predict(scores, groups=groups["topic"]), predicted)
    assert made.diagnostics is not None
    assert set(made.diagnostics.cells) == {BY_CLASS, "topic"}
    inside = sum(cell.coverage.n for cell in made.diagnostics.cells[BY_CLASS].values())
    assert inside == made.diagnostics.n


def test_a_group_too_small_and_one_unseen_get_whole_sets_with_a_reason() -> None:
    labels, scores, groups = project(400, BINARY)
    made = calibrate(labels, scores, criterion=BINARY, metrics=["good"], conditional="topic", groups=groups, alpha=0.02)
    assert made.thresholds is not None and set(made.thresholds.short) == {"small"}
    new = {**groups["topic"], "s2": "never seen"}
    predicted = made.predict(scores, groups=new).set_index("sample_id")
    small = predicted.loc[[i for i, topic in new.items() if topic == "small"]]
    assert small["in_0"].all() and small["in_1"].all()
    assert small["reason"].str.contains("topic = small has").all()
    assert predicted.loc["s2", "reason"] == "topic = never seen has no label that sets a threshold"
    assert predicted.loc["s1", "reason"] == "the sample has no topic"
    assert predicted.loc["s2", "decision"] == "undecided (both)"
    assert pd.isna(predicted.loc["s3", "reason"])
    assert "small" in guarantee_of(made)


def test_sets_of_classes_of_an_ordered_criterion_have_no_gap() -> None:
    labels, scores, _ = project(600, ORDINAL, seed=3)
    made = calibrate(
        labels, scores, criterion=ORDINAL, metrics=["good"], method="ordinal", conditional="class", alpha=0.3
    )
    assert made.thresholds is not None and tuple(made.thresholds.thresholds) == ORDINAL.levels
    sets = made.sets(scores)
    edges = np.abs(np.diff(np.pad(sets.astype(int), ((0, 0), (1, 1))), axis=1)).sum(axis=1)
    assert (edges <= 2).all() and sets.any()


def test_an_unscored_sample_has_no_set_by_any_threshold() -> None:
    labels, scores, groups = project(300, BINARY)
    made = calibrate(labels, scores, criterion=BINARY, metrics=["good"], conditional="topic", groups=groups)
    frame = scores.frame.copy()
    frame.loc["s4", "good"] = np.nan
    row = made.predict(ScoreTable(frame, scores.provenance), groups=groups["topic"]).set_index("sample_id").loc["s4"]
    assert row["decision"] == "unscored" and pd.isna(row["in_0"]) and pd.isna(row["reason"])


def test_few_labels_are_checked_in_turn() -> None:
    labels, scores, groups = project(CROSS_FIT_BELOW - 20, BINARY)
    made = calibrate(labels, scores, criterion=BINARY, metrics=["good"], alpha=0.2, groups=groups, divided=True)
    assert made.diagnostics is not None
    assert (made.diagnostics.folds, made.diagnostics.n) == (FOLDS, len(labels))
    enough = calibrate(*project(CROSS_FIT_BELOW, BINARY)[:2], criterion=BINARY, metrics=["good"], divided=True)
    assert enough.diagnostics is not None
    assert (enough.diagnostics.folds, enough.diagnostics.n) == (1, enough.split_sizes["check"])


def test_a_label_has_no_part_in_its_own_check() -> None:
    """Turning one label over moves what is said of its fold's others, never the probability of its own sample."""
    labels, scores, _ = project(60, BINARY)
    from hcat.core.calibration.checks import cross_fitting

    seen: list[tuple[set[str], set[str], set[str]]] = []
    original = cross_fitting.set_thresholds

    def spy(fitted, data, rule):  # type: ignore[no-untyped-def]
        seen.append(tuple(set(data.part(split).sample_ids) for split in ("fit", "conformal", "check")))  # type: ignore[arg-type]
        return original(fitted, data, rule)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cross_fitting, "set_thresholds", spy)
        calibrate(labels, scores, criterion=BINARY, metrics=["good"])
    assert len(seen) == FOLDS
    for fit, conformal, check in seen:
        assert not (fit & conformal or fit & check or conformal & check)
        assert len(fit | conformal | check) == 60
    checked = [sample for _, _, check in seen for sample in check]
    assert len(checked) == len(set(checked)) == 60


def test_mistakes_are_named() -> None:
    labels, scores, groups = project(200, BINARY)
    with pytest.raises(HcatError, match="'area': choose one of none, class, topic"):
        calibrate(labels, scores, criterion=BINARY, metrics=["good"], conditional="area", groups=groups)
    for alpha in (0.005, 0.6):
        with pytest.raises(HcatError, match=r"between 0\.01 and 0\.5"):
            calibrate(labels, scores, criterion=BINARY, metrics=["good"], alpha=alpha)
