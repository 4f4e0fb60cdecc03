"""A project's evidence, gathered for its report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import numpy as np

from core import __version__
from core.agreement.summary import agreement
from core.labelling.consensus import labels_hash
from core.records.project import Finding, ProjectInfo, RunInfo
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
from core.types import Estimate, JsonValue, Slice
from core.weakness.slices import input_dimensions
from core.workspace.agreement import Annotators
from core.workspace.analysis import CALIBRATED, Weaknesses
from core.workspace.calibrating import Calibrations
from core.workspace.criteria import Criteria
from core.workspace.findings import Findings
from core.workspace.labels import Labels
from core.workspace.open_store import OpenStore
from core.workspace.queue_plans import QueuePlans
from core.workspace.runs import Runs
from core.workspace.scoring import Scoring
from core.workspace.slices import Slices
from core.workspace.topics import Topics

if TYPE_CHECKING:
    from core.report.tree import Report

MAIN_METRICS = ("answer_f1", "groundedness", "context_relevancy")
"""Of these, the first that a run has stands in for the probability of a pass where no calibration is kept."""


@dataclass(frozen=True)
class Reports:
    """The validation report of each project."""

    store: OpenStore
    criteria: Criteria
    runs: Runs
    labels: Labels
    scoring: Scoring
    topics: Topics
    slices: Slices
    plans: QueuePlans
    annotators: Annotators
    calibrations: Calibrations
    weaknesses: Weaknesses
    findings: Findings

    def build(self, project: ProjectInfo, *, author: str = "") -> Report:
        """The validation report of a project, from what is stored now."""
        from core.report.build import build_report as build

        return build(self.evidence(project, author=author))

    def evidence(self, project: ProjectInfo, *, author: str = "") -> Evidence:
        """All that the report rests on: each run with its scores, labels, kept calibrations, weaknesses and topics."""
        runs = self.runs.all(project)
        return Evidence(
            project=project.name,
            created_at=datetime.now(UTC),
            version=__version__,
            description=project.description,
            author=author,
            runs=tuple(self._run(run) for run in runs),
            metrics=metric_notes(),
            criteria=tuple(self.criteria.all(project)),
            labels=tuple(part for run in runs for part in self.labels_by_kind(project, run)),
            agreements=tuple(part for run in runs for part in self._agreements(project, run)),
            calibrations=tuple(part for run in runs for part in self._calibrations(project, run)),
            pass_rates=tuple(part for run in runs for part in self._pass_rates(project, run)),
            weaknesses=tuple(part for run in runs for part in self._weaknesses(run)),
            worst=tuple(part for run in runs for part in self._worst(run)),
            findings=tuple(_finding(finding) for finding in self.findings.all(project)),
            topics=tuple(part for run in runs for part in self._topics(run)),
            settings={"seed": self.store.settings.seed, "embedder": self.store.settings.embedder},
            hashes=self._hashes(project, runs),
            packages=installed_versions(),
            commands=(f'hcat report --project "{project.name}" -o report.html --format html',),
        )

    def labels_by_kind(self, project: ProjectInfo, run: RunInfo) -> list[LabelEvidence]:
        """The labels of people and of rules on each criterion, each kind with the probabilities of its own draws."""
        kinds: tuple[Literal["people", "rule"], ...] = ("people", "rule")
        cases = all_cases(self.runs.samples(run))
        return [
            part
            for criterion in self.criteria.all(project)
            for kind in kinds
            for part in label_evidence(
                self.labels.current(project, criterion.name, run, by=kind),
                run=run.name,
                criterion=criterion,
                test_cases=cases,
                strata=self.plans.drawn_strata(run, criterion),
            )
        ]

    def main_metric(self, run: RunInfo) -> str | None:
        """What the run is judged by: the calibrated probability, else the first main metric that it has scores of."""
        scores = self.scoring.table(run)
        if scores is None:
            return None
        if self.calibrations.all(run):
            return CALIBRATED
        return next((name for name in MAIN_METRICS if name in scores.metrics and scores.n_scored(name)), None)

    def _run(self, run: RunInfo) -> RunEvidence:
        return run_evidence(
            run.name,
            self.runs.samples(run),
            self.scoring.table(run),
            content_hash=run.content_hash,
            filename=run.filename,
            format=run.format,
        )

    def _calibrations(self, project: ProjectInfo, run: RunInfo) -> list[CalibrationEvidence]:
        """The newest kept calibration of each criterion."""
        scores = self.scoring.table(run)
        if scores is None:
            return []
        newest = {record.criterion: record for record in reversed(self.calibrations.all(run))}
        return [
            calibration_evidence(
                self.calibrations.read(record),
                scores,
                self.labels.current(project, record.criterion, run),
                criterion=self.criteria.get(project, record.criterion),
                run=run.name,
                groups=self.calibrations.group_levels(run, self.calibrations.read(record)),
                test_cases=all_cases(self.runs.samples(run)),
            )
            for record in newest.values()
        ]

    def _agreements(self, project: ProjectInfo, run: RunInfo) -> list[AgreementEvidence]:
        """Agreement on each criterion on which two people labelled the same samples."""
        found, samples = [], self.runs.samples(run)
        for criterion in self.criteria.all(project):
            table = self.annotators.ratings(run, criterion, samples=samples)
            made = agreement(table, criterion=criterion, rng=np.random.default_rng(self.store.settings.seed))
            if made.n:
                found.append(AgreementEvidence(run.name, criterion.name, made))
        return found

    def _pass_rates(self, project: ProjectInfo, run: RunInfo) -> list[PassRateEvidence]:
        """The pass rate on each criterion with a kept calibration, by its metrics, and by each dimension of input."""
        scores = self.scoring.table(run)
        if scores is None:
            return []
        frame, cases = self.slices.dimensions(run), repeated_cases(self.runs.samples(run))
        found = []
        for record in {record.criterion: record for record in reversed(self.calibrations.all(run))}.values():
            criterion = self.criteria.get(project, record.criterion)
            found.append(
                pass_rate_evidence(
                    self.calibrations.read(record),
                    self.labels.current(project, criterion.name, run),
                    scores,
                    frame,
                    criterion=criterion,
                    run=run.name,
                    strata=self.plans.drawn_strata(run, criterion),
                    test_cases=cases,
                )
            )
        return found

    def _weaknesses(self, run: RunInfo) -> list[WeaknessEvidence]:
        metric = self.main_metric(run)
        if metric is None:
            return []
        by = input_dimensions(self.slices.dimensions(run))[:MOST_DIMENSIONS]
        return [WeaknessEvidence(run.name, self.weaknesses.find(run, metric, by=by, pairs=True))] if by else []

    def _worst(self, run: RunInfo) -> list[WorstSamples]:
        scores = self.scoring.table(run)
        metric = self.main_metric(run)
        if metric == CALIBRATED and scores is not None:
            metric = self.calibrations.read(self.calibrations.all(run)[0]).metrics[0]
        if scores is None or metric is None:
            return []
        direction = metric_notes()[metric].direction
        return [worst_samples(self.runs.samples(run), scores, run=run.name, metric=metric, direction=direction)]

    def _topics(self, run: RunInfo) -> list[TopicEvidence]:
        found = self.topics.read(run)
        return [] if found is None else [TopicEvidence(run.name, "query", found.model)]

    def _hashes(self, project: ProjectInfo, runs: list[RunInfo]) -> dict[str, str]:
        hashes = {f"run {run.name}": run.content_hash for run in runs}
        hashes |= {f"labels of {run.name}": labels_hash(self.labels.current(project, run=run)) for run in runs}
        return hashes


def metric_notes() -> dict[str, MetricNote]:
    """What a reader must know of each metric, from the registry; and of the calibrated probability."""
    from core.metrics.registry import metrics

    notes = {m.name: MetricNote(m.title, m.direction, m.source, m.description) for m in metrics()}
    notes[CALIBRATED] = MetricNote(
        "Calibrated probability of a pass", "higher", "HCAT 5.1", "What the kept calibration makes of the scores."
    )
    return notes


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
