"""All trials, a file an area."""

from __future__ import annotations

from benchmarks.battery import calibration, differences, fit, pass_rates, people, policy, slices
from benchmarks.battery.trial import Trial

TRIALS: tuple[Trial, ...] = (
    *calibration.TRIALS,
    *differences.TRIALS,
    *fit.TRIALS,
    *pass_rates.TRIALS,
    *people.TRIALS,
    *policy.TRIALS,
    *slices.TRIALS,
)
