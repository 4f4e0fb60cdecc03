"""A project's evidence, gathered for its report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import numpy as np

from core import __version__
from core.agreement.summary import agreement
from core.labelling.consensus import labels_hash
from core.records.test_cases import all_cases, repeated_cases
from core.report.evidence.gather import (
    MOST_DIMENSIONS,
    calibration_evidence,
    label_evidence,
    pass_rate_evidence,
    run_evidence,
    worst_samples,
)
from core.report.evidence.records import (
    AgreementEvidence,
    CalibrationEvidence,
    Evidence,
    FindingEvidence,
    LabelEvidence,
    MetricNote,
    PassRateEvidence,
    RunEvidence,
    TopicEvidence,
    WeaknessEvidence,
    WorstSamples,
)
from core.report.sections.reproducibility import installed_versions
from core.storage.records import Finding, ProjectInfo, RunInfo
from core.types import Estimate, JsonValue, Slice
from core.weakness.slices import input_dimensions
from core.workspace.analysis import CALIBRATED
from core.workspace.estimates import drawn_strata

if TYPE_CHECKING:
    from core.report.tree import Report
    from core.workspace import Workspace

MAIN_METRICS = ("answer_f1", "groundedness", "context_relevancy")
"""Of these, the first that a run has stands in for the probability of a pass where no calibration is kept."""


def build_report(workspace: Workspace, project: ProjectInfo, *, author: str = "") -> Report:
    """The validation report of a project, from what is stored now."""
    from core.report.build import build_report as build

    return build(gather_evidence(workspace, project, author=author))


def gather_evidence(workspace: Workspace, project: ProjectInfo, *, author: str = "") -> Evidence:
    """All that the report rests on: each run with its scores, labels, kept calibrations, weaknesses and topics."""
    runs = workspace.runs(project)
    return Evidence(
        project=project.name,
        created_at=datetime.now(UTC),
        version=__version__,
        description=project.description,
        author=author,
        runs=tuple(_run(workspace, run) for run in runs),
        metrics=metric_notes(),
        criteria=tuple(workspace.criteria(project)),
        labels=tuple(part for run in runs for part in labels_by_kind(workspace, project, run)),
        agreements=tuple(part for run in runs for part in _agreements(workspace, project, run)),
        calibrations=tuple(part for run in runs for part in _calibrations(workspace, project, run)),
        pass_rates=tuple(part for run in runs for part in _pass_rates(workspace, project, run)),
        weaknesses=tuple(part for run in runs for part in _weaknesses(workspace, run)),
        worst=tuple(part for run in runs for part in _worst(workspace, run)),
        findings=tuple(_finding(finding) for finding in workspace.findings(project)),
        topics=tuple(part for run in runs for part in _topics(workspace, run)),
        settings={"seed": workspace.settings.seed, "embedder": workspace.settings.embedder},
        hashes=_hashes(workspace, project, runs),
        packages=installed_versions(),
        commands=(f'hcat report --project "{project.name}" -o report.html --format html',),
    )


def metric_notes() -> dict[str, MetricNote]:
    """What a reader must know of each metric, from the registry; and of the calibrated probability."""
    from core.metrics.registry import metrics

    notes = {m.name: MetricNote(m.title, m.direction, m.source, m.description) for m in metrics()}
    notes[CALIBRATED] = MetricNote(
        "Calibrated probability of a pass", "higher", "HCAT 5.1", "What the kept calibration makes of the scores."
    )
    return notes


def _run(workspace: Workspace, run: RunInfo) -> RunEvidence:
    return run_evidence(
        run.name,
        workspace.samples(run),
        workspace.scores(run),
        content_hash=run.content_hash,
        filename=run.filename,
        format=run.format,
    )


def labels_by_kind(workspace: Workspace, project: ProjectInfo, run: RunInfo) -> list[LabelEvidence]:
    """The labels of people and of rules on each criterion, each kind with the probabilities of its own draws."""
    kinds: tuple[Literal["people", "rule"], ...] = ("people", "rule")
    cases = all_cases(workspace.samples(run))
    return [
        part
        for criterion in workspace.criteria(project)
        for kind in kinds
        for part in label_evidence(
            workspace.labels(project, criterion.name, run, by=kind),
            run=run.name,
            criterion=criterion,
            test_cases=cases,
            strata=drawn_strata(workspace, run, criterion),
        )
    ]


def _calibrations(workspace: Workspace, project: ProjectInfo, run: RunInfo) -> list[CalibrationEvidence]:
    """The newest kept calibration of each criterion."""
    scores = workspace.scores(run)
    if scores is None:
        return []
    newest = {record.criterion: record for record in reversed(workspace.calibrations(run))}
    return [
        calibration_evidence(
            workspace.read_calibration(record),
            scores,
            workspace.labels(project, record.criterion, run),
            criterion=workspace.criterion(project, record.criterion),
            run=run.name,
            groups=workspace.group_levels(run, workspace.read_calibration(record)),
            test_cases=all_cases(workspace.samples(run)),
        )
        for record in newest.values()
    ]


def _agreements(workspace: Workspace, project: ProjectInfo, run: RunInfo) -> list[AgreementEvidence]:
    """Agreement on each criterion on which two people labelled the same samples."""
    found, samples = [], workspace.samples(run)
    for criterion in workspace.criteria(project):
        table = workspace.annotator_ratings(run, criterion, samples=samples)
        made = agreement(table, criterion=criterion, rng=np.random.default_rng(workspace.settings.seed))
        if made.n:
            found.append(AgreementEvidence(run.name, criterion.name, made))
    return found


def _pass_rates(workspace: Workspace, project: ProjectInfo, run: RunInfo) -> list[PassRateEvidence]:
    """The pass rate on each criterion with a kept calibration, by its metrics, and by each dimension of input."""
    scores = workspace.scores(run)
    if scores is None:
        return []
    frame, cases = workspace.dimensions(run), repeated_cases(workspace.samples(run))
    found = []
    for record in {record.criterion: record for record in reversed(workspace.calibrations(run))}.values():
        criterion = workspace.criterion(project, record.criterion)
        found.append(
            pass_rate_evidence(
                workspace.read_calibration(record),
                workspace.labels(project, criterion.name, run),
                scores,
                frame,
                criterion=criterion,
                run=run.name,
                strata=drawn_strata(workspace, run, criterion),
                test_cases=cases,
            )
        )
    return found


def main_metric(workspace: Workspace, run: RunInfo) -> str | None:
    """What the run is judged by: the calibrated probability, else the first main metric that it has scores of."""
    scores = workspace.scores(run)
    if scores is None:
        return None
    if workspace.calibrations(run):
        return CALIBRATED
    return next((name for name in MAIN_METRICS if name in scores.metrics and scores.n_scored(name)), None)


def _weaknesses(workspace: Workspace, run: RunInfo) -> list[WeaknessEvidence]:
    metric = main_metric(workspace, run)
    if metric is None:
        return []
    by = input_dimensions(workspace.dimensions(run))[:MOST_DIMENSIONS]
    return [WeaknessEvidence(run.name, workspace.find_weaknesses(run, metric, by=by, pairs=True))] if by else []


def _worst(workspace: Workspace, run: RunInfo) -> list[WorstSamples]:
    scores = workspace.scores(run)
    metric = main_metric(workspace, run)
    if metric == CALIBRATED and scores is not None:
        metric = workspace.read_calibration(workspace.calibrations(run)[0]).metrics[0]
    if scores is None or metric is None:
        return []
    direction = metric_notes()[metric].direction
    return [worst_samples(workspace.samples(run), scores, run=run.name, metric=metric, direction=direction)]


def _topics(workspace: Workspace, run: RunInfo) -> list[TopicEvidence]:
    found = workspace.topics(run)
    return [] if found is None else [TopicEvidence(run.name, "query", found.model)]


def _finding(finding: Finding) -> FindingEvidence:
    return FindingEvidence(
        finding.title,
        _selection_title(finding),
        finding.severity,
        finding.status,
        finding.comment,
        finding.author,
        finding.created_at,
        finding.owner,
        finding.due,
        finding.frozen_hash,
        *_found(finding.evidence),
    )


def _found(statistics: Mapping[str, JsonValue]) -> tuple[Estimate | None, float | None, str]:
    """Mean, q and verdict of a slice; nothing where something else was selected."""
    numbers = {name: statistics.get(name) for name in ("mean", "low", "high", "n", "q")}
    mean, low, high, n, q = (float(x) if isinstance(x, (int, float)) else math.nan for x in numbers.values())
    known = None if math.isnan(mean) or math.isnan(n) else Estimate(mean, low, high, int(n))
    return known, None if math.isnan(q) else q, str(statistics.get("verdict") or "")


def _selection_title(finding: Finding) -> str:
    """The slice, or what else was selected."""
    if not finding.slice:
        return "" if finding.frozen is None else str(finding.frozen["title"])
    levels = {key: None if level is None else str(level) for key, level in finding.slice.items()}
    return Slice(
        levels["dimension_1"] or "", levels["level_1"] or "", levels.get("dimension_2"), levels.get("level_2")
    ).title


def _hashes(workspace: Workspace, project: ProjectInfo, runs: list[RunInfo]) -> dict[str, str]:
    hashes = {f"run {run.name}": run.content_hash for run in runs}
    hashes |= {f"labels of {run.name}": labels_hash(workspace.labels(project, run=run)) for run in runs}
    return hashes
