"""No report contradicts itself: rules hold on ten small projects and in each edition, and a broken one is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from hcat.core.calibration.conformal.level_sets import EMPTY
from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.report.analysis.evidence import gather_evidence
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.consistency import contradictions
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.sections.summary import summary_section
from hcat.core.capabilities.report.template import DEFAULT
from hcat.core.display.edition import Language, edition
from hcat.core.errors import HcatError
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.score_table import Provenance, ScoreTable, score_table
from hcat.core.types import Criterion, Estimate, Label, Sample, Score
from hcat.core.types import Passage as Text
from hcat.core.view.tree import Bullets, Callout, Column, Report, Section, Table

CRITERION = Criterion("correctness")
SHORT = ("summary", "calibration", "limitations")
TABLE_TEXT = "Fee | 2024 | 2025\nCard | 10 | 12\nLoan | 30 | 31\nTransfer | 3 | 4"
"""A context that an entailment model was not made for."""


@dataclass(frozen=True)
class Small:
    """A small project: samples, of them labelled by people and by a rule, trials of a test case, which part is unscored
    or beside a table, and what is calibrated."""

    n: int = 60
    labelled: int = 40
    by_rule: int = 0
    trials: int = 1
    unscored: int = 0
    tables: int = 0
    metrics: tuple[str, ...] = ("answer_f1",)
    calibrated: tuple[str, ...] = ("answer_f1",)
    passes: Callable[[int, float], bool] = lambda k, score: (score > 0.4) != (k % 9 == 0)


PROJECTS = {
    "usual": Small(),
    "no labels": Small(labelled=0, calibrated=()),
    "few labels": Small(labelled=12),
    "labels of a rule": Small(labelled=0, by_rule=40),
    "people and a rule": Small(labelled=25, by_rule=20),
    "trials of test cases": Small(n=90, labelled=60, trials=3),
    "many unscored": Small(unscored=20),
    "machine verdicts and tables": Small(tables=40, metrics=("answer_f1", "faithfulness")),
    "all pass": Small(passes=lambda _k, _score: True, calibrated=()),
    "two metrics": Small(n=200, labelled=160, metrics=("answer_f1", "groundedness"),
                         calibrated=("answer_f1", "groundedness")),
}  # fmt: skip


def evidence_of(small: Small, *, language: Language = "en") -> Evidence:
    rng = np.random.default_rng(5)
    values = {name: np.round(rng.random(small.n), 3) for name in small.metrics}
    samples = tuple(
        Sample(
            f"s{k}",
            f"What is the fee of account {k // small.trials}?",
            None if k < small.unscored else f"The fee of account {k} is {k} euros.",
            (Text(f"d{k}", TABLE_TEXT if k < small.tables else f"The fee of account {k} is {k} euros a year."),),
            dimensions={"area": ("cards", "loans", "accounts")[k % 3], "kind": "ab"[k // 3 % 2]},
            test_case=f"t{k // small.trials}",
            trial=k % small.trials,
        )
        for k in range(small.n)
    )
    first = values[small.metrics[0]]
    people = [Label(f"s{k}", "correctness", int(small.passes(k, first[k])), "ann") for k in range(small.labelled)]
    rule = [
        Label(f"s{k}", "correctness", int(first[k] > 0.5), "rule", source="rule")
        for k in range(small.n - small.by_rule, small.n)
    ]

    def scores() -> ScoreTable:
        made = {
            name: [
                Score(None, "no answer") if s.answer is None else Score(float(v))
                for s, v in zip(samples, of, strict=True)
            ]
            for name, of in values.items()
        }
        return score_table([s.id for s in samples], made, Provenance("0", content_hash(samples), small.metrics))

    with edition(language):
        run = run_from_files(RunColumns("r", FileColumns(lambda: samples, scores)), [*people, *rule], [CRITERION])
        fitted = calibrate(run, CRITERION, metrics=list(small.calibrated)) if small.calibrated else None
        run = run if fitted is None else run.by(fitted)
        reported = ReportedRun(run, (CRITERION,), () if fitted is None else (fitted,), newest=fitted)
        return gather_evidence([reported], project="p", hashes={}, criteria=[CRITERION])


def broken(report: Report) -> list[str]:
    return [
        str(block.text)
        for section in report.sections
        for block in section.blocks
        if isinstance(block, Callout)
        and block.title in ("This report contradicts itself", "Dieser Bericht widerspricht sich")
    ]


@pytest.mark.parametrize("name", PROJECTS)
def test_no_small_project_contradicts_itself(name: str) -> None:
    evidence = evidence_of(PROJECTS[name])
    assert broken(build_report(evidence)) == []
    short = build_report(evidence, chapters=SHORT)
    assert [section.id for section in short.sections] == list(SHORT) and broken(short) == []


def test_the_german_edition_does_not_either() -> None:
    evidence = evidence_of(PROJECTS["machine verdicts and tables"], language="de")
    assert broken(build_report(evidence, template=replace(DEFAULT, language="de"))) == []


def test_machine_verdicts_are_counted_without_the_answers_that_their_mean_withholds() -> None:
    evidence = evidence_of(replace(PROJECTS["machine verdicts and tables"], calibrated=("faithfulness",)))
    [faithful] = [item.errors for item in evidence.verdicts if item.errors.metric == "faithfulness"]
    assert faithful.n == evidence.runs[0].scores["faithfulness"].mean.n == 20


def test_coverage_above_the_share_of_sets_that_hold_a_label_is_named(evidence: Evidence) -> None:
    """Of 62 sets 21 are empty: at most 41 of 62, 66.1%, hold the label."""
    item = evidence.calibrations[0]
    assert item.calibration.diagnostics is not None
    checked = replace(item.calibration.diagnostics, coverage=Estimate(0.917, 0.696, 1.0, 48))
    shown = replace(item, calibration=replace(item.calibration, diagnostics=checked), decisions={"pass": 41, EMPTY: 21})
    report = build_report(replace(evidence, calibrations=(shown,)))
    [said] = broken(report)
    assert "91.7% [69.6%, 100%], n = 48" in said and "66.1%" in said
    assert isinstance(report.sections[0].blocks[0], Callout)
    chapter = next(section for section in report.sections if section.id == "calibration")
    assert "that of 66.1% at most" in str(chapter)
    within = replace(checked, coverage=Estimate(0.6, 0.5, 0.7, 48))
    held = replace(shown, calibration=replace(item.calibration, diagnostics=within))
    assert broken(build_report(replace(evidence, calibrations=(held,)))) == []


def test_other_broken_rules_are_named(evidence: Evidence) -> None:
    columns = (Column("Family"), Column("Change", "difference"), Column("Verdict", "verdict"))

    def said(*rows: tuple[str, Estimate, str]) -> list[str]:
        table = Table("Groundedness by family", columns, rows)
        return list(contradictions(evidence, {"robustness": Section("robustness", "Variants", (table,))}))

    assert said(("spelling", Estimate(-0.04, -0.09, 0.01, 106), "worse")) == [
        "Groundedness by family, spelling: the verdict is “worse”, and the interval beside it holds 0."
    ]
    assert said(("spelling", Estimate(-0.04, -0.077, -0.006, 106), "worse")) == []
    assert said(("spelling", Estimate(-0.04, -0.09, 0.01, 106), "not shown to differ")) == []
    table = Table("Twice", (Column("a"),), ())
    twice = Section("s", "Chapter", (table, table))
    assert list(contradictions(evidence, {"s": twice})) == ["Chapter: “Twice” stands there twice."]
    run = replace(evidence.runs[0], n=401)
    assert "groundedness counts 400 of 401 samples" in broken(build_report(replace(evidence, runs=(run,))))[0]


def test_the_summary_holds_no_verdict_by_a_score_alone(evidence: Evidence) -> None:
    """The fixture's slices are of an uncalibrated metric: they are in their chapter and not in the summary."""
    [lines] = [block for block in summary_section(evidence).blocks if isinstance(block, Bullets)]
    assert not any("lower score" in str(line) for line in lines.items)
    by_people = evidence.weaknesses[0].table.frame.assign(basis="people")
    judged = replace(evidence.weaknesses[0], table=replace(evidence.weaknesses[0].table, frame=by_people))
    [lines] = [b for b in summary_section(replace(evidence, weaknesses=(judged,))).blocks if isinstance(b, Bullets)]
    assert any("with enough samples to be tested" in str(line) for line in lines.items)


def test_a_threshold_that_other_splits_do_not_give_is_not_put_in_force(evidence: Evidence) -> None:
    calibration = evidence.calibrations[0].calibration
    assert calibration.evidence is not None and calibration.evidence.repeated is not None
    assert calibration.unusual_q_hat is None and calibration.put_in_force(author="ann", reason="a test").use
    low, high = calibration.evidence.repeated.q_hat.low, calibration.evidence.repeated.q_hat.high
    of_a_split = replace(calibration, sets_by_score=None)
    odd = replace(of_a_split, threshold=replace(calibration.threshold, q_hat=low - 0.1))
    assert odd.unusual_q_hat == (low, high)
    with pytest.raises(HcatError, match="not what other splits of the same labels give"):
        odd.put_in_force(author="ann", reason="a test")
    shown = replace(evidence.calibrations[0], calibration=odd)
    chapter = next(s for s in build_report(replace(evidence, calibrations=(shown,))).sections if s.id == "calibration")
    assert any(
        isinstance(block, Callout) and block.title == "The threshold is an unusual one" for block in chapter.blocks
    )
