"""An opened run with its data for a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.coverage.run_coverage import RunCoverage
from hcat.core.capabilities.judges.stored import StoredCheck, StoredJudgement
from hcat.core.capabilities.report.evidence.records import Blindness, WithoutLabel
from hcat.core.opened.run import Opened
from hcat.core.records.fairness import SettledFairness
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Criterion


@dataclass(frozen=True, eq=False)
class ReportedRun:
    """An opened run with its data for a report: `calibrations`, one a criterion, and the `newest` of all.

    `weaknesses` are a table found before; without one they are found here, unless `find` says otherwise.
    `without_label` counts, by criterion, what annotators looked at and did not label, `blindness` how the labels of
    people were given. `answer_vectors` are those of the answers of a run with variants, `coverage` is what its test
    cases cover of the corpus that they were made from. `settled` are the margins between groups, newest first, and
    `imported_at` is when the run came. `judges` are what language models said of it, and checks of them for bias.
    """

    run: Opened
    criteria: tuple[Criterion, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    newest: Calibration | None = None
    weaknesses: WeaknessTable | None = None
    find: bool = True
    without_label: Mapping[str, WithoutLabel] = field(default_factory=dict)
    blindness: Mapping[str, Blindness] = field(default_factory=dict)
    answer_vectors: Mapping[str, NDArray[np.float32]] | None = None
    coverage: RunCoverage | None = None
    settled: tuple[SettledFairness, ...] = ()
    imported_at: datetime | None = None
    judges: tuple[StoredJudgement | StoredCheck, ...] = ()

    @property
    def calibrated(self) -> list[tuple[Calibration, Criterion]]:
        """The calibrations with the criteria that they are on; none where there are no scores to apply them to."""
        if self.run.columns.given_scores is None:
            return []
        return [(calibration, self.criterion_of(calibration)) for calibration in self.calibrations]

    def criterion_of(self, calibration: Calibration) -> Criterion:
        return next(criterion for criterion in self.criteria if criterion.name == calibration.criterion)
