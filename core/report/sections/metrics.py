"""The metrics: mean scores of each run, why samples are unscored, and what each metric measures."""

from __future__ import annotations

import math

from core.display.messages import say
from core.report.evidence.records import Evidence, MetricNote, RunEvidence
from core.report.sections.calibration import VERDICTS
from core.report.sections.verdicts import verdict_tables
from core.report.telling import column
from core.report.tree import Block, Paragraph, Section, Table, Value
from core.wording.machine_verdicts import EXPLANATION, withheld_sentences
from core.wording.verdict import verdict_reason_of

INTRODUCTION = (
    "A score is a number, or absent with a reason; absent scores are never counted as zero. "
    "Means have intervals at 95%, by t or, where scores are skewed, by Bayesian bootstrap within their "
    "range; means of machine verdicts have none. A mean score is not a pass rate: the section on "
    "calibration says how it relates to human judgement."
)
NOT_CALIBRATED = "No score was calibrated against labels: none is shown to stand for human judgement."
OTHER_SCORES = "Scores that are not listed were not calibrated: none of them is shown to stand for human judgement."
NONE_IN_FORCE = (
    "No calibration is in force. What follows is the verdict on each metric alone, by the labels: only a calibration "
    "turns a score that is fit for use into a decision."
)
ALONE = (
    "Each metric alone, calibrated by logistic regression against the labels on the criterion with most of them. A "
    "verdict pays for all looks at growing labels and for all metrics tried. AUC: how often a passed answer scores "
    "better than a failed one; 0.5 is chance."
)
BETTER = {"higher": "higher", "lower": "lower", "none": "neither"}


def metrics_section(evidence: Evidence) -> Section:
    """Scores of every run that was scored."""
    scored = [run for run in evidence.runs if run.scores]
    if not scored:
        return Section("metrics", say("Metrics and their fitness for use"), (Paragraph((say("No run was scored."),)),))
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    blocks += [_fitness(evidence), *_each_metric(evidence), *(_scores(evidence, run) for run in scored)]
    blocks += verdict_tables(evidence)
    reasons = [_reasons(evidence, run) for run in scored if any(item.unscored for item in run.scores.values())]
    blocks += reasons or [Paragraph((say("Every sample was scored on every metric."),))]
    if evidence.metrics:
        blocks.append(_notes(evidence))
    return Section("metrics", say("Metrics and their fitness for use"), tuple(blocks))


def _fitness(evidence: Evidence) -> Block:
    """The verdict on each calibrated score; a score without one has not been compared with labels."""
    if not evidence.calibrations:
        return Paragraph((say(NONE_IN_FORCE if evidence.fitness else NOT_CALIBRATED),))
    columns = (column("Scores"), column("Criterion"), column("Run"), column("Verdict"), column("Why"))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(evidence.titles(item.calibration.metrics), item.calibration.criterion, item.run),
            *(say(VERDICTS[item.calibration.fit_for_use.value][1]), verdict_reason_of(item.calibration)),
        )
        for item in evidence.calibrations
    )
    return Table(say("Fitness for use"), columns, rows, () if evidence.fitness else (say(OTHER_SCORES),))


def _each_metric(evidence: Evidence) -> list[Table]:
    """The verdict on every metric of every labelled run; nothing without labels."""
    if not evidence.fitness:
        return []
    columns = (
        *(column("Metric"), column("Run"), column("Criterion"), column("Verdict"), column("AUC", "estimate")),
        *(column("Labels", "count"), column("Of people", "count")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(evidence.title(item.metric), item.run, item.criterion, say(item.verdict)),
            None if math.isnan(item.auc.value) else item.auc,
            *(item.labels, item.by_people),
        )
        for item in evidence.fitness
    )
    return [Table(say("Fitness of each metric alone"), columns, rows, (say(ALONE),))]


def _scores(evidence: Evidence, run: RunEvidence) -> Table:
    columns = (
        *(column("Metric"), column("Mean", "number"), column("95% low", "number"), column("95% high", "number")),
        *(column("Scored", "count"), column("Withheld", "count"), column("Unscored", "count")),
        column("Share unscored", "percent"),
    )
    rows: list[tuple[Value, ...]] = []
    for name, summary in run.scores.items():
        left_out, withheld = sum(summary.unscored.values()), sum(summary.outside.values())
        total = summary.mean.n + withheld + left_out
        mean, share = summary.mean, left_out / total if total else None
        title = evidence.title(name)
        title = say("{metric} (machine says)", metric=title) if summary.judged else title
        rows.append((title, mean.value, mean.low, mean.high, mean.n, withheld, left_out, share))
    judged = any(summary.judged for summary in run.scores.values())
    titled = {evidence.title(name): summary for name, summary in run.scores.items()}
    note = (" ".join((say(EXPLANATION), *withheld_sentences(titled))),) if judged else ()
    return Table(say("Scores of run {run.name}", run=run), columns, tuple(rows), note)


def _reasons(evidence: Evidence, run: RunEvidence) -> Table:
    """Metrics that left as many samples unscored for the same reason stand in one row."""
    columns = (column("Reason"), column("Metrics"), column("Samples", "count"))
    alike: dict[tuple[str, int], list[str]] = {}
    for name, summary in run.scores.items():
        for reason, count in summary.unscored.items():
            alike.setdefault((reason, count), []).append(evidence.title(name))
    rows = tuple((say(reason), "; ".join(titles), count) for (reason, count), titles in alike.items())
    return Table(say("Why samples of run {run.name} are unscored", run=run), columns, rows)


def _notes(evidence: Evidence) -> Table:
    columns = (
        *(column("Metric"), column("What it measures"), column("Better"), column("Source")),
        column("Name in files", "code"),
    )
    used = {name for run in evidence.runs for name in run.scores}
    rows = tuple(_note(name, note) for name, note in evidence.metrics.items() if name in used)
    return Table(say("What the metrics measure"), columns, rows, (say("Sources in full: see References."),))


def _note(name: str, note: MetricNote) -> tuple[Value, ...]:
    return note.title, note.description or note.title, say(BETTER[note.direction]), note.source or None, name
