"""The evidence of a report, from opened runs with their calibrations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from hcat.core import __version__
from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities import CAPABILITIES
from hcat.core.capabilities.agreement.analysis import agreement
from hcat.core.capabilities.calibration.calibrate import split_keys, threshold_levels
from hcat.core.capabilities.calibration.fitness import fitness_of_all
from hcat.core.capabilities.estimates.estimate import errors_of_verdicts
from hcat.core.capabilities.findings.view import FindingEvidence
from hcat.core.capabilities.report.analysis.gathering import Gathering
from hcat.core.capabilities.report.analysis.report_extras import (
    attacks,
    comparisons,
    doubtful_numbers,
    fairness,
    judges,
    predicting_metrics,
    privacy,
    retrieval,
    robustness,
    tone,
    trials,
    worst,
)
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.capabilities.report.build_time import build_time
from hcat.core.capabilities.report.evidence import gather
from hcat.core.capabilities.report.evidence.finding_records import WithdrawnFinding
from hcat.core.capabilities.report.evidence.records import (
    AgreementEvidence,
    CalibrationEvidence,
    Evidence,
    FitnessEvidence,
    LabelEvidence,
    MetricNote,
    PassRateEvidence,
    RunEvidence,
    TopicEvidence,
    VerdictEvidence,
    WorstSamples,
)
from hcat.core.capabilities.report.sections.reproducibility import installed_versions
from hcat.core.capabilities.weaknesses.reported_slices import weaknesses_of
from hcat.core.capabilities.weaknesses.slice_metrics import most_labelled
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED
from hcat.core.capability import Capability
from hcat.core.display.messages import say
from hcat.core.metrics.registry import known_metric, metrics
from hcat.core.opened.run import Labeller, Opened
from hcat.core.records.report import Opinion
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.keys import pass_rate_key
from hcat.core.types import Criterion, JsonValue, OnProgress
from hcat.core.wording.slice_metrics import slice_metric_title

MAIN_METRICS = ("answer_f1", "groundedness", "context_relevancy")
"""Fallback metrics where there is no calibration: the first that a run has replaces the probability of a pass."""


def gather_evidence(
    runs: Sequence[ReportedRun],
    *,
    project: str,
    hashes: Mapping[str, str],
    description: str = "",
    author: str = "",
    criteria: Iterable[Criterion] = (),
    findings: Iterable[FindingEvidence] = (),
    withdrawn: Iterable[WithdrawnFinding] = (),
    settings: Mapping[str, JsonValue] | None = None,
    commands: Iterable[str] = (),
    seed: int = 7,
    runs_left_out: Iterable[str] = (),
    opinion: Opinion | None = None,
    on_progress: OnProgress | None = None,
) -> Evidence:
    """All evidence of the report: each run with its scores, labels, calibrations, weaknesses and topics.

    `on_progress` is called for each chapter before its evidence is gathered, and may raise to stop the work.
    """
    part = Gathering(on_progress)
    opened = [reported.run for reported in runs]
    known = tuple(criteria)
    predicting = _predicting(runs, known)
    return Evidence(
        project=project,
        created_at=build_time(),
        version=__version__,
        description=description,
        author=author,
        runs=part("data", (_run(reported.run) for reported in runs)),
        metrics=metric_notes((reported.run.columns.given_scores for reported in runs), known),
        criteria=known,
        labels=part("people", (item for reported in runs for item in _labels(reported))),
        agreements=part("people", (item for reported in runs for item in _agreements(reported, seed))),
        calibrations=part(
            "calibration", (_calibration(reported.run, *pair) for reported in runs for pair in reported.calibrated)
        ),
        pass_rates=part("results", (item for reported in runs for item in _pass_rates(reported, predicting))),
        fitness=part("metrics", (item for reported in runs for item in _fitness(reported))),
        verdicts=part("metrics", (item for reported in runs for item in _verdicts(reported))),
        weaknesses=part("weaknesses", (item for reported in runs for item in weaknesses_of(reported))),
        worst=part("weaknesses", (item for reported in runs for item in _worst(reported))),
        findings=tuple(findings),
        withdrawn=tuple(withdrawn),
        topics=tuple(item for reported in runs for item in _topics(reported.run)),
        settings=settings or {},
        hashes=hashes,
        packages=installed_versions(),
        commands=tuple(commands),
        runs_left_out=tuple(runs_left_out),
        comparisons=part("comparison", (item for item in comparisons(opened, known, predicting))),
        retrieval=part("retrieval", (item for run in opened for item in retrieval(run))),
        trials=part("trials", (item for run in opened for item in trials(run, known))),
        fairness=part("fairness", (item for each in runs for item in fairness(each))),
        robustness=part(
            "robustness",
            (item for each in runs for item in robustness(each.run, each.answer_vectors)),
        ),
        attacks=part("attacks", (item for run in opened for item in attacks(run, known))),
        coverage=tuple(each.coverage for each in runs if each.coverage is not None),
        privacy=part("privacy", (item for run in opened for item in privacy(run))),
        judges=part("judges", (item for each in runs for item in judges(each, seed))),
        tone=part("tone", (item for run in opened for item in tone(run))),
        opinion=opinion,
        gathered={each.name: _gathered(each, opened) for each in CAPABILITIES if each.evidence},
    )


def _gathered(capability: Capability, runs: Iterable[Opened]) -> dict[str, object]:
    gather_from = cast("Callable[[Opened], object | None]", capability.part(capability.evidence))
    found = {run.columns.name: gather_from(run) for run in runs}
    return {name: item for name, item in found.items() if item is not None}


def metric_notes(tables: Iterable[ScoreTable | None] = (), criteria: Iterable[Criterion] = ()) -> dict[str, MetricNote]:
    """Facts on each metric for readers, from the registry or from the files of scores; also on the corrected pass rate
    and on people's pass rate by criterion."""
    scored = [table for table in tables if table is not None]
    named = (known_metric(name) for table in scored for name in table.metrics)
    notes = {
        m.name: MetricNote(say(m.title), m.direction, say(m.source), say(m.description), m.limit and say(m.limit))
        for m in (*metrics(), *(m for m in named if m is not None))
    }
    for table in scored:
        declared = table.provenance.from_files
        for name, facts in ((name, metric.facts(name)) for name, metric in declared.items()):
            notes[name] = MetricNote(facts.title, facts.direction, facts.source, facts.description)
    said = say("What the calibration in force makes of the scores.")
    notes[CALIBRATED] = MetricNote(slice_metric_title(CALIBRATED), "higher", "HCAT 5.1", said)
    for key in (pass_rate_key(criterion.name) for criterion in criteria):
        notes[key] = MetricNote(slice_metric_title(key), "higher", "", say("The share of labelled samples that pass."))
    return notes


def labels_by_kind(run: Opened, criteria: Iterable[Criterion]) -> list[LabelEvidence]:
    """The labels of people and of rules on each criterion, each kind with the probabilities of its own draws."""
    kinds: tuple[Labeller, ...] = ("people", "rule")
    return [
        item
        for criterion in criteria
        for kind in kinds
        for item in gather.label_evidence(
            run.labels_of(criterion, kind),
            run=run.name,
            criterion=criterion,
            test_cases=run.columns.clusters,
            strata=run.strata(criterion),
            design=run.columns.design_weights,
        )
    ]


def _labels(reported: ReportedRun) -> list[LabelEvidence]:
    """The labels by kind, with counts of samples that people left without a label, and of labels given blind."""
    return [
        replace(
            item,
            without_label=reported.without_label.get(item.criterion),
            blindness=reported.blindness.get(item.criterion),
        )
        if item.kind == "people"
        else item
        for item in labels_by_kind(reported.run, reported.criteria)
    ]


def main_metric(scores: ScoreTable | None, *, calibrated: bool) -> str | None:
    """The metric by which a run is judged: the calibrated probability, else the first main metric with scores, else the
    first from a file with a stated direction."""
    if scores is None:
        return None
    if calibrated:
        return CALIBRATED
    stated = [name for name, metric in scores.provenance.from_files.items() if metric.direction not in (None, "none")]
    known = (name for name in (*MAIN_METRICS, *stated) if name in scores.metrics and scores.n_scored(name))
    return next(known, None)


def _run(run: Opened) -> RunEvidence:
    columns = run.columns
    return gather.run_evidence(
        columns.name,
        columns.samples,
        columns.given_scores,
        content_hash=columns.content_hash,
        filename=columns.filename,
        format=columns.format,
        doubtful=doubtful_numbers(columns) if columns.given_samples is not None else (),
    )


def _agreements(reported: ReportedRun, seed: int) -> list[AgreementEvidence]:
    """Agreement on each criterion on which two people labelled the same samples."""
    measured = [(criterion.name, agreement(reported.run, criterion, seed=seed)) for criterion in reported.criteria]
    return [AgreementEvidence(reported.run.name, name, summary) for name, summary in measured if summary.n]


def _calibration(run: Opened, calibration: Calibration, criterion: Criterion) -> CalibrationEvidence:
    return gather.calibration_evidence(
        calibration,
        run.columns.scores,
        run.labels(criterion),
        criterion=criterion,
        run=run.name,
        groups=threshold_levels(run.columns, calibration),
        split_keys=split_keys(run.columns, calibration),
    )


def _predicting(runs: Sequence[ReportedRun], criteria: Sequence[Criterion]) -> dict[str, tuple[str, ...]]:
    """The metrics that predict labels on each criterion: the same for all runs, so that their rates compare."""
    saved = [calibration for reported in reversed(runs) for calibration in reported.calibrations]
    names = (main_metric(reported.run.columns.given_scores, calibrated=False) for reported in runs)
    return predicting_metrics(saved, criteria, next((name for name in names if name is not None), None))


def _pass_rates(reported: ReportedRun, predicting: Mapping[str, Sequence[str]]) -> list[PassRateEvidence]:
    """The pass rate on each criterion with labels: by the calibration's metrics and method, else by those of others."""
    columns, rates = reported.run.columns, []
    saved = {calibration.criterion: calibration for calibration, _ in reported.calibrated}
    for criterion in reported.criteria:
        calibration = saved.get(criterion.name)
        metrics = predicting.get(criterion.name, ()) if calibration is None else calibration.metrics
        scored = columns.given_scores is not None and set(metrics) <= set(columns.scores.metrics)
        if metrics and scored and len(reported.run.labels(criterion).sample_ids):
            method = "logistic" if calibration is None else calibration.method
            rates.append(_pass_rate(reported.run, criterion, metrics=tuple(metrics), method=method))
    return rates


def _pass_rate(run: Opened, criterion: Criterion, *, metrics: tuple[str, ...], method: str) -> PassRateEvidence:
    """The pass rate on a criterion by these metrics, and by each dimension of input."""
    return gather.pass_rate_evidence(
        run.labels(criterion),
        run.columns.scores,
        run.columns.dimensions,
        metrics=metrics,
        method=method,
        criterion=criterion,
        run=run.name,
        strata=run.strata(criterion),
        test_cases=run.columns.shared_clusters,
        design=run.columns.design_weights,
    )


def _fitness(reported: ReportedRun) -> list[FitnessEvidence]:
    """The verdict on each metric alone, on the criterion with most labels; none without scores and labels."""
    run = reported.run
    criterion = most_labelled(run)
    if criterion is None or run.columns.given_scores is None:
        return []
    return [
        FitnessEvidence(run.name, criterion.name, x.metric, x.verdict, x.auc_tested, x.labels, x.by_people)
        for x in fitness_of_all(run, criterion)
    ]


def _verdicts(reported: ReportedRun) -> list[VerdictEvidence]:
    """Machine verdicts against labels, on each criterion that has some."""
    run = reported.run
    if run.columns.given_scores is None:
        return []
    metrics = run.columns.scores.metrics
    errors = (errors_of_verdicts(run, criterion, metrics=metrics) for criterion in reported.criteria)
    return [VerdictEvidence(run.name, item) for some in errors for item in some]


def _worst(reported: ReportedRun) -> list[WorstSamples]:
    columns, newest = reported.run.columns, reported.newest
    if columns.given_scores is None:
        return []
    scored = columns.scores.metrics
    metric = (
        main_metric(columns.scores, calibrated=False)
        if newest is None
        else next((name for name in newest.metrics if name in scored), None)
    )
    on = None if newest is None else reported.criterion_of(newest)
    return [] if metric is None else [worst(reported.run, metric, reported.criteria if on is None else (on,))]


def _topics(run: Opened) -> list[TopicEvidence]:
    topics = run.columns.topics
    return [] if topics is None else [TopicEvidence(run.name, "query", topics.model)]
