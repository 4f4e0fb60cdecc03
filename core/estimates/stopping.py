"""Whether more labels can change a decision that hangs on a pass rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from core.errors import HcatError
from core.estimates.forecast import Forecast, outlook
from core.estimates.influence import LabelledRun
from core.estimates.learning import forecast_interval
from core.statistics.effective_n import rate_interval, t_quantile
from core.types import Estimate

Verdict = Literal["reached", "missed", "out of reach", "go on"]

LEAST_LABELS = 30
"""No decision is taken on fewer: intervals of fewer labels hold less well than they say."""


@dataclass(frozen=True, slots=True)
class StopDecision:
    """What the labels so far say of "pass rate ≥ threshold". `interval` is the one that was held against it.

    "reached" and "missed": the whole interval lies on one side, so stop. "out of reach": labelling every sample would
    leave the question open, so stop, and use a larger run. "go on": labels can still decide.
    """

    verdict: Verdict
    threshold: float
    interval: Estimate
    reason: str

    @property
    def stop(self) -> bool:
        return self.verdict != "go on"


def decide(run: LabelledRun, threshold: float, *, looks: int = 5, level: float = 0.95) -> StopDecision:
    """Hold the pass rate against a threshold in (0, 1), as one of at most `looks` looks at growing labels.

    Each look has its interval at level 1 − (1 − level)/looks (Bonferroni), so that over all of them a wrong decision
    comes with probability 1 − level at most. "out of reach" is where the interval that all N labels would give holds
    the threshold wherever the rate over all N may come to lie: between two ends, since Wilson's bounds rise with it.
    """
    if not 0 < threshold < 1 or looks < 1:
        raise HcatError("a decision takes a threshold between 0 and 1 and at least one look")
    strict = 1 - (1 - level) / looks
    ahead = outlook(run, level=strict)
    found, held = ahead.estimates, ahead.estimates.ppi
    said = f"the interval at {strict:.1%} runs from {held.low:.1%} to {held.high:.1%}"
    if found.n_labels < LEAST_LABELS:
        missing = LEAST_LABELS - found.n_labels
        return StopDecision("go on", threshold, held, f"Fewer than {LEAST_LABELS} labels: {missing} more at least.")
    if not ahead.known:
        alone = "All labels, or all of one stratum, are of a single test case: label samples of others."
        return StopDecision("go on", threshold, held, alone)
    if held.low >= threshold:
        return StopDecision("reached", threshold, held, f"Stop: {said}, all of it at or above {threshold:.0%}.")
    if held.high < threshold:
        return StopDecision("missed", threshold, held, f"Stop: {said}, all of it below {threshold:.0%}.")
    if _all_labels_leave_it_open(ahead, threshold):
        why = f"Even with all {found.n_samples} samples labelled the interval would hold {threshold:.0%}"
        return StopDecision("out of reach", threshold, held, f"Stop: {said}. {why}; a larger run would decide.")
    return StopDecision("go on", threshold, held, f"Go on: {said}, and {threshold:.0%} lies inside.")


def labels_to_decide(ahead: Forecast, threshold: float) -> int | None:
    """Labels in all at which the interval would leave the threshold outside if the pass rate stays as it is now.

    None where not even all samples are enough. A guess: the rate will move.
    """

    def decided(n: int) -> bool:
        made = forecast_interval(ahead, n)
        return made.low >= threshold or made.high < threshold

    low, high = LEAST_LABELS - 1, ahead.estimates.n_samples
    if high <= low or not ahead.known or not decided(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high


def _all_labels_leave_it_open(ahead: Forecast, threshold: float) -> bool:
    found = ahead.estimates
    if found.n_labels >= found.n_samples:
        return True
    # The rate over all samples differs from the present one by what is still open, not by all that is uncertain.
    rate, total, level = found.ppi.value, found.n_samples, found.ppi.level
    still_open = max(found.standard_error**2 - rate * (1 - rate) / ahead.whole, 0.0)
    half = t_quantile(level, math.inf) * math.sqrt(still_open)
    ends = [
        rate_interval(min(max(end, 0.0), 1.0), ahead.whole, n=total, level=level, method="all labelled")
        for end in (rate - half, rate + half)
    ]
    return all(end.low < threshold <= end.high for end in ends)
