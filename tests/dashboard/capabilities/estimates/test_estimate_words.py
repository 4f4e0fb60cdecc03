"""What screens say of estimates in words: only what the numbers bear out."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.estimates.wording.pass_rate import in_words
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.types import Estimate
from hcat.dashboard.capabilities.overview import overview

PASSED = np.array([1.0, 0.0, 1.0, 1.0] * 10)
TELLING = np.where(PASSED == 1, 0.9, 0.2)


def test_a_metric_is_not_blamed_where_all_answers_are_labelled() -> None:
    found = estimate_pass_rate(labelled_run(PASSED, TELLING))
    assert found.lambda_ == 0
    assert in_words(found).startswith("Of these 40 answers, 75.0% pass: all are labelled, so this is exact.")
    assert "The machine has nothing to add." in in_words(found)


def test_a_metric_is_not_blamed_where_no_map_could_be_fitted() -> None:
    passed = np.where(np.arange(40) < 8, PASSED, np.nan)
    found = estimate_pass_rate(labelled_run(passed, np.full(40, np.nan)), note="No metric was used: too few.")
    assert "too few labels for the machine" in in_words(found)


def test_a_metric_is_not_blamed_where_all_labels_agree() -> None:
    passed = np.where(np.arange(40) < 20, 1.0, np.nan)
    found = estimate_pass_rate(labelled_run(passed, TELLING))
    assert found.lambda_ == 0
    assert "have the same label" in in_words(found)


def test_a_metric_that_tells_nothing_is_said_to_add_nothing() -> None:
    passed = np.where(np.arange(40) < 20, PASSED, np.nan)
    assert "show no gain from the machine" in in_words(estimate_pass_rate(labelled_run(passed, np.full(40, 0.5))))


def test_unscored_samples_are_not_counted_as_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 10 samples 4 are unscored; of the other 6, 3 are undecided: half, and not 30 %."""
    decision = ["undecided (both)"] * 3 + ["pass"] * 3 + ["unscored"] * 4
    ids = [f"s{i}" for i in range(10)]
    decided = pd.DataFrame({"probability": [0.5] * 6 + [np.nan] * 4, "decision": decision}, index=ids)
    run = SimpleNamespace(n=10)
    kept = SimpleNamespace(criterion="correctness")
    monkeypatch.setattr(overview, "criteria_of", lambda _: [])
    monkeypatch.setattr(overview, "decisions", lambda _: decided)
    monkeypatch.setattr(overview, "saved_calibration", lambda _: kept)
    calibration = SimpleNamespace(fit_for_use=SimpleNamespace(value="yes"))
    monkeypatch.setattr(overview, "read_calibration", lambda _: calibration)
    monkeypatch.setattr(overview, "columns", lambda _: SimpleNamespace(clusters={name: name for name in ids}))
    corrected = SimpleNamespace(rate=Estimate(0.5, 0.4, 0.6, 10), tied=None, of_these=None)
    monkeypatch.setattr(overview, "corrected_pass_rate", lambda *_: corrected)
    _, mean, undecided = overview._pass_rates(SimpleNamespace(), run)
    assert mean[1].endswith("n = 6")
    assert undecided[1] == "3 of 6 (50.0%)"
    assert "4 unscored" in undecided[2]
