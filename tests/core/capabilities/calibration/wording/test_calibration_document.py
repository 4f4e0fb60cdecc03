"""The sentences of a calibration's document: written from causes and numbers, and kept as they stand once saved."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import get_args

import pytest

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.evidence import Discrimination, Evidence, RepeatedSplits, Spread
from hcat.core.calibration.checks.fitness import Cause, Verdict
from hcat.core.calibration.checks.proportional_odds import ProportionalOdds, Untested
from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document
from hcat.core.capabilities.calibration.wording.guarantee import guarantee_of
from hcat.core.capabilities.calibration.wording.proportional_odds import proportional_odds_sentence
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.records.layout import JsonObject
from hcat.core.settings import ROOT
from hcat.core.types import Estimate
from tests.core.records.test_documents import with_later_keys

FILES = ROOT / "tests" / "core" / "records" / "documents"


@pytest.fixture
def saved() -> JsonObject:
    document: JsonObject = json.loads((FILES / "ordinal-by-class.json").read_text("utf-8"))
    return document


def test_a_saved_reason_is_shown_and_kept_as_it_stands(saved: JsonObject) -> None:
    saved["fit_for_use"] = {"value": "not shown", "reason": "In the words of an earlier version."}
    read = Calibration.from_document(saved)
    assert verdict_reason_of(read) == "In the words of an earlier version."
    assert calibration_document(read) == with_later_keys(saved)


def test_a_saved_reason_why_a_test_was_not_made_is_shown_and_kept(saved: JsonObject) -> None:
    odds = saved["proportional_odds"]
    assert isinstance(odds, dict)
    odds |= {"statistic": None, "p": None, "slopes": [], "reason": "As it was.", "says": "As it was."}
    read = Calibration.from_document(saved)
    assert read.proportional_odds is not None
    assert proportional_odds_sentence(read.proportional_odds) == "Proportional odds were not tested. As it was."
    written = calibration_document(read)["proportional_odds"]
    assert written == odds | {"says": "Proportional odds were not tested. As it was."}


EVIDENCE = Evidence(
    Discrimination(
        *(Estimate(0.8, 0.7, 0.9, 112), 0.02, 0.001, 20, 112, True),
        against_p=1e-9,
        margins={"answer_length": Estimate(0.1, -0.05, 0.25, 112)},
    ),
    RepeatedSplits(20, *[Spread(0.8, 0.7, 0.9)] * 4, 0.6, 0.5, Estimate(0.7, 0.6, 0.8, 90)),
    backwards=("good",),
)


@pytest.mark.parametrize("cause", [cause for cause in get_args(Cause) if cause != "all shown"])
def test_each_cause_has_a_reason_of_its_own(saved: JsonObject, cause: Cause) -> None:
    read = Calibration.from_document(saved)
    measured = None if cause == "no labels to check with" else read.diagnostics
    evidence = None if cause == "not evaluated" else EVIDENCE
    if cause == "few splits to check with":
        evidence = dataclasses.replace(EVIDENCE, repeated=None)
    verdict = Verdict("not shown", cause=cause)
    made = dataclasses.replace(read, fit_for_use=verdict, diagnostics=measured, evidence=evidence)
    shown = dataclasses.replace(read, fit_for_use=Verdict("yes", cause="all shown"), evidence=EVIDENCE)
    assert verdict_reason_of(made).endswith(".")
    assert verdict_reason_of(made) != verdict_reason_of(shown)
    expected = {"value": "not shown", "reason": verdict_reason_of(made), "conditions": []}
    assert calibration_document(made)["fit_for_use"] == expected


def test_what_is_shown_is_told_with_its_numbers(saved: JsonObject) -> None:
    read = Calibration.from_document(saved)
    made = dataclasses.replace(read, fit_for_use=Verdict("yes", cause="all shown"), evidence=EVIDENCE)
    reason = verdict_reason_of(made)
    for figure in ("0.80", "p = 0.02 on 112 labels", "20 metrics", "80% (from 70% to 90%", "median lower bound 60%"):
        assert figure in reason
    assert calibration_document(made) | {"evidence": None, "fit_for_use": None} == with_later_keys(saved) | {
        "evidence": None,
        "fit_for_use": None,
    }
    assert saved["guarantee"] == guarantee_of(made)


def test_a_test_that_was_not_made_says_why(saved: JsonObject) -> None:
    odds = ProportionalOdds(math.nan, 6, math.nan, (), 40, untested=Untested("few clusters", test_cases=5))
    made = dataclasses.replace(Calibration.from_document(saved), proportional_odds=odds)
    written = calibration_document(made)["proportional_odds"]
    assert isinstance(written, dict)
    assert written["reason"] == "The slopes rest on too few labels or clusters: about 5 that say equally much."
    assert written["says"] == f"Proportional odds were not tested. {written['reason']}"
    assert written["test_cases"] is None
