from __future__ import annotations

import dataclasses
import math

import pytest

from core.calibration.checks.diagnostics import Diagnostics, diagnose
from core.calibration.checks.fitness import BASELINES, LEAST_CHECKED, USEFUL_AUC, fitness
from core.calibration.conformal.mondrian import class_thresholds, group_thresholds
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate
from core.wording.calibration import verdict_rule
from core.wording.verdict import verdict_reason

ENOUGH = Threshold(q_hat=0.6, n=100, alpha=0.1, enough=True, needed=9)


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, low, high, 100)


@pytest.fixture
def good() -> Diagnostics:
    d = diagnose([0.1, 0.9] * 50, [0, 1] * 50, q_hat=0.6)
    return dataclasses.replace(
        d,
        auc=estimate(0.85, 0.78, 0.91),
        coverage=estimate(0.91, 0.84, 0.96),
        baselines={"answer_length": estimate(0.6, 0.5, 0.7), "token_f1": estimate(0.7, 0.6, 0.8)},
    )


def test_yes(good: Diagnostics) -> None:
    verdict = fitness(good, ENOUGH)
    assert verdict.value == "yes"
    assert "token_f1 (0.70)" in verdict_reason(verdict, good, ENOUGH)


@pytest.mark.parametrize(
    ("change", "value", "reason"),
    [
        ({"coverage": estimate(0.80, 0.71, 0.87)}, "no", "less than the 90%"),
        ({"auc": estimate(0.52, 0.45, 0.59)}, "no", "below 0.6"),
        (
            {"auc": estimate(0.62, 0.55, 0.68), "baselines": {"token_f1": estimate(0.76, 0.70, 0.82)}},
            "no",
            "below that of the trivial token_f1",
        ),
        ({"auc": estimate(0.65, 0.48, 0.79)}, "not shown", "above chance"),
        ({"auc": estimate(0.75, 0.66, 0.83)}, "not shown", "beat the trivial token_f1"),
        ({"n": 19}, "not shown", "at least 20"),
        ({"auc": estimate(math.nan, math.nan, math.nan)}, "not shown", "same label"),
        ({"coverage": estimate(0.97, 0.93, 0.99)}, "yes", "AUC"),
    ],
)
def test_each_step_of_the_rule(good: Diagnostics, change: dict[str, object], value: str, reason: str) -> None:
    measured = dataclasses.replace(good, **change)  # type: ignore[arg-type]
    verdict = fitness(measured, ENOUGH)
    assert verdict.value == value
    assert reason in verdict_reason(verdict, measured, ENOUGH)


def test_too_few_labels_for_alpha_are_not_shown(good: Diagnostics) -> None:
    few = dataclasses.replace(ENOUGH, n=5, enough=False)
    verdict = fitness(good, few)
    assert verdict.value == "not shown"
    assert "at least 9" in verdict_reason(verdict, good, few)


def test_without_baselines_chance_is_the_bar(good: Diagnostics) -> None:
    alone = dataclasses.replace(good, baselines={"token_f1": estimate(math.nan, math.nan, math.nan)})
    assert fitness(alone, ENOUGH).value == "yes"


def test_no_check_labels() -> None:
    assert fitness(None, ENOUGH).value == "not shown"


def test_a_map_that_tells_no_sample_from_another_shows_nothing(good: Diagnostics) -> None:
    low = dataclasses.replace(good, auc=estimate(0.3, 0.2, 0.4))
    assert fitness(low, ENOUGH).value == "no"
    verdict = fitness(low, ENOUGH, flat=True)
    assert (verdict.value, "same probability" in verdict_reason(verdict, low, ENOUGH)) == ("not shown", True)


def test_a_class_without_labels_enough_is_not_shown_and_named(good: Diagnostics) -> None:
    short = class_thresholds([0.1] * 30, [1] * 27 + [0] * 3, names=("fail", "pass"), alpha=0.1)
    verdict = fitness(good, ENOUGH, conditional=short)
    assert verdict.value == "not shown"
    assert "fail (6 more needed)" in verdict_reason(verdict, good, ENOUGH, conditional=short)
    # A level of a dimension that is too small leaves the others of use.
    groups = group_thresholds([0.1] * 30, ["a"] * 27 + ["b"] * 3, by="topic", alpha=0.1)
    assert fitness(good, ENOUGH, conditional=groups).value == "yes"


def test_the_rule_in_words_states_the_numbers_that_decide() -> None:
    said = verdict_rule(0.2)
    text = " ".join((said.basis, *(f"{name}: {when}" for name, when in said.verdicts), said.terms))
    for wanted in ("below 0.8", f"below {USEFUL_AUC}", f"at least {LEAST_CHECKED} labels", *BASELINES):
        assert wanted in text
