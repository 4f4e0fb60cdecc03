"""What follows from labels and scores: calibrations and weaknesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.storage.records import CalibrationRecord, RunInfo
from core.types import Direction
from core.workspace.projects import project_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from core.calibration.calibration import Calibration
    from core.scoring.score_table import ScoreTable
    from core.weakness.table import WeaknessTable
    from core.workspace import Workspace

CALIBRATED = "pass_probability"
"""Stands where a metric's name does, for the probability of a pass by the calibration kept last."""


def save_calibration(workspace: Workspace, run: RunInfo, calibration: Calibration) -> CalibrationRecord:
    """Keep the calibration's document beside the run."""
    return workspace.results.add_calibration(run.project_id, run.id, calibration.criterion, calibration.document())


def calibrations(workspace: Workspace, run: RunInfo) -> list[CalibrationRecord]:
    """The run's kept calibrations, newest first; `read_calibration` makes one usable again."""
    return workspace.results.calibrations(run.id)


def read_calibration(workspace: Workspace, record: CalibrationRecord) -> Calibration:  # noqa: ARG001
    """The calibration of a kept document."""
    from core.calibration.calibration import Calibration

    return Calibration.from_document(dict(record.document))


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

    The metric `pass_probability` is what `calibration`, or else the calibration kept last, makes of the scores; its
    intervals carry the calibration's own error, by refits to the labels as they stand.
    `by` names the dimensions (default: all). NotFoundError before the first scoring or calibration, HcatError for an
    unknown dimension.
    """
    import pandas as pd

    from core.weakness.table import find_weaknesses

    table = required_scores(workspace, run)
    cases = {sample.id: sample.test_case or sample.id for sample in workspace.samples(run)}
    refits = None
    if metric == CALIBRATED:
        fitted = calibration or newest_calibration(workspace, run)
        values, refits = fitted.probability(table), _refits(workspace, run, fitted, table, cases)
    else:
        values = table.values(metric)
    frame = dimensions(workspace, run)
    return find_weaknesses(
        frame,
        pd.Series(values, index=table.frame.index),
        metric=metric,
        direction=_direction(metric),
        within=_range(metric),
        by=by,
        pairs=pairs,
        minimum_n=minimum_n,
        q=q,
        test_cases=[cases[str(sample_id)] for sample_id in frame.index],
        refits=refits,
    )


def _refits(
    workspace: Workspace, run: RunInfo, fitted: Calibration, table: ScoreTable, cases: Mapping[str, str]
) -> NDArray[np.float64] | None:
    """The samples' probabilities under refits of the calibration; None where its labels are not in the store."""
    from core.calibration.refits import refitted_probabilities

    criterion = workspace.criterion(project_of(workspace, run), fitted.criterion)
    labels = workspace.labels(project_of(workspace, run), fitted.criterion, run)
    if not labels:
        return None
    return refitted_probabilities(fitted, labels, table, criterion=criterion, test_cases=cases)


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
