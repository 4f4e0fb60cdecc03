"""From evidence to the report's tree: which sections there are, and what each one says."""

from __future__ import annotations

from core.display.numbers import format_count
from core.refusals.state import ANSWER_STATES, TITLES
from core.report.evidence.records import Evidence, LabelEvidence, MetricNote, RunEvidence
from core.report.sections.calibration import calibration_section, verdict_callout
from core.report.sections.limitations import limitations_section
from core.report.sections.people import people_section
from core.report.sections.reproducibility import reproducibility_section
from core.report.sections.verdicts import verdict_tables
from core.report.sections.weakness import finding_section, weak_slices, weakness_section
from core.report.tree import (
    Block,
    Bullets,
    Callout,
    Column,
    Heading,
    KeyValues,
    Paragraph,
    Quantity,
    Quotation,
    Report,
    Section,
    Table,
    Text,
    Value,
)
from core.wording.clusters import CLUSTERS
from core.wording.machine_verdicts import EXPLANATION, withheld_sentences

TOPIC_SOURCES = {"query": "queries"}
KIND_NAMES = {"people": "people", "rule": "rule (no person)"}


def build_report(evidence: Evidence) -> Report:
    """The validation report that follows from the evidence. Parts without evidence say so; none is left out."""
    return Report(
        title=f"Validation report: {evidence.project}",
        subtitle="Human-calibrated automated testing of a retrieval-augmented generation system",
        created_at=evidence.created_at,
        version=evidence.version,
        facts=_facts(evidence),
        sections=(
            _summary(evidence),
            _scope(evidence),
            _data(evidence),
            _metrics(evidence),
            calibration_section(evidence),
            people_section(evidence),
            weakness_section(evidence),
            finding_section(evidence),
            limitations_section(evidence),
            reproducibility_section(evidence),
        ),
    )


def _facts(evidence: Evidence) -> dict[str, str]:
    facts = {
        "Project": evidence.project,
        "Runs": ", ".join(run.name for run in evidence.runs) or "none",
        "Samples": format_count(sum(run.n for run in evidence.runs)),
        "Prepared": evidence.created_at.strftime("%-d %B %Y, %H:%M %Z").strip(),
        "Software": f"hcat {evidence.version}",
    }
    return facts | ({"Author": evidence.author} if evidence.author else {})


def _summary(evidence: Evidence) -> Section:
    verdicts: list[Block] = [verdict_callout(item) for item in evidence.calibrations]
    if not evidence.calibrations:
        text = "No score was calibrated against human labels: no score in this report can replace human judgement."
        verdicts.append(Callout("warning", "Nothing is calibrated", (text,)))
    return Section("summary", "Summary", (*verdicts, Bullets(_key_results(evidence))))


def _key_results(evidence: Evidence) -> tuple[Text, ...]:
    results: list[Text] = [
        (
            f"Run {run.name}: ",
            Quantity(run.n, "count"),
            " samples, ",
            Quantity(run.unanswered, "count"),
            " without answer.",
        )
        for run in evidence.runs
    ]
    for label in evidence.labels:
        by = "people" if label.kind == "people" else "a rule"
        share = Quantity(label.passes, "share")
        results.append(
            (f"Share of samples labelled by {by} that pass on {label.criterion}, run {label.run}: ", share, ".")
        )
    for rate in evidence.pass_rates:
        name = f"Pass rate on {rate.criterion}, run {rate.run}, machine and labels together: "
        results.append((name, Quantity(rate.estimates.ppi, "share"), "."))
    for item in evidence.weaknesses:
        weak, tested = weak_slices(item.table)
        title = f"Slices shown to be worse than the rest, run {item.run}: "
        parts = (title, Quantity(weak, "count"), ", among ", Quantity(tested, "count"))
        results.append((*parts, " with enough samples to be tested."))
    results.append(("Findings confirmed by a person: ", Quantity(len(evidence.findings), "count"), "."))
    return tuple(results)


def _scope(evidence: Evidence) -> Section:
    text = (
        "This report covers the answers that the system under validation gave to a fixed set of test cases, what "
        "automated metrics and human labels say about them, how well the metrics agree with people, and where the "
        "system is weak. It does not cover questions outside these test cases or changes to the system after the runs."
    )
    columns = (
        Column("Run"),
        Column("Samples", "count"),
        Column("Test cases", "count"),
        Column("Clusters", "count"),
        Column("Without answer", "count"),
        Column("Scored with metrics", "count"),
        Column("Source file"),
        Column("Content hash", "code"),
    )
    rows = tuple(
        (
            run.name,
            run.n,
            run.test_cases,
            run.clusters,
            run.unanswered,
            len(run.scores),
            run.filename or None,
            run.content_hash[:16],
        )
        for run in evidence.runs
    )
    blocks: tuple[Block, ...] = (Paragraph((text,)),)
    if evidence.description:
        blocks = (Paragraph((evidence.description,)), *blocks)
    return Section(
        "scope",
        "Scope",
        (
            *blocks,
            Table("Runs", columns, rows, note=(f"{CLUSTERS} Full hashes: see Reproducibility.",)),
            *_state_table(evidence),
        ),
    )


def _state_table(evidence: Evidence) -> list[Table]:
    """How the samples of each run were answered, every state counted."""
    columns = (
        Column("Run"),
        *(Column(TITLES[state].capitalize(), "count") for state in ANSWER_STATES),
        Column("Samples", "count"),
    )
    rows: list[tuple[Value, ...]] = [
        (run.name, *[run.answer_states[state] for state in ANSWER_STATES], run.n)
        for run in evidence.runs
        if run.answer_states
    ]
    note = (
        "An answer that declines is a refusal: correct where the reference declines too, wrong where the reference or "
        "relevant passages hold the answer. Recognised by rules on the wording, in English."
    )
    return [Table("Answers and refusals", columns, tuple(rows), (note,))] if rows else []


def _data(evidence: Evidence) -> Section:
    blocks: list[Block] = []
    for criterion in evidence.criteria:
        levels = " < ".join(criterion.levels)
        items = [("Levels, worst to best", Quantity(levels, "text"))]
        items.append(("Passes from", Quantity(criterion.levels[criterion.passing], "text")))
        items.append(("Guideline version", Quantity(criterion.guideline_version, "count")))
        blocks += [Heading(f"Criterion: {criterion.name}"), KeyValues(tuple(items))]
        if criterion.guideline:
            blocks.append(Quotation(criterion.guideline))
    blocks.append(_label_table(evidence.labels) if evidence.labels else Paragraph(("There are no labels.",)))
    blocks += _topic_tables(evidence)
    return Section("data", "Data and labels", tuple(blocks))


def _label_table(labels: tuple[LabelEvidence, ...]) -> Table:
    columns = (
        Column("Run"),
        Column("Criterion"),
        Column("Labelled by"),
        Column("Annotators", "count"),
        Column("Labels", "count"),
        Column("Decisions", "count"),
        Column("Samples", "count"),
        Column("Ties left out", "count"),
        Column("Passing", "share"),
    )
    rows = tuple(
        (x.run, x.criterion, KIND_NAMES[x.kind], len(x.annotators), x.labels, x.decisions, x.samples, x.ties, x.passes)
        for x in labels
    )
    note = (
        "Several labels of one sample count once: by majority, or as an adjudicator decided. Decisions are not counted "
        "as labels, nor adjudicators as annotators. Intervals are Wilson's at 95%. "
        "Shares are weighted by the probability with which each sample was drawn."
    )
    return Table("Labels", columns, rows, note=(note,))


def _topic_tables(evidence: Evidence) -> list[Block]:
    blocks: list[Block] = []
    for item in evidence.topics:
        model = item.model
        columns = (Column("Topic"), Column("Texts", "count"), Column("Share", "percent"), Column("Key terms"))
        rows: list[tuple[Value, ...]] = [
            (t.title, t.size, t.size / max(1, model.n), ", ".join(term.text for term in t.terms[:8]))
            for t in model.topics
        ]
        if model.without_topic:
            rows.append(("(no topic)", model.without_topic, model.without_topic / model.n, None))
        note = f"Method: {model.method}. Key terms by class-based TF-IDF. Topics were derived from the texts."
        blocks += [
            Heading(f"Topics of run {item.run}"),
            Table(
                f"Topics of the {TOPIC_SOURCES.get(item.source, item.source)} of run {item.run}",
                columns,
                tuple(rows),
                (note,),
            ),
        ]
    return blocks


def _metrics(evidence: Evidence) -> Section:
    scored = [run for run in evidence.runs if run.scores]
    if not scored:
        return Section("metrics", "Metrics", (Paragraph(("No run was scored.",)),))
    blocks: list[Block] = [
        Paragraph(
            (
                "A score is a number, or absent with a reason; absent scores are never counted as zero. "
                "Means have intervals at 95%, by t or, where scores are skewed, by Bayesian bootstrap within their "
                "range; means of machine verdicts have none. A mean score is not a pass rate: the section on "
                "calibration says how it relates to human judgement.",
            )
        )
    ]
    blocks += [_score_table(run) for run in scored]
    blocks += verdict_tables(evidence)
    reasons = [_reason_table(run) for run in scored if any(x.unscored for x in run.scores.values())]
    blocks += reasons or [Paragraph(("Every sample was scored on every metric.",))]
    if evidence.metrics:
        blocks.append(_metric_notes(evidence))
    return Section("metrics", "Metrics", tuple(blocks))


def _score_table(run: RunEvidence) -> Table:
    columns = (
        Column("Metric", "code"),
        Column("Mean", "number"),
        Column("95% low", "number"),
        Column("95% high", "number"),
        Column("Scored", "count"),
        Column("Withheld", "count"),
        Column("Unscored", "count"),
        Column("Share unscored", "percent"),
    )
    rows: list[tuple[Value, ...]] = []
    for name, summary in run.scores.items():
        left_out = sum(summary.unscored.values())
        withheld = sum(summary.outside.values())
        total = summary.mean.n + withheld + left_out
        mean, share = summary.mean, left_out / total if total else None
        title = f"{name} (machine says)" if summary.judged else name
        rows.append((title, mean.value, mean.low, mean.high, mean.n, withheld, left_out, share))
    judged = any(summary.judged for summary in run.scores.values())
    note = (" ".join((EXPLANATION, *withheld_sentences(run.scores))),) if judged else ()
    return Table(f"Scores of run {run.name}", columns, tuple(rows), note)


def _reason_table(run: RunEvidence) -> Table:
    columns = (Column("Metric", "code"), Column("Reason"), Column("Samples", "count"))
    rows = tuple(
        (name, reason, count) for name, summary in run.scores.items() for reason, count in summary.unscored.items()
    )
    return Table(f"Why samples of run {run.name} are unscored", columns, rows)


def _metric_notes(evidence: Evidence) -> Table:
    columns = (Column("Metric", "code"), Column("What it measures"), Column("Better"), Column("Source"))
    used = {name for run in evidence.runs for name in run.scores}
    rows = tuple(_note_row(name, note) for name, note in evidence.metrics.items() if name in used)
    return Table("What the metrics measure", columns, rows)


def _note_row(name: str, note: MetricNote) -> tuple[Value, ...]:
    better = {"higher": "higher", "lower": "lower", "none": "neither"}[note.direction]
    return name, note.description or note.title, better, note.source or None
