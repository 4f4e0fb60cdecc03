"""What follows from labels and scores: calibrations, weaknesses, and the findings that somebody confirms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.storage.records import CalibrationRecord, Finding, ProjectInfo, RunInfo
from core.types import Criterion, Direction, JsonValue, Slice
from core.workspace.projects import checked_name, project_id, project_of

if TYPE_CHECKING:
    import pandas as pd

    from core.calibration.calibration import Calibration
    from core.scores import ScoreTable
    from core.weakness.table import WeaknessTable
    from core.workspace import Workspace

CALIBRATED = "pass_probability"
"""Stands where a metric's name does, for the probability of a pass by the calibration kept last."""


def calibrate(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
    alpha: float = 0.1,
) -> Calibration:
    """Calibrate metrics against the run's present labels. Nothing is stored.

    NotEnoughLabelsError says how many labels are missing.
    """
    from core.calibration.calibration import calibrate as fit

    labels = workspace.labels(project_of(workspace, run), criterion.name, run)
    return fit(
        labels, required_scores(workspace, run), criterion=criterion, metrics=metrics, method=method, alpha=alpha
    )


def save_calibration(workspace: Workspace, run: RunInfo, calibration: Calibration) -> CalibrationRecord:
    """Keep the calibration's document beside the run."""
    document = json.loads(calibration.to_json())
    return workspace.results.add_calibration(run.project_id, run.id, calibration.criterion, document)


def calibrations(workspace: Workspace, run: RunInfo) -> list[CalibrationRecord]:
    """The run's kept calibrations, newest first; `read_calibration` makes one usable again."""
    return workspace.results.calibrations(run.id)


def read_calibration(workspace: Workspace, record: CalibrationRecord) -> Calibration:  # noqa: ARG001
    """The calibration of a kept document."""
    from core.calibration.calibration import Calibration

    return Calibration.from_json(json.dumps(dict(record.document)))


def confirm_finding(
    workspace: Workspace,
    run: RunInfo,
    title: str,
    *,
    slice: Slice,  # noqa: A002
    evidence: Mapping[str, JsonValue],
    severity: str,
    author: str,
    comment: str = "",
) -> Finding:
    """Keep a weakness that somebody confirmed, with the table or chart that shows it. Its status is "open"."""
    levels: dict[str, JsonValue] = {
        "dimension_1": slice.dimension_1,
        "level_1": slice.level_1,
        "dimension_2": slice.dimension_2,
        "level_2": slice.level_2,
    }
    return workspace.results.add_finding(
        run.project_id,
        run.id,
        checked_name(title, "finding"),
        slice=levels,
        evidence=evidence,
        severity=severity,
        comment=comment,
        author=author,
    )


def change_finding(workspace: Workspace, finding: Finding, *, status: str, comment: str | None = None) -> Finding:
    """Give a finding another status, and another comment where one is given."""
    return workspace.results.change_finding(
        finding.id, status=status, comment=finding.comment if comment is None else comment
    )


def findings(workspace: Workspace, project: ProjectInfo | str) -> list[Finding]:
    """The project's findings, oldest first."""
    return workspace.results.findings(project_id(workspace, project))


def required_scores(workspace: Workspace, run: RunInfo) -> ScoreTable:
    """The run's scores, or NotFoundError."""
    table = workspace.scores(run)
    if table is None:
        raise NotFoundError(f"run {run.name!r} has no scores yet: score it first")
    return table


def dimensions(workspace: Workspace, run: RunInfo) -> pd.DataFrame:
    """What the run's samples can be sliced by: given dimensions, topics where they were found, and derived ones."""
    from core.weakness.slices import dimension_frame

    samples = workspace.samples(run)
    found = workspace.topics(run)
    if found is None:
        return dimension_frame(samples)
    topic: dict[str, str] = dict(zip(found.sample_ids, found.model.levels(), strict=True))
    return dimension_frame(samples, extra={"topic": [topic.get(sample.id) for sample in samples]})


def find_weaknesses(
    workspace: Workspace,
    run: RunInfo,
    metric: str,
    *,
    calibration: Calibration | None = None,
    by: Sequence[str] | None = None,
    pairs: bool = False,
    minimum_n: int = 10,
    q: float = 0.05,
) -> WeaknessTable:
    """Hold every slice of the run against the rest, on a metric's scores or on the probability of a pass.

    The metric `pass_probability` is what `calibration`, or else the calibration kept last, makes of the scores.
    `by` names the dimensions (default: all). NotFoundError before the first scoring or calibration, HcatError for an
    unknown dimension.
    """
    import pandas as pd

    from core.weakness.table import find_weaknesses

    table = required_scores(workspace, run)
    if metric == CALIBRATED:
        values = (calibration or newest_calibration(workspace, run)).probability(table)
    else:
        values = table.values(metric)
    return find_weaknesses(
        dimensions(workspace, run),
        pd.Series(values, index=table.frame.index),
        metric=metric,
        direction=_direction(metric),
        within=_range(metric),
        by=by,
        pairs=pairs,
        minimum_n=minimum_n,
        q=q,
        test_cases=[sample.test_case or sample.id for sample in workspace.samples(run)],
    )


def newest_calibration(workspace: Workspace, run: RunInfo) -> Calibration:
    """The calibration kept last, or NotFoundError."""
    kept = calibrations(workspace, run)
    if not kept:
        raise NotFoundError(f"run {run.name!r} has no kept calibration yet: calibrate it and keep the result")
    return read_calibration(workspace, kept[0])


def _range(metric: str) -> tuple[float, float]:
    from core.metrics.registry import range_of

    return (0.0, 1.0) if metric == CALIBRATED else range_of(metric)


def _direction(metric: str) -> Direction:
    from core.metrics.registry import find_metric

    return "higher" if metric == CALIBRATED else find_metric(metric).direction
