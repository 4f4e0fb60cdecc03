"""All trials, a file an area."""

from __future__ import annotations

from benchmarks.battery import slices
from benchmarks.battery.trial import Trial

TRIALS: tuple[Trial, ...] = (*slices.TRIALS,)
