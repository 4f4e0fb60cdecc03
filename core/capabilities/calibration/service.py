"""The calibrations of a run that somebody saved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hcat.core.errors import NotFoundError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.records.project import CalibrationRecord, RunInfo

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration


@dataclass(frozen=True)
class Calibrations:
    """The calibrations of each run."""

    store: OpenStore

    def save(self, run: RunInfo, calibration: Calibration, *, author: str = "", reason: str = "") -> CalibrationRecord:
        """Put the calibration in force on the run: overview, weaknesses, estimates and report use it from now on.

        HcatError without a reason where it is not shown to be fit for use; one that is stated in it already will do.
        """
        from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document

        stated = "" if calibration.use is None else calibration.use.reason
        name = checked_name(author or self.store.actor, "author")
        used = calibration.put_in_force(author=name, reason=reason or stated, at=datetime.now(UTC))
        document = calibration_document(used)
        with self.store.write(name, "calibration.save", run.project_id) as write:
            return self.store.results.add_calibration(write, run.project_id, run.id, calibration.criterion, document)

    def all(self, run: RunInfo) -> list[CalibrationRecord]:
        """The run's saved calibrations, newest first; `read_calibration` makes one usable again."""
        self.store.access.check_reading("results", run.project_id)
        return self.store.results.calibrations(run.id)

    def read(self, record: CalibrationRecord) -> Calibration:
        """The calibration of a saved document."""
        self.store.access.check_reading_of("results", record.run_id)
        from hcat.core.calibration.calibration import Calibration

        return Calibration.from_document(dict(record.document))

    def newest(self, run: RunInfo) -> Calibration:
        """The calibration saved last, or NotFoundError."""
        records = self.all(run)
        if not records:
            raise NotFoundError(f"run {run.name!r} has no saved calibration yet: calibrate it and save the result")
        return self.read(records[0])
