"""Where a run is weak: its slices held against the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.records.project import RunInfo
from core.types import Direction
from core.workspace.calibrating import Calibrations
from core.workspace.criteria import Criteria
from core.workspace.labels import Labels
from core.workspace.projects import Projects
from core.workspace.runs import Runs
from core.workspace.scoring import Scoring
from core.workspace.slices import Slices

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.calibration.calibration import Calibration
    from core.scoring.score_table import ScoreTable
    from core.weakness.table import WeaknessTable

CALIBRATED = "pass_probability"
"""Stands where a metric's name does, for the probability of a pass by the calibration kept last."""


@dataclass(frozen=True)
class Weaknesses:
    """The weak slices of each run."""

    projects: Projects
    criteria: Criteria
    runs: Runs
    labels: Labels
    scoring: Scoring
    slices: Slices
    calibrations: Calibrations

    def find(
        self,
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
        `by` names the dimensions (default: all). NotFoundError before the first scoring or calibration, HcatError for
        an unknown dimension.
        """
        import pandas as pd

        from core.weakness.table import find_weaknesses

        table = self.scoring.required(run)
        cases = {sample.id: sample.test_case or sample.id for sample in self.runs.samples(run)}
        refits = None
        if metric == CALIBRATED:
            fitted = calibration or self.calibrations.newest(run)
            values, refits = fitted.probability(table), self._refits(run, fitted, table, cases)
        else:
            values = table.values(metric)
        frame = self.slices.dimensions(run)
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
            answer_states=table.state_of,
        )

    def _refits(
        self, run: RunInfo, fitted: Calibration, table: ScoreTable, cases: Mapping[str, str]
    ) -> NDArray[np.float64] | None:
        """The samples' probabilities under refits of the calibration; None where its labels are not in the store."""
        from core.calibration.refits import refitted_probabilities

        criterion = self.criteria.get(self.projects.of(run), fitted.criterion)
        labels = self.labels.current(self.projects.of(run), fitted.criterion, run)
        if not labels:
            return None
        return refitted_probabilities(fitted, labels, table, criterion=criterion, test_cases=cases)


def _range(metric: str) -> tuple[float, float]:
    from core.metrics.registry import range_of

    return (0.0, 1.0) if metric == CALIBRATED else range_of(metric)


def _direction(metric: str) -> Direction:
    from core.metrics.registry import find_metric

    return "higher" if metric == CALIBRATED else find_metric(metric).direction
