"""What follows from labels and scores: calibrations, weaknesses, and the findings that somebody confirms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.storage.records import CalibrationRecord, Finding, ProjectInfo, RunInfo
from core.types import Criterion, Direction, JsonValue, Slice
from core.workspace.projects import checked_name, project_id

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from core.calibration.calibration import Calibration
    from core.scores import ScoreTable
    from core.weakness.table import WeaknessTable
    from core.workspace import Workspace


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

    labels = workspace.labels(workspace.repository.project_by_id(run.project_id), criterion.name, run)
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
    *,
    metrics: Sequence[str] = (),
    calibrations: Sequence[Calibration] = (),
    by: Sequence[str] | None = None,
    pairs: bool = False,
    minimum_n: int = 10,
    q: float = 0.05,
) -> WeaknessTable:
    """Hold every slice against the rest on these metrics, and on the calibrated probabilities of these calibrations.

    A calibration stands in the table as `probability (criterion)`. q-values account for everything that was looked
    at. NotFoundError before the first scoring, HcatError for nothing to look at or an unknown dimension.
    """
    import pandas as pd

    from core.metrics.registry import find_metric
    from core.weakness.table import combine, find_weaknesses

    table, frame = required_scores(workspace, run), dimensions(workspace, run)
    looked_at: list[tuple[str, Direction, NDArray[np.float64]]] = [
        (name, find_metric(name).direction, table.values(name)) for name in metrics
    ]
    looked_at += [(f"probability ({fitted.criterion})", "higher", fitted.probability(table)) for fitted in calibrations]
    return combine(
        [
            find_weaknesses(
                frame,
                pd.Series(values, index=table.frame.index),
                metric=name,
                direction=direction,
                by=by,
                pairs=pairs,
                minimum_n=minimum_n,
                q=q,
            )
            for name, direction, values in looked_at
        ]
    )
