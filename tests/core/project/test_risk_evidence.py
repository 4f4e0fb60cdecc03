"""What of a run can touch a risk: attacks, groups of people, safety metrics, judges."""

from __future__ import annotations

from datetime import UTC, datetime

from hcat.core.attack_detectors import ARM, DETECTOR, FAMILY, MARKER
from hcat.core.capabilities.risks.services.risk_evidence import of_columns, of_scores, of_verdicts
from hcat.core.models.model_set import ModelSet
from hcat.core.records.judging import JudgeRun, JudgeWork
from hcat.core.records.stated import ATTRIBUTE, GROUP
from hcat.core.scoring.evaluate import score_samples
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import JsonValue, Passage, Sample, Variant

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def attacked(name: str, arm: str, answer: str) -> Sample:
    facts: dict[str, JsonValue] = {FAMILY: "override", ARM: arm, DETECTOR: "canary", MARKER: ["HARBOUR-7"]}
    return Sample(name, "q", answer, metadata=facts)


def judged(number: int, judge: str, work: JudgeWork, n: int) -> JudgeRun:
    return JudgeRun(number, 1, work, judge, "hash", "five criteria", 0, n, "file", {}, {}, "ann", NOW)


def test_attacks_are_counted_by_arm() -> None:
    samples = [attacked("a", "attack", "HARBOUR-7"), attacked("b", "attack", "No."), attacked("c", "control", "No.")]
    [evidence] = of_columns("v1", ColumnsOfSamples(samples))
    assert evidence.name == "Attacks, run v1"
    assert evidence.says == "success is reported on 1 of 2 attacks and 0 of 1 control"


def test_answers_for_groups_of_people_are_counted_with_their_test_cases() -> None:
    samples = [
        Sample(group, "q", "a", variant=Variant("gender", "fee"), metadata={ATTRIBUTE: "gender", GROUP: group})
        for group in ("women", "men")
    ]
    [evidence] = of_columns("v1", ColumnsOfSamples(samples))
    assert evidence.name == "Fairness, run v1"
    assert evidence.says == "2 answers for groups of people to 1 test case"


def test_a_plain_run_says_nothing() -> None:
    assert of_columns("v1", ColumnsOfSamples([Sample("a", "q", "x")])) == ()
    assert of_scores("v1", None) == ()


def test_safety_metrics_stand_with_interval_and_n() -> None:
    samples = [
        Sample(f"s{k}", "Who?", "Write to jo.nan@example.org" if k == 0 else "Nobody.", (Passage("p", "Nobody."),))
        for k in range(4)
    ]
    table = score_samples(samples, metrics=["pii_leak", "token_groundedness"], models=ModelSet(()))
    [evidence] = of_scores("v1", table)
    assert evidence.name == "Safety, run v1"
    assert evidence.says.startswith("Leak of personal data 0.25") and evidence.says.endswith("n = 4")
    assert "groundedness" not in evidence.says


def test_the_newest_verdicts_of_each_judge_on_the_whole_run_count() -> None:
    runs = [judged(3, "strict", "trial", 10), judged(2, "strict", "run", 44), judged(1, "strict", "run", 40)]
    [evidence] = of_verdicts("v1", runs)
    assert evidence.name == "Judge strict, run v1"
    assert evidence.says == "44 answers by rubric five criteria, as it comes with hcat"
