"""A project's evidence, gathered for its report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.records.project import Finding, ProjectInfo, RunInfo
from core.report.evidence.records import Evidence, FindingEvidence
from core.types import Criterion, Estimate, JsonValue, Slice
from core.workspace.calibrations import Calibrations
from core.workspace.criteria import Criteria
from core.workspace.findings import Findings
from core.workspace.open_runs import OpenRuns
from core.workspace.open_store import OpenStore
from core.workspace.runs import Runs

if TYPE_CHECKING:
    from core.analysis.evidence import ReportedRun
    from core.report.tree import Report


@dataclass(frozen=True)
class Reports:
    """The validation report of each project."""

    store: OpenStore
    criteria: Criteria
    runs: Runs
    run_data: OpenRuns
    calibrations: Calibrations
    findings: Findings

    def build(self, project: ProjectInfo, *, author: str = "") -> Report:
        """The validation report of a project, from what is stored now."""
        from core.report.build import build_report

        return build_report(self.evidence(project, author=author))

    def evidence(self, project: ProjectInfo, *, author: str = "") -> Evidence:
        """All that the report rests on: each run, opened once, with its saved calibrations; criteria and findings."""
        from core.analysis.evidence import gather_evidence

        criteria = tuple(self.criteria.all(project))
        runs = [self._reported(run, criteria) for run in self.runs.all(project)]
        return gather_evidence(
            runs,
            project=project.name,
            description=project.description,
            author=author,
            criteria=criteria,
            findings=[_finding(finding) for finding in self.findings.all(project)],
            settings={"seed": self.store.settings.seed, "embedder": self.store.settings.embedder},
            hashes=_hashes(runs),
            commands=(f'hcat report --project "{project.name}" -o report.html --format html',),
            seed=self.store.settings.seed,
        )

    def _reported(self, run: RunInfo, criteria: tuple[Criterion, ...]) -> ReportedRun:
        """The run with the newest calibration of each criterion."""
        from core.analysis.evidence import ReportedRun

        saved = {record.id: self.calibrations.read(record) for record in self.calibrations.all(run)}
        by_criterion = {calibration.criterion: calibration for calibration in reversed(saved.values())}
        newest = next(iter(saved.values()), None)
        return ReportedRun(self.run_data.open(run), criteria, tuple(by_criterion.values()), newest=newest)


def _hashes(runs: list[ReportedRun]) -> dict[str, str]:
    from core.labelling.consensus import labels_hash

    hashes = {f"run {reported.run.name}": reported.run.columns.content_hash for reported in runs}
    for reported in runs:
        labels = [label for criterion in reported.criteria for label in reported.run.labels(criterion).labels]
        hashes[f"labels of {reported.run.name}"] = labels_hash(labels)
    return hashes


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
        shrunken=_shrunken(finding.evidence),
        tested=_tested(finding.evidence),
    )


def _found(statistics: Mapping[str, JsonValue]) -> tuple[Estimate | None, float | None, str]:
    """Mean, q and verdict of a slice; nothing where something else was selected."""
    from core.weakness.family import frozen_verdict

    numbers = {name: statistics.get(name) for name in ("mean", "low", "high", "n", "q")}
    mean, low, high, n, q = (float(x) if isinstance(x, (int, float)) else math.nan for x in numbers.values())
    estimate = None if math.isnan(mean) or math.isnan(n) else Estimate(mean, low, high, int(n))
    return estimate, None if math.isnan(q) else q, frozen_verdict(statistics)


def _shrunken(statistics: Mapping[str, JsonValue]) -> Estimate | None:
    """The shrunken mean with the interval for a selected slice; None where that was not recorded."""
    numbers = [statistics.get(name) for name in ("shrunken", "selected_low", "selected_high", "n")]
    value, low, high, n = (float(x) if isinstance(x, (int, float)) else math.nan for x in numbers)
    return None if math.isnan(value + low + high + n) else Estimate(value, low, high, int(n))


def _tested(statistics: Mapping[str, JsonValue]) -> int | None:
    family = statistics.get("family")
    tested = family.get("slices_tested") if isinstance(family, Mapping) else None
    return tested if isinstance(tested, int) else None


def _selection_title(finding: Finding) -> str:
    """The slice, or what else was selected."""
    if not finding.slice:
        return "" if finding.frozen is None else str(finding.frozen["title"])
    levels = {key: None if level is None else str(level) for key, level in finding.slice.items()}
    return Slice(
        levels["dimension_1"] or "", levels["level_1"] or "", levels.get("dimension_2"), levels.get("level_2")
    ).title
