"""Sensitivity, specificity and corrected pass rate of machine verdicts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import recall_score

from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.verdict_errors import machine_verdicts, verdict_errors

NAN = math.nan


def test_a_verdict_is_the_side_of_the_middle_of_the_range() -> None:
    values = np.array([0.0, 2.4, 2.5, 5.0, NAN])
    up = machine_verdicts(values, within=(0, 5), direction="higher")
    down = machine_verdicts(values, within=(0, 5), direction="lower")
    assert up is not None
    assert down is not None
    np.testing.assert_array_equal(up, [0, 0, 1, 1, NAN])
    np.testing.assert_array_equal(down, [1, 1, 1, 0, NAN])
    assert machine_verdicts(values, within=(0, math.inf), direction="higher") is None
    assert machine_verdicts(values, within=(0, 5), direction="none") is None


def test_shares_are_of_the_labelled_samples_with_a_verdict() -> None:
    passed = np.array([1, 1, 1, 1, 0, 0, 0, NAN, NAN, 1.0])
    verdicts = np.array([1, 1, 0, 1, 0, 1, 1, 1, 0, NAN])
    found = verdict_errors(labelled_run(passed, np.full(10, NAN)), verdicts, metric="m", criterion="c")
    assert (found.sensitivity.value, found.sensitivity.n) == (3 / 4, 4)
    assert (found.specificity.value, found.specificity.n) == (1 / 3, 3)
    assert (found.says, found.n) == (6 / 9, 9)
    assert found.corrected.value == pytest.approx(5 / 8)  # without predictions the labels alone
    assert found.document()["metric"] == "m"


def test_as_scikit_learn_has_it_with_weights_too() -> None:
    rng = np.random.default_rng(3)
    passed, verdicts = (rng.random(80) < 0.7).astype(float), (rng.random(80) < 0.5).astype(float)
    weights = rng.uniform(1, 5, 80)
    found = verdict_errors(labelled_run(passed, np.full(80, NAN), weights=weights), verdicts, metric="m", criterion="c")
    assert found.sensitivity.value == pytest.approx(recall_score(passed, verdicts, sample_weight=weights))
    assert found.specificity.value == pytest.approx(recall_score(passed, verdicts, sample_weight=weights, pos_label=0))


def test_the_correction_agrees_with_rogan_and_gladen_where_predictions_are_verdicts() -> None:
    # p = (share found + specificity − 1) / (sensitivity + specificity − 1), Rogan & Gladen 1978, equation 2
    rng = np.random.default_rng(5)
    people = rng.random(20_000) < 0.88
    verdicts = np.where(rng.random(20_000) < np.where(people, 0.8, 0.1), 1.0, 0.0)
    passed = np.where(np.arange(20_000) < 5_000, people, NAN)
    prediction = np.where(verdicts == 1, 0.983, 0.620)  # P(pass | verdict)
    found = verdict_errors(labelled_run(passed, prediction), verdicts, metric="m", criterion="c")
    se, sp = found.sensitivity.value, found.specificity.value
    assert found.corrected.value == pytest.approx((found.says + sp - 1) / (se + sp - 1), abs=0.02)
    assert found.corrected.low <= people.mean() <= found.corrected.high
