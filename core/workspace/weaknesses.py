"""Where a run is weak, by its metrics or by its calibration that was saved last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.records.project import RunInfo
from core.workspace.calibrations import Calibrations
from core.workspace.criteria import Criteria
from core.workspace.open_runs import OpenRuns
from core.workspace.projects import Projects

if TYPE_CHECKING:
    from core.analysis.run_data import RunColumns
    from core.calibration.calibration import Calibration
    from core.weakness.table import WeaknessTable


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
        """Hold every slice of the run against the rest, on a metric's scores or on the probability of a pass.

        The metric `pass_probability` is what `calibration`, or else the calibration saved last, makes of the scores;
        its intervals carry the calibration's own error, by refits to the labels as they stand. `columns` spare reading
        what is open already. NotFoundError before the first scoring or calibration, HcatError for an unknown dimension.
        """
        from core.analysis.weaknesses import CALIBRATED, find_calibrated_weaknesses, find_weaknesses

        opened = self.run_data.open(run, columns=columns)
        if metric != CALIBRATED:
            return find_weaknesses(opened, metric, by=by, pairs=pairs, minimum_n=minimum_n, q=q)
        fitted = calibration or self.calibrations.newest(run)
        criterion = self.criteria.get(self.projects.of(run), fitted.criterion)
        return find_calibrated_weaknesses(opened, fitted, criterion, by=by, pairs=pairs, minimum_n=minimum_n, q=q)
