"""The chapter on judges: who judged by what, agreement with its n, what has no score and why, and what biases cost."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from hcat.core.capabilities.judges.against_people import judge_agreement
from hcat.core.capabilities.judges.chapter import judges_section
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.manipulations import RefusalConsistency, ScoreBias, ScoreShift
from hcat.core.capabilities.judges.stored import StoredJudgement
from hcat.core.capabilities.judges.verdict import JudgeVerdict, mean_scores
from hcat.core.capabilities.report.evidence.machine_records import JudgedCriterion, JudgeEvidence
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.models.llm.language import Usage
from hcat.core.records.judging import JudgeRun
from hcat.core.types import Criterion, Estimate, Label
from hcat.core.view.tree import Bullets, KeyValues, Paragraph, Section, Table

PEOPLE = Criterion("correctness")
NAME = "captured_rate"
AT = datetime(2026, 1, 1, tzinfo=UTC)
STORED = JudgeRun(
    *(1, 1, "run", "judge", "ab" * 32, FUNNEL.name, 3, 40, "artifact"), {"model": "reader", "trials": 1}, {}, "lee", AT
)
RECORD = STORED.facts
VERDICTS = tuple(
    JudgeVerdict(f"s{n}", NAME, 0, None, "the answer declines")
    if n % 10 == 9
    else JudgeVerdict(f"s{n}", NAME, 0, 5 if n % 2 else 2, "compared")
    for n in range(40)
)
SHIFT = Estimate(1.0, 0.8, 1.2, 40, 0.95, "t")
PASSES = Estimate(0.25, 0.12, 0.38, 40, 0.95, "t")


def judged(labelled: int) -> JudgedCriterion:
    labels = [Label(f"s{n}", "correctness", n % 2, "ann") for n in range(labelled)]
    agreement = judge_agreement(
        mean_scores(VERDICTS, NAME),
        labels,
        people=PEOPLE,
        judge=FUNNEL.criterion(NAME),
        rng=np.random.default_rng(1),
        replicates=100,
    )
    stored = StoredJudgement(RECORD, FUNNEL, VERDICTS)
    assert stored.criteria == (NAME,)
    return JudgedCriterion(NAME, 40, stored.unscored(NAME), {"correctness": agreement} if labels else {})


def section(*items: JudgeEvidence) -> Section:
    built = judges_section(Evidence("p", AT, "0", judges=items))
    assert built is not None
    return built


def text(of: Section) -> str:
    parts = [
        *(each for block in of.blocks if isinstance(block, Paragraph) for each in block.text),
        *(each for block in of.blocks if isinstance(block, Bullets) for item in block.items for each in item),
        *(each for block in of.blocks if isinstance(block, Table) for each in block.note),
    ]
    return " ".join(map(str, parts))


def test_a_judge_stands_with_its_rubric_its_agreement_and_what_it_left_unscored() -> None:
    of = section(JudgeEvidence("r", "judge", RECORD, (judged(40),)))
    [facts] = (block for block in of.blocks if isinstance(block, KeyValues))
    assert {name: each.value for name, each in facts.items} == {
        "Model": "reader",
        "Rubric": f"{FUNNEL.name}, version 3",
        "Version of the judge": "ab" * 6,
        "Trials a sample": "1",
        "Samples": 40,
    }
    verdicts, agreement = (block for block in of.blocks if isinstance(block, Table))
    assert verdicts.rows == ((NAME, 36, 4, "4 × the answer declines"),)
    [(name, people, n, by_rule, kappa, on_levels, same, beyond)] = agreement.rows
    assert (name, people, n, by_rule, beyond) == (NAME, "correctness", 36, 0, "shown")
    assert on_levels is None  # people pass or fail, and the judge has five scores
    assert isinstance(kappa, Estimate) and isinstance(same, Estimate)
    assert (kappa.value, same.value, kappa.n) == (1, 1, 36)  # judge and labels both pass every second sample
    assert "was not checked for bias" in text(of)


def test_too_few_labels_give_no_number() -> None:
    agreement = section(JudgeEvidence("r", "judge", RECORD, (judged(9),))).blocks[4]
    assert isinstance(agreement, Table)
    assert agreement.rows[0][2:] == (9, 0, None, None, None, "too few to tell")
    assert "There are no labels" in text(section(JudgeEvidence("r", "judge", RECORD, (judged(0),))))


def test_a_bias_is_told_with_what_it_does_to_the_pass_rate() -> None:
    nothing = Estimate(np.nan, np.nan, np.nan, 0, 0.95, "t")
    biases = ScoreBias(
        (
            ScoreShift("verbosity", NAME, 40, SHIFT, PASSES, 0.001, 0.002),
            ScoreShift("authority", NAME, 40, SHIFT, PASSES, 0.4, 0.4),
            ScoreShift("position", NAME, 0, nothing, nothing, np.nan, np.nan),
        ),
        (RefusalConsistency(NAME, 0, nothing, nothing),),
        Usage(),
    )
    check = replace(RECORD, version="cd" * 32)
    of = section(JudgeEvidence("r", "judge", RECORD, (judged(40),), check, biases))
    [table] = (block for block in of.blocks if isinstance(block, Table) and block.title.startswith("Biases"))
    assert [row[-1] for row in table.rows] == ["bias", "none shown", "too few to test"]
    assert table.rows[2][2:5] == (0, None, None)
    said = text(of)
    assert "moves the pass rate on captured_rate by +25.0 points (+12.0 points to +38.0 points, 40 pairs)" in said
    assert said.count("moves the pass rate") == 1
    assert "another version of the judge" in said
    assert "was not checked" not in said


def test_without_a_judge_there_is_no_chapter() -> None:
    assert judges_section(Evidence("p", AT, "0")) is None
