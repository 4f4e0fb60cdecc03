from __future__ import annotations

import dataclasses
import math

import pytest

from hcat.core.calibration.checks.baselines import BASELINES
from hcat.core.calibration.checks.diagnostics import Diagnostics, diagnose
from hcat.core.calibration.checks.evidence import Discrimination, Evidence, RepeatedSplits, Spread
from hcat.core.calibration.checks.fitness import LEAST_CHECKED, USEFUL_AUC, fitness
from hcat.core.calibration.conformal.mondrian import class_thresholds, group_thresholds
from hcat.core.calibration.conformal.threshold import Threshold
from hcat.core.capabilities.calibration.wording.rule import verdict_rule
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason
from hcat.core.types import Estimate

ENOUGH = Threshold(q_hat=0.6, n=100, alpha=0.1, enough=True, needed=9)


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, low, high, 100)


TELLS = Discrimination(
    auc=estimate(0.85, 0.78, 0.91),
    p=1e-12,
    level=1e-6,
    evaluators=20,
    n=100,
    of_score=True,
    against_p=1.0,
    margins={"answer_length": estimate(0.3, 0.2, 0.4), "token_f1": estimate(0.15, 0.05, 0.25)},
    independent=14.2,
    alone=1e-3,
    auc_tested=Estimate(0.85, 0.66, 0.95, 100, 1 - 2e-6),
    auc_alone=Estimate(0.85, 0.72, 0.93, 100, 1 - 2e-3),
)
REPEATED = RepeatedSplits(
    splits=20,
    q_hat=Spread(0.6, 0.5, 0.7),
    coverage=Spread(0.91, 0.85, 0.95),
    auc=Spread(0.85, 0.8, 0.9),
    decided=Spread(0.7, 0.6, 0.8),
    decided_low=0.58,
    coverage_p=1.0,
    handed_out=estimate(0.72, 0.6, 0.8),
    coverage_level=1e-3,
)
EVIDENCE = Evidence(TELLS, REPEATED)


def tells(**change: object) -> Evidence:
    return dataclasses.replace(EVIDENCE, discrimination=dataclasses.replace(TELLS, **change))  # type: ignore[arg-type]


def repeated(**change: object) -> Evidence:
    return dataclasses.replace(EVIDENCE, repeated=dataclasses.replace(REPEATED, **change))  # type: ignore[arg-type]


@pytest.fixture
def good() -> Diagnostics:
    d = diagnose([0.1, 0.9] * 50, [0, 1] * 50, q_hat=0.6)
    return dataclasses.replace(d, coverage=estimate(0.91, 0.84, 0.96))


def test_yes(good: Diagnostics) -> None:
    verdict = fitness(good, ENOUGH, EVIDENCE)
    said = verdict_reason(verdict, good, ENOUGH, EVIDENCE)
    assert verdict.value == "yes"
    assert "token_f1 by +0.15" in said
    assert "at least 84% is shown" in said
    assert "as promised" not in said


@pytest.mark.parametrize(
    ("evidence", "value", "reason"),
    [
        (tells(p=1.0, against_p=1e-7), "no", "scores worse"),
        (repeated(coverage_p=5e-4), "no", "too few for the 90%"),
        (tells(auc_alone=estimate(0.52, 0.45, 0.59)), "no", "below 0.6"),
        (
            tells(margins={"token_f1": estimate(-0.1, -0.2, -0.01)}, beaten_by="token_f1"),
            "no",
            "below that of the trivial token_f1",
        ),
        (tells(p=1e-5), "not shown", "p = 1e-05 on 100 labels, and it takes 1e-06 or less. This level allows for"),
        (tells(p=1e-5), "not shown", "20 metrics (correlated, so that they count as 14.2)"),
        (tells(p=1e-5, planned=100), "not shown", "the look that was planned at 100 labels"),
        (tells(against_p=0.02), "yes", "above chance"),
        (repeated(coverage_p=0.02), "yes", "above chance"),
        (tells(auc=estimate(0.65, 0.48, 0.79)), "not shown", "above chance"),
        (tells(margins={"token_f1": estimate(0.05, -0.1, 0.2)}), "not shown", "beat the trivial token_f1"),
        (tells(auc=estimate(math.nan, math.nan, math.nan)), "not shown", "same label"),
        (repeated(decided_low=0.5), "not shown", "more than 50% of samples"),
        (repeated(handed_out=estimate(0.3, 0.2, 0.45)), "not shown", "by those handed out 30%"),
        (dataclasses.replace(EVIDENCE, backwards=("groundedness",)), "not shown", "direction in which groundedness"),
        (dataclasses.replace(EVIDENCE, repeated=None), "not shown", "Too few labels to repeat"),
        (tells(against_p=None), "yes", "above chance"),
    ],
)
def test_each_step_of_the_rule(good: Diagnostics, evidence: Evidence, value: str, reason: str) -> None:
    verdict = fitness(good, ENOUGH, evidence)
    assert verdict.value == value
    assert reason in verdict_reason(verdict, good, ENOUGH, evidence)


def test_what_is_said_of_coverage_is_what_its_interval_says(good: Diagnostics) -> None:
    for coverage, said in (
        (estimate(0.97, 0.93, 0.99), "shown to reach it"),
        (estimate(0.91, 0.84, 0.96), "at least 84% is shown"),
        (estimate(0.80, 0.71, 0.87), "covers less"),
    ):
        measured = dataclasses.replace(good, coverage=coverage)
        verdict = fitness(measured, ENOUGH, EVIDENCE)
        assert verdict.value == "yes"
        assert said in verdict_reason(verdict, measured, ENOUGH, EVIDENCE)


def test_too_few_labels_are_not_shown(good: Diagnostics) -> None:
    few = dataclasses.replace(ENOUGH, n=5, enough=False)
    verdict = fitness(good, few, EVIDENCE)
    assert verdict.value == "not shown"
    assert "at least 9" in verdict_reason(verdict, good, few, EVIDENCE)
    unchecked = dataclasses.replace(good, n=19)
    verdict = fitness(unchecked, ENOUGH, EVIDENCE)
    assert verdict.value == "not shown"
    assert "at least 20" in verdict_reason(verdict, unchecked, ENOUGH, EVIDENCE)


def test_without_baselines_chance_is_the_bar(good: Diagnostics) -> None:
    alone = tells(margins={"token_f1": estimate(math.nan, math.nan, math.nan)})
    assert fitness(good, ENOUGH, alone).value == "yes"


def test_no_check_labels_and_no_evidence(good: Diagnostics) -> None:
    assert fitness(None, ENOUGH, EVIDENCE).value == "not shown"
    unasked = fitness(good, ENOUGH, None)
    assert (unasked.value, unasked.cause) == ("not shown", "not evaluated")
    assert "not evaluated here" in verdict_reason(unasked, good, ENOUGH, None)


def test_a_map_that_tells_no_sample_from_another_shows_nothing(good: Diagnostics) -> None:
    low = tells(auc_alone=estimate(0.3, 0.2, 0.4))
    assert fitness(good, ENOUGH, low).value == "no"
    verdict = fitness(good, ENOUGH, low, flat=True)
    said = verdict_reason(verdict, good, ENOUGH, low)
    assert (verdict.value, "same probability" in said) == ("not shown", True)


def test_a_class_without_labels_enough_is_not_shown_and_named(good: Diagnostics) -> None:
    short = class_thresholds([0.1] * 30, [1] * 27 + [0] * 3, names=("fail", "pass"), alpha=0.1)
    verdict = fitness(good, ENOUGH, EVIDENCE, conditional=short)
    assert verdict.value == "not shown"
    assert "fail (6 more needed)" in verdict_reason(verdict, good, ENOUGH, EVIDENCE, conditional=short)
    # A level of a dimension that is too small leaves the others of use.
    groups = group_thresholds([0.1] * 30, ["a"] * 27 + ["b"] * 3, by="topic", alpha=0.1)
    assert fitness(good, ENOUGH, EVIDENCE, conditional=groups).value == "yes"


def test_the_rule_in_words_states_the_numbers_that_decide() -> None:
    said = verdict_rule(0.2)
    text = " ".join((said.basis, *(f"{name}: {when}" for name, when in (*said.verdicts, *said.conditions)), said.terms))
    for wanted in ("promise of 0.8", f"below {USEFUL_AUC}", f"At least {LEAST_CHECKED} labels", "50%", *BASELINES):
        assert wanted in text
