"""Whether more labels can change a decision that depends on a pass rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.estimates.forecast import Forecast, label_forecast
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.learning import forecast_interval
from hcat.core.statistics.effective_n import kish_n, rate_interval, t_quantile
from hcat.core.statistics.looks import watched_level
from hcat.core.types import Estimate
from hcat.core.types import Verdict as Judged

Verdict = Literal["reached", "missed", "out of reach", "go on"]

Cause = Literal[
    "few labels",
    "labels worth few",
    "one cluster",
    "interval above",
    "interval below",
    "all labels leave it open",
    "threshold inside",
]

LEAST_LABELS = 30
"""The least number of labels for a decision, also in equally weighted ones (Kish).

With fewer, intervals cover less often than stated."""


@dataclass(frozen=True, slots=True)
class StopDecision:
    """The decision on "pass rate ≥ threshold" from the current labels, with the `interval` and the cause.

    "reached" and "missed": the whole interval is on one side, so stop. "out of reach": labelling every sample would
    leave the question open, so stop, and use a larger run. "go on": labels can still decide."""

    verdict: Verdict
    threshold: float
    interval: Estimate
    cause: Cause
    n_labels: int
    n_samples: int

    @property
    def stop(self) -> bool:
        return self.verdict != "go on"


def look_level(labels: int, *, looks: int | None, level: float = 0.95) -> float:
    """The level of one look's interval at so many labels: the error over all looks is at most 1 − level.

    Of a number of `looks` that was fixed beforehand each has 1 − (1 − level)/looks (Bonferroni). Without one (None)
    labels may be monitored all the time: the level is that of a normal interval as wide as an asymptotic confidence
    sequence, which is valid at all numbers of labels at once (`watched_level`)."""
    error = 1 - level
    return 1 - error / looks if looks is not None else 1 - 2 * watched_level(labels, error / 2)


def decide(run: LabelledRun, threshold: float, *, looks: int | None = None, level: float = 0.95) -> StopDecision:
    """The decision on the pass rate and a threshold in (0, 1), at any number of labels, or at one of `looks` planned
    ones.

    Each look has its interval at `look_level`, so that the probability of a wrong decision over all of them is at most
    1 − level. "out of reach" means that the interval from all N labels would contain the threshold for any possible
    rate over all N: it suffices to check two ends, since Wilson's bounds increase with it."""
    if not 0 < threshold < 1 or (looks is not None and looks < 1):
        raise HcatError("a decision needs a threshold between 0 and 1 and at least one look")
    strict = look_level(int(np.sum(~np.isnan(run.passed))), looks=looks, level=level)
    ahead = label_forecast(run, level=strict)
    estimates, interval = ahead.estimates, ahead.estimates.ppi

    def because(verdict: Verdict, cause: Cause) -> StopDecision:
        return StopDecision(verdict, threshold, interval, cause, estimates.n_labels, estimates.n_samples)

    if estimates.n_labels < LEAST_LABELS:
        return because("go on", "few labels")
    if not ahead.known:
        return because("go on", "one cluster")
    if worth(run) < LEAST_LABELS:
        return because("go on", "labels worth few")
    if interval.low >= threshold:
        return because("reached", "interval above")
    if interval.high < threshold:
        return because("missed", "interval below")
    if _all_labels_leave_it_open(ahead, threshold):
        return because("out of reach", "all labels leave it open")
    return because("go on", "threshold inside")


def worth(run: LabelledRun) -> float:
    """The number of equally weighted labels that those of the run are worth (Kish). Clusters affect only the
    interval."""
    weights = np.ones(len(run.passed)) if run.weights is None else run.weights
    return kish_n((weights if run.design is None else weights * run.design)[run.labelled])


def labels_to_decide(ahead: Forecast, threshold: float) -> int | None:
    """The total number of labels at which the interval would exclude the threshold at the current pass rate.

    None if not even all samples are enough. A guess: the rate will change."""

    def decided(n: int) -> bool:
        interval = forecast_interval(ahead, n)
        return interval.low >= threshold or interval.high < threshold

    low, high = LEAST_LABELS - 1, ahead.estimates.n_samples
    if high <= low or not ahead.known or not decided(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high


def _all_labels_leave_it_open(ahead: Forecast, threshold: float) -> bool:
    estimates = ahead.estimates
    if estimates.n_labels >= estimates.n_samples:
        return True
    # The rate over all samples differs from the present one by what is still open, not by all that is uncertain.
    rate, total, level = estimates.ppi.value, estimates.n_samples, estimates.ppi.level
    still_open = max(estimates.standard_error**2 - rate * (1 - rate) / ahead.n_all, 0.0)
    half = t_quantile(level, math.inf) * math.sqrt(still_open)
    ends = [
        rate_interval(min(max(end, 0.0), 1.0), ahead.n_all, n=total, level=level, method="all labelled")
        for end in (rate - half, rate + half)
    ]
    return all(end.low < threshold <= end.high for end in ends)


STOPPED = Judged(
    name="stopping rule",
    words=("reached", "missed"),
    claim="The pass rate lies on this side of the threshold.",
    error=0.05,
    family="all looks at growing labels, however many",
    decides="hcat.core.estimates.stopping:decide",
    carried_by="hcat.core.estimates.stopping:StopDecision.verdict",
)
