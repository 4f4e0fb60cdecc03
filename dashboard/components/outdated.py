"""Note that a saved calibration was fitted to other labels than the present ones."""

from __future__ import annotations

from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.calibration.loader import is_outdated, saved_calibration


def outdated_note(run: RunInfo) -> str:
    """A sentence to put behind another where labels have changed since the calibration was saved; else empty."""
    calibrations = saved_calibration(run)
    if calibrations is None or not is_outdated(run, calibrations):
        return ""
    return " Labels have changed since the calibration was saved: save a new one on the Calibration page."
