"""A finding's claim with its numbers, people's labels of the same samples, and its history of changes."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.capabilities.calibration.wording.fitness import fitness_sentence
from hcat.core.capabilities.findings.view import history_view, statement_view
from hcat.core.capabilities.report.analysis.finding_evidence import finding_evidence
from hcat.core.records.project import Finding, ProjectInfo
from hcat.core.slices.frozen import FrozenSelection
from hcat.dashboard.capabilities.weaknesses.loader import fitness, slice_metrics
from hcat.dashboard.components.pickers import metric_direction, metric_title
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import open_run, scores
from hcat.dashboard.loaders.workspace import workspace


def statement_panel(project: ProjectInfo, finding: Finding, frozen: FrozenSelection | None) -> None:
    """Metric, mean, interval and q as they were frozen; people's pass rate and the metric's fitness as they are now."""
    run = None if finding.run_id is None else workspace().runs.by_id(finding.run_id)
    criteria = workspace().criteria.all(project)
    opened = None if run is None else open_run(run)
    evidence = finding_evidence(finding, frozen, opened, criteria, titles={})
    metric = evidence.metric
    if run is not None and metric in slice_metrics(run) and (stands_in := fitness(run, metric)) is not None:
        evidence = replace(evidence, fitness=fitness_sentence(stands_in))
    view = statement_view(
        evidence,
        metric=metric_title(metric) if metric else "",
        lower_is_better=run is not None and metric_direction(metric, scores(run)) == "lower",
    )
    show_view(view, key=f"statement-{finding.id}", draw={})


def history_panel(finding: Finding) -> None:
    """Show who confirmed the finding, and all changes since."""
    view = history_view(finding.author, finding.created_at, finding.history, title="History")
    show_view(view, key=f"history-{finding.id}", draw={})
