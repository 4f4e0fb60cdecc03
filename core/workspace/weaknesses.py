"""Where a run is weak, by its metrics or by its calibration that was saved last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.records.project import RunInfo
from hcat.core.workspace.calibrations import Calibrations
from hcat.core.workspace.criteria import Criteria
from hcat.core.workspace.open_runs import OpenRuns
from hcat.core.workspace.projects import Projects

if TYPE_CHECKING:
    from hcat.core.analysis.fitness import MetricFitness
    from hcat.core.analysis.run_data import RunColumns
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.weakness.paired import PairedSlices
    from hcat.core.weakness.table import WeaknessTable


@dataclass(frozen=True)
class Weaknesses:
    """The weak slices of each run."""

    projects: Projects
    criteria: Criteria
    run_data: OpenRuns
    calibrations: Calibrations

    def find(
        self,
        run: RunInfo,
        metric: str,
        *,
        calibration: Calibration | None = None,
        columns: RunColumns | None = None,
        by: Sequence[str] | None = None,
        pairs: bool = False,
        minimum_n: int = 10,
        q: float = 0.05,
    ) -> WeaknessTable:
        """Hold every slice of the run against the rest, on a metric's scores or on a rate of passing.

        The metric `pass_probability` is the corrected pass rate by `calibration`, or else by the one saved last; its
        intervals carry the calibration's own error, by refits to the labels as they stand. `pass_rate:CRITERION` is the
        rate by labels alone; it stands beside the scores of metrics too. `columns` spare reading what is open already.
        NotFoundError before the first scoring, label or calibration, HcatError for an unknown dimension.
        """
        from hcat.core.analysis.weaknesses import CALIBRATED, compare_slices

        return compare_slices(
            self.run_data.open(run, columns=columns),
            metric,
            self.criteria.all(self.projects.of(run)),
            calibration=(calibration or self.calibrations.newest(run)) if metric == CALIBRATED else None,
            by=by,
            pairs=pairs,
            minimum_n=minimum_n,
            q=q,
        )

    def compare(
        self,
        run: RunInfo,
        against: RunInfo,
        metric: str,
        *,
        by: Sequence[str],
        columns: tuple[RunColumns, RunColumns] | None = None,
    ) -> PairedSlices:
        """The run less another in each slice, paired by sample. `columns` of both spare reading what is open already.

        NotFoundError before the first scoring, HcatError for a metric that either run does not have.
        """
        from hcat.core.analysis.paired_slices import compare_runs_by_slice
        from hcat.core.weakness.keys import criterion_of

        first, second = columns or (None, None)
        name = criterion_of(metric)
        criterion = None if name is None else self.criteria.get(self.projects.of(run), name)
        opened = self.run_data.open(run, columns=first), self.run_data.open(against, columns=second)
        return compare_runs_by_slice(*opened, metric, by=by, criterion=criterion)

    def metrics(self, run: RunInfo, *, columns: RunColumns | None = None) -> tuple[str, ...]:
        """By what slices can be compared: the corrected pass rate, people's pass rates, and the scored metrics."""
        from hcat.core.analysis.slice_metrics import slice_metrics

        opened = self.run_data.open(run, columns=columns)
        return slice_metrics(opened, self.criteria.all(self.projects.of(run)), calibration=self._in_force(run))

    def default_metric(self, run: RunInfo, *, columns: RunColumns | None = None) -> str:
        """By what to compare them at first: what people say, once labels allow it. NotFoundError before any score."""
        from hcat.core.analysis.slice_metrics import default_metric

        opened = self.run_data.open(run, columns=columns)
        return default_metric(opened, self.criteria.all(self.projects.of(run)), calibration=self._in_force(run))

    def default_dimensions(self, run: RunInfo, metric: str, *, columns: RunColumns | None = None) -> list[str]:
        """Over which dimensions: those with most levels that this metric can test."""
        from hcat.core.analysis.slice_metrics import default_dimensions

        opened = self.run_data.open(run, columns=columns)
        return default_dimensions(opened, self.criteria.all(self.projects.of(run)), metric)

    def fitness(self, run: RunInfo, metric: str, *, columns: RunColumns | None = None) -> MetricFitness | None:
        """How far what slices are compared by stands in for people; None for the pass rate by labels, which is theirs.
        The verdict is the Calibration page's for this metric alone."""
        from hcat.core.analysis.fitness import fitness_beside

        opened = self.run_data.open(run, columns=columns)
        return fitness_beside(opened, self.criteria.all(self.projects.of(run)), metric, calibration=self._in_force(run))

    def _in_force(self, run: RunInfo) -> Calibration | None:
        return self.calibrations.newest(run) if self.calibrations.all(run) else None
