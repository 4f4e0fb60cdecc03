"""The calibrations of a run that somebody saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.records.project import CalibrationRecord, RunInfo
from core.workspace.open_store import OpenStore

if TYPE_CHECKING:
    from core.calibration.calibration import Calibration


@dataclass(frozen=True)
class Calibrations:
    """The calibrations of each run."""

    store: OpenStore

    def save(self, run: RunInfo, calibration: Calibration) -> CalibrationRecord:
        """Keep the calibration's document beside the run."""
        from core.wording.calibration_document import calibration_document

        document = calibration_document(calibration)
        with self.store.write(self.store.actor, "calibration.save") as write:
            return self.store.results.add_calibration(write, run.project_id, run.id, calibration.criterion, document)

    def all(self, run: RunInfo) -> list[CalibrationRecord]:
        """The run's kept calibrations, newest first; `read_calibration` makes one usable again."""
        return self.store.results.calibrations(run.id)

    def read(self, record: CalibrationRecord) -> Calibration:
        """The calibration of a kept document."""
        from core.calibration.calibration import Calibration

        return Calibration.from_document(dict(record.document))

    def newest(self, run: RunInfo) -> Calibration:
        """The calibration kept last, or NotFoundError."""
        records = self.all(run)
        if not records:
            raise NotFoundError(f"run {run.name!r} has no saved calibration yet: calibrate it and save the result")
        return self.read(records[0])
