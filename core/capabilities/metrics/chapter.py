"""Chapter on the metrics: fitness for use and mean scores of each run; in full, reasons for unscored samples, and
definitions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain

from hcat.core.capabilities.calibration.views.calibration import VERDICTS
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.capabilities.estimates.views.pass_rate import verdict_errors_view
from hcat.core.capabilities.metrics.heads import Method, kinds_of, methods
from hcat.core.capabilities.metrics.view import methods_view, scores_view, unscored_view
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence, MetricNote, RunEvidence
from hcat.core.display.messages import say
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Paragraph, Section, Table, Value

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
APPENDIX = "Appendix: scores and metrics in full"
IN_FULL = "What each metric measures, and why samples are unscored: see “{appendix}”."
MOST = 10
"""Number of metrics of a run in the body of a report; the appendix has them all."""
SHORTENED = (
    "Shown are {shown} of {whole} metrics: first those that calibrations, slices and findings of a run rest on, and "
    "those fit for use. All: see “{appendix}”."
)
FIT = VERDICTS["yes"][1]
BETTER = {"higher": "higher", "lower": "lower", "none": "neither"}


def metrics_section(evidence: Evidence) -> Section:
    """Verdicts and means of each run's leading metrics. All metrics: `all_metrics_section`."""
    scored = [run for run in evidence.runs if run.scores]
    if not scored:
        return Section("metrics", say("Metrics and their fitness for use"), (Paragraph((say("No run was scored."),)),))
    first = {run.name: leading(evidence, run) for run in scored}
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),)), _fitness(evidence), *_each_metric(evidence, first)]
    blocks += [
        *(block for run in scored for block in _scores(evidence, run, first[run.name])),
        *verdict_errors_view([(item.run, item.errors) for item in evidence.verdicts]).blocks,
    ]
    blocks.append(Paragraph((say(IN_FULL, appendix=say(APPENDIX)),)))
    return Section("metrics", say("Metrics and their fitness for use"), tuple(blocks))


def all_metrics_section(evidence: Evidence) -> Section | None:
    """The tables that `metrics_section` shortens, reasons for unscored samples, and the definition of each metric; None
    where no run was scored."""
    scored = [run for run in evidence.runs if run.scores]
    if not scored:
        return None
    cut = {run.name: tuple(run.scores) for run in scored if len(run.scores) > MOST}
    blocks: list[Block] = [*_each_metric(evidence, cut)]
    blocks += [block for run in scored if run.name in cut for block in _scores(evidence, run, cut[run.name])]
    reasons = [block for run in scored for block in _reasons(evidence, run)]
    blocks += reasons or [Paragraph((say("Every sample was scored on every metric."),))]
    if evidence.metrics:
        blocks.append(_notes(evidence))
    blocks += methods_view((*kinds_of(name for run in scored for name in run.scores), *_methods(evidence))).blocks
    return Section("all-metrics", say(APPENDIX), tuple(blocks))


def _methods(evidence: Evidence) -> list[Method]:
    """The methods whose results the report has."""
    used = {
        "pass-rates": evidence.pass_rates,
        "differences": evidence.comparisons,
        "calibration": evidence.calibrations,
        "fit-for-use": evidence.calibrations or evidence.fitness,
        "slices": evidence.weaknesses,
        "fairness": evidence.fairness,
        "agreement": evidence.agreements or evidence.judges,
        "policy": evidence.policies,
    }
    return [method for method in methods() if used[method.key]]


def leading(evidence: Evidence, run: RunEvidence) -> tuple[str, ...]:
    """At most `MOST` metrics of a run, in its order. Metrics of calibrations, slices and findings have priority, then
    those fit for use, then those that predict pass rates, then all others."""
    ranked = chain(
        (name for item in evidence.calibrations if item.run == run.name for name in item.calibration.metrics),
        (name for item in evidence.weaknesses if item.run == run.name for name in item.table.settings.overall),
        (item.metric for item in evidence.findings if item.run == run.name),
        (item.metric for item in evidence.fitness if item.run == run.name and item.verdict == FIT),
        (name for item in evidence.pass_rates if item.run == run.name for name in item.metrics),
        run.scores,
    )
    first = [name for name in dict.fromkeys(ranked) if name in run.scores][:MOST]
    return tuple(name for name in run.scores if name in first)


def shortened(shown: int, whole: int) -> str:
    """Says in the body that a table leaves out metrics; empty where it has all."""
    return say(SHORTENED, shown=shown, whole=whole, appendix=say(APPENDIX)) if shown < whole else ""


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


def _each_metric(evidence: Evidence, names: Mapping[str, Sequence[str]]) -> list[Table]:
    """The verdict on each metric among the `names` of a labelled run; nothing without labels."""
    found = [item for item in evidence.fitness if item.metric in names.get(item.run, ())]
    if not found:
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
        for item in found
    )
    whole = sum(item.run in names for item in evidence.fitness)
    note = " ".join(filter(None, (say(ALONE), shortened(len(rows), whole))))
    return [Table(say("Fitness of each metric alone"), columns, rows, (note,))]


def _scores(evidence: Evidence, run: RunEvidence, names: Sequence[str]) -> tuple[Block, ...]:
    scores = [(evidence.title(name), run.scores[name]) for name in names]
    more = shortened(len(names), len(run.scores))
    return scores_view(scores, say("Scores of run {run.name}", run=run), more=more).blocks


def _reasons(evidence: Evidence, run: RunEvidence) -> tuple[Block, ...]:
    scores = [(evidence.title(name), summary) for name, summary in run.scores.items()]
    return unscored_view(scores, say("Why samples of run {run.name} are unscored", run=run)).blocks


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


def _some_scores(evidence: Evidence) -> bool:
    return any(run.scores for run in evidence.runs)


CHAPTER = Chapter("metrics", "Metrics and their fitness for use", metrics_section, _some_scores, after="coverage")
ALL_METRICS = Chapter("all-metrics", "Appendix: scores and metrics in full", all_metrics_section, after="changes")
