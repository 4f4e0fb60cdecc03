import dataclasses
import json
import math
from datetime import UTC, datetime
from typing import Literal

import pytest

from hcat.core.calibration.checks.fitness import Verdict
from hcat.core.capabilities.report.analysis.evidence import metric_notes
from hcat.core.capabilities.report.build import build_report, chapter_titles
from hcat.core.capabilities.report.evidence.excerpts import excerpt, worst_samples
from hcat.core.capabilities.report.evidence.gather import label_evidence
from hcat.core.capabilities.report.evidence.records import (
    DoubtfulNumbers,
    Evidence,
    LabelEvidence,
    RunEvidence,
    VerdictEvidence,
    WeaknessEvidence,
)
from hcat.core.capabilities.report.sections.limitations import limitations
from hcat.core.capabilities.report.sections.reproducibility import installed_versions
from hcat.core.errors import HcatError
from hcat.core.estimates.verdict_errors import VerdictErrors
from hcat.core.scoring.score_table import MetricSummary, ScoreTable
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Criterion, Estimate, Label, Passage, Sample
from hcat.core.view.renderers.json_tree import report_document, report_hash
from hcat.core.view.renderers.render import RENDERERS, render
from hcat.core.view.tree import Bullets, Callout, Column, Heading, Quantity, Report, Section, Table, Text
from hcat.core.view.values import show

BARE = Evidence("Empty project", datetime(2026, 3, 2, tzinfo=UTC), "0.1.0")


def said(evidence: Evidence) -> list[str]:
    return [plain(text) for text in limitations(evidence)]


def plain(text: Text) -> str:
    return "".join(show(part).text if isinstance(part, Quantity) else part for part in text)


def table(report: Report, title: str) -> Table:
    return next(b for s in report.sections for b in s.blocks if isinstance(b, Table) and b.title == title)


def test_sections_stand_in_their_order(evidence: Evidence) -> None:
    report = build_report(evidence)
    assert [section.id for section in report.sections] == [
        *("summary", "scope", "data", "coverage", "metrics", "people", "calibration", "results", "weaknesses"),
        *("findings", "limitations", "reproducibility", "references", "changes", "all-metrics", "all-slices"),
    ]
    titles = chapter_titles()
    assert [titles[section.id] for section in report.sections] == [section.title for section in report.sections]


def test_numbers_are_those_of_the_evidence(evidence: Evidence, scores: ScoreTable) -> None:
    report = build_report(evidence)
    means = {row[0]: row[1:5] for row in table(report, "Scores of run baseline").rows}
    mean = scores.summary()["groundedness"].mean
    assert means["Groundedness"] == (mean.value, mean.low, mean.high, 390)
    frame = evidence.weaknesses[0].table.frame
    cell = frame[(frame["level_1"] == "mortgage, fixed rate") & (frame["level_2"] == "multi-hop")].iloc[0]
    first = table(report, "Lowest slices by Groundedness, run baseline").rows[0]
    shrunken = Estimate(cell["shrunken"], cell["selected_low"], cell["selected_high"], cell["n"])
    mean = Estimate(cell["mean"], cell["low"], cell["high"], cell["n"])
    title = "topic = mortgage, fixed rate, query_type = multi-hop"
    assert first[:5] == (title, "lower score", mean, "scores", cell["unscored"])  # refusals were not recorded
    assert first[5:] == (cell["difference"], cell["q"], cell["effect"], shrunken)


def test_agreement_and_corrected_pass_rates_are_those_of_the_evidence(evidence: Evidence) -> None:
    report = build_report(evidence)
    agreed = table(report, "Agreement on groundedness, run baseline")
    assert dict(agreed.rows) == evidence.agreements[0].agreement.coefficients
    assert "Of 2 people" in plain(agreed.note)
    rate = evidence.pass_rates[0]
    shown = table(report, "Pass rate on groundedness, run baseline")
    found = rate.estimates
    assert found.of_these is not None
    assert [row[1:] for row in shown.rows] == [
        (found.naive, None, None),
        (found.labels_only, found.of_these.labels_only, found.labels_only_effective_n),
        (found.ppi, found.of_these.ppi, found.effective_n),
    ]
    assert plain(shown.note).startswith("340 of 400 samples labelled")
    by_type = table(report, "Pass rate by query_type, on groundedness, run baseline")
    assert {row[0]: row[5] for row in by_type.rows} == {p.level: p.estimates.ppi for p in rate.slices["query_type"]}
    assert sum(int(str(row[1])) for row in by_type.rows) == 400


def test_machine_verdicts_stand_beside_what_labels_say(evidence: Evidence) -> None:
    share = Estimate(0.4, 0.2, 0.6, 30)
    errors = VerdictErrors(
        "faithfulness", "groundedness", 0.04, 400, share, share, evidence.pass_rates[0].estimates.ppi
    )
    report = build_report(dataclasses.replace(evidence, verdicts=(VerdictEvidence("baseline", errors),)))
    [row] = table(report, "Machine verdicts against labels").rows
    assert row == ("baseline", "groundedness", "Faithfulness", 400, 0.04, share, share, errors.corrected)


def test_pass_rates_by_labels_of_a_rule_say_so(evidence: Evidence) -> None:
    def warned(by_rule: int) -> list[str]:
        rate = dataclasses.replace(evidence.pass_rates[0], by_rule=by_rule)
        results = next(
            s for s in build_report(dataclasses.replace(evidence, pass_rates=(rate,))).sections if s.id == "results"
        )
        return [plain(block.text) for block in results.blocks if isinstance(block, Callout)]

    assert warned(0) == []
    assert [text.split(" ")[0] for text in warned(40)] == ["40"]


def test_levels_with_too_few_labels_have_no_pass_rate(evidence: Evidence) -> None:
    rate = evidence.pass_rates[0]
    first, *others = rate.slices["query_type"]
    thin = dataclasses.replace(rate, slices={"query_type": (dataclasses.replace(first, enough=False), *others)})
    shown = table(
        build_report(dataclasses.replace(evidence, pass_rates=(thin,))),
        "Pass rate by query_type, on groundedness, run baseline",
    )
    assert {row[0] for row in shown.rows[:-1]} == {part.level for part in others}
    assert shown.rows[-1][0] == first.level
    assert shown.rows[-1][3:] == (None, None, "insufficient evidence", None)


def test_the_rule_of_the_verdict_is_spelled_out(evidence: Evidence) -> None:
    blocks = next(s for s in build_report(evidence).sections if s.id == "calibration").blocks
    place = next(i for i, b in enumerate(blocks) if isinstance(b, Heading) and b.text == "The rule of the verdict")
    bullets = next(b for b in blocks[place:] if isinstance(b, Bullets))
    assert [plain(item).split(":")[0] for item in bullets.items] == ["Yes", "No", "Not shown"]


def test_an_empty_project_is_reported_as_empty() -> None:
    report = build_report(BARE)
    assert len(report.sections) == 14
    assert all(section.blocks for section in report.sections)
    assert {"No run was scored.", "There are no labels."} <= {
        plain(block.text)
        for section in report.sections
        for block in section.blocks
        if hasattr(block, "text") and isinstance(block.text, tuple)
    }
    for name in RENDERERS:
        assert render(report, format=name)


def test_limitations_of_an_empty_project() -> None:
    assert said(BARE) == [
        "There are no labels: nothing here was compared with human judgement.",
        "No score was calibrated against labels, so no score can replace human judgement.",
        "Slices were not compared: weaknesses in parts of the test set may have been missed.",
        "No person has confirmed a finding: verdicts on slices are statistical results only.",
        "All results hold for these test cases. How well the test cases represent the questions that users will ask "
        "is not measured here.",
    ]


def test_limitations_follow_from_the_facts() -> None:
    run = RunEvidence(
        "r1",
        "0" * 64,
        n=200,
        unanswered=3,
        scores={
            "groundedness": MetricSummary(Estimate(0.7, 0.6, 0.8, 150), {"no context": 40, "no answer": 10}),
            "groundedness_min": MetricSummary(Estimate(0.5, 0.4, 0.6, 150), {"no context": 40, "no answer": 10}),
            "answer_length": MetricSummary(Estimate(50, 45, 55, 197), {"no answer": 3}),
        },
    )
    few = LabelEvidence("r1", "correctness", "people", ("ada",), 30, 28, Estimate(0.5, 0.3, 0.7, 26), 2, False)
    rule = LabelEvidence("r1", "groundedness", "rule", ("reference-rule",), 90, 90, Estimate(0.5, 0.4, 0.6, 90))
    found = said(dataclasses.replace(BARE, runs=(run,), labels=(few, rule)))
    assert found[:8] == [
        "Run r1: the system gave no answer to 3 samples (1.5%).",
        # 50 of 200 are unscored; answer_length with 3 of 200 is below the 5% that are worth a statement.
        "Run r1: 50 of 200 samples (25.0%) are unscored and left out of the mean (no context: 40, no answer: 10): "
        "groundedness; groundedness_min.",
        "Run r1, correctness: only 28 samples have labels by people.",
        "Run r1, correctness: all labels come from one person, so agreement between people is unknown.",
        "Run r1, correctness: samples were drawn for labelling with unequal probabilities, and are weighted.",
        "Run r1, correctness: 2 samples were left out because the votes were tied.",
        "Run r1, groundedness: 90 labels were derived by a rule, not given by a person.",
        "Run r1: no person has labelled groundedness. Agreement with labels here means agreement with the rule.",
    ]


def test_limitations_say_what_errors_pass_the_metrics_of_a_run() -> None:
    scores = dict.fromkeys(
        ("faithfulness", "answer_length", "factual_numbers"), MetricSummary(Estimate(1, 1, 1, 9), {})
    )
    run = RunEvidence("r1", "0" * 64, n=9, scores=scores, doubtful=(DoubtfulNumbers("factual_numbers", 0, 0, 9, 1),))
    found = said(dataclasses.replace(BARE, runs=(run,), metrics=metric_notes()))
    [limit] = [statement for statement in found if "of what a value is said" in statement]
    assert limit.startswith("Run r1, Faithfulness; Factual numbers: cannot tell")
    assert any(statement.startswith("Run r1, Factual numbers: in 1 sample, a number") for statement in found)


def test_limitations_repeat_a_verdict_that_is_not_yes(evidence: Evidence) -> None:
    item = evidence.calibrations[0]
    verdict = dataclasses.replace(item.calibration.fit_for_use, value="not shown", reason="Too few labels.")
    made = dataclasses.replace(item.calibration, fit_for_use=verdict, diagnostics=None)
    found = said(dataclasses.replace(evidence, calibrations=(dataclasses.replace(item, calibration=made),)))
    where = "Groundedness against labels on groundedness, run baseline: "
    assert where + "fitness for use is not shown. Too few labels." in found
    assert where + "no labels were left to check the calibration with." in found
    assert build_report(dataclasses.replace(evidence, calibrations=(dataclasses.replace(item, calibration=made),)))


def test_labels_of_people_and_of_rules_stand_apart() -> None:
    labels = [
        Label("a", "c", 1, annotator="ada"),
        Label("a", "c", 1, annotator="ben"),
        Label("b", "c", 0, annotator="ada", probability=0.5),
        Label("d", "c", 1, annotator="ada"),
        Label("d", "c", 0, annotator="ben"),
        Label("e", "c", 1, annotator="reference-rule", source="rule"),
        Label("a", "other", 1, annotator="ada"),
    ]
    people, rule = label_evidence(labels, run="r", criterion=Criterion("c"))
    # a passes, b fails and stands for two, d is a tie: 1 of 3.
    assert (people.kind, people.labels, people.samples, people.ties) == ("people", 5, 3, 1)
    assert people.passes.value == pytest.approx(1 / 3)
    assert (people.annotators, people.drawn_equally) == (("ada", "ben"), False)
    assert (rule.kind, rule.labels, rule.passes.value) == ("rule", 1, 1.0)
    assert label_evidence([], run="r", criterion=Criterion("c")) == ()


def test_who_only_decides_is_no_annotator_and_decisions_are_no_labels() -> None:
    labels = [
        Label("a", "c", 1, annotator="ada"),
        Label("a", "c", 0, annotator="ben"),
        Label("b", "c", 0, annotator="ada"),
        Label("a", "c", 1, annotator="lead", source="adjudication"),
    ]
    [people] = label_evidence(labels, run="r", criterion=Criterion("c"))
    assert (people.annotators, people.labels, people.decisions, people.samples) == (("ada", "ben"), 3, 1, 2)
    assert people.passes.value == 0.5  # the decision lets a pass, over a tie
    [row] = table(build_report(dataclasses.replace(BARE, labels=(people,))), "Labels").rows
    assert row[3:7] == (2, 3, 1, 2)


def test_trials_of_a_test_case_widen_the_pass_rate_of_labels() -> None:
    labels = [Label(f"{k}/{t}", "c", int(k < 12), "ann") for k in range(20) for t in range(5)]
    cases = {label.sample_id: label.sample_id.split("/")[0] for label in labels}
    [apart] = label_evidence(labels, run="r", criterion=Criterion("c"))
    [by_case] = label_evidence(labels, run="r", criterion=Criterion("c"), test_cases=cases)
    assert by_case.passes.value == apart.passes.value == 0.6
    # Five trials that agree are one: an interval √5 times as wide, and wider for so few test cases.
    assert by_case.passes.high - by_case.passes.low > 2 * (apart.passes.high - apart.passes.low)


def test_excerpts_are_cut() -> None:
    sample = Sample("s", "q" * 2100, None, (Passage("0", "c" * 601), *(Passage(str(i), "c") for i in range(4))))
    cut = excerpt(sample, facts={"groundedness": 0.25})
    assert cut.query == "q" * 2000 + " … 100 more characters"
    assert cut.answer is None
    assert cut.contexts == ("c" * 600 + " … 1 more character", "c", "c", "… and 2 more contexts")


def test_answers_that_people_failed_come_first(
    evidence: Evidence, scores: ScoreTable, labels: tuple[Label, ...]
) -> None:
    [worst] = evidence.worst
    failing = {label.sample_id for label in labels if label.level == 0}
    values = scores.frame["groundedness"]
    assert [item.id for item in worst.failed] == list(values[values.index.isin(failing)].nsmallest(3).index)
    assert worst.n_failed == len(failing)
    assert all(text.startswith("groundedness: fail, by") for item in worst.failed for text in item.labels)
    assert worst.unlabelled == ()  # enough failed answers to show
    assert all("groundedness: pass" in item.labels[0] for item in worst.passed)


def test_without_labels_the_lowest_scores_say_that_nobody_judged_them(
    samples: tuple[Sample, ...], scores: ScoreTable
) -> None:
    worst = worst_samples(samples, scores, run="r", metric="groundedness", title="Groundedness", count=3)
    assert (worst.failed, worst.passed, worst.n_failed) == ((), (), 0)
    assert [item.id for item in worst.unlabelled] == list(scores.frame["groundedness"].nsmallest(3).index)
    assert {item.labels for item in worst.unlabelled} == {("No label",)}


def test_json_is_the_tree_with_full_precision_and_no_nan(evidence: Evidence, scores: ScoreTable) -> None:
    report = build_report(evidence)
    document = json.loads(render(report, format="json"))
    assert document == report_document(report)
    assert document["hcat"] == "0.1.0"
    metrics = next(section for section in document["sections"] if section["id"] == "metrics")
    rows = next(b["rows"] for b in metrics["blocks"] if b.get("title") == "Scores of run baseline")
    assert rows[0][1] == scores.summary()["groundedness"].mean.value
    holes = Report("t", "s", BARE.created_at, "1", (Section("a", "A", (Table("T", (Column("x"),), ((math.nan,),)),)),))
    assert json.loads(render(holes, format="json"))["sections"][0]["blocks"][0]["rows"] == [[None]]


def test_the_hash_follows_the_content(evidence: Evidence) -> None:
    report = build_report(evidence)
    assert report_hash(report) == report_hash(build_report(evidence))
    assert report_hash(report) != report_hash(dataclasses.replace(report, title="Another"))


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(HcatError, match="no report format 'odt': choose html or pdf or docx or json"):
        render(build_report(BARE), format="odt")


def test_tables_need_a_value_a_column() -> None:
    with pytest.raises(ValueError, match="does not have 2 values"):
        Table("T", (Column("a"), Column("b")), (("only one",),))


def test_versions_leave_out_what_is_not_installed() -> None:
    found = installed_versions(("numpy", "no-such-package-at-all"))
    assert set(found) == {"python", "numpy"}


def test_slices_of_an_unfit_calibration_carry_a_warning(evidence: Evidence) -> None:
    def warnings(value: Literal["yes", "no"], metric: str) -> int:
        item = evidence.calibrations[0]
        made = dataclasses.replace(item.calibration, fit_for_use=Verdict(value, "Because."))
        table = evidence.weaknesses[0].table
        frame = table.frame.assign(metric=metric)
        settings = dataclasses.replace(
            table.settings,
            directions={metric: "higher"},
            overall={metric: table.settings.overall["groundedness"]},
            spread={metric: 0.2},
        )
        changed = dataclasses.replace(
            evidence,
            calibrations=(dataclasses.replace(item, calibration=made),),
            weaknesses=(WeaknessEvidence("baseline", WeaknessTable(frame, settings)),),
        )
        blocks = next(s for s in build_report(changed).sections if s.id == "weaknesses").blocks
        return sum(isinstance(block, Callout) for block in blocks)

    assert warnings("no", "pass_probability") == 1
    assert warnings("yes", "pass_probability") == 0
    assert warnings("no", "groundedness") == 0


def test_runs_keep_their_own_label_hashes(evidence: Evidence) -> None:
    other = dataclasses.replace(evidence.calibrations[0], run="candidate")
    report = build_report(dataclasses.replace(evidence, calibrations=(*evidence.calibrations, other)))
    names = [row[0] for row in table(report, "Content hashes (SHA-256)").rows]
    assert sum("of calibration" in str(name) for name in names) == 2
