"""Drift of a policy in use from its promises: load on people and error of accepted answers, window by window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.capabilities.policy.error_test import BETS
from hcat.core.capabilities.policy.stakes import cluster_sums
from hcat.core.errors import HcatError
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate, Verdict

ALPHA = 0.05
_STEPS = 16


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcomes of one window: `hits` (n,), with `weights` (n,) and `clusters` (n,) if unequal or dependent.

    `largest_weight` is the most that any outcome of the window could have had, drawn or not: None if weights differ and
    that is not known."""

    hits: Bools
    weights: Floats | None = None
    clusters: Codes | None = None
    largest_weight: float | None = 1.0

    @property
    def share(self) -> Estimate:
        """The share of hits in this window alone."""
        return weighted_proportion(self.hits, weights=self.weights, clusters=self.clusters, method="clopper-pearson")

    def units(self, *, cap: float | None) -> tuple[Floats, Floats]:
        """The weight of hits and of all outcomes in each cluster, (clusters,) each.

        The largest weight of any outcome of the window is 1; empty if that is not known."""
        if self.largest_weight is None:
            return np.empty(0), np.empty(0)
        weights = None if self.weights is None else self.weights / self.largest_weight
        return cluster_sums(self.hits, weights, self.clusters, cap=cap)


@dataclass(frozen=True, slots=True)
class DriftWindow:
    """One window: its own share of hits, the bounds of the mean share so far, and the evidence that the promise is
    broken.

    The mean share over all windows so far is between `low` and `high`, in bounds that are valid for all windows at
    once; `evidence` is an e-value."""

    name: str
    share: Estimate
    low: float
    high: float
    evidence: float


@dataclass(frozen=True, slots=True)
class Drift:
    """One quantity over windows, compared with the promised share from `least` to `most`.

    `alarm` is the number of the first window, from 0, at which the evidence reached 1 / `alpha`; None if it never did.
    `largest` is the weight of the heaviest cluster, on which stakes were based. Nothing was bet on `unweighed` windows,
    whose weights are unequal and have no known maximum."""

    quantity: str
    least: float
    most: float
    alpha: float
    windows: tuple[DriftWindow, ...]
    alarm: int | None
    largest: float = 1.0
    unweighed: int = 0

    @property
    def seen(self) -> int:
        """The number of outcomes in all windows."""
        return sum(window.share.n for window in self.windows)


def drift(
    quantity: str,
    windows: Sequence[tuple[str, Outcomes]],
    *,
    least: float,
    most: float,
    alpha: float = ALPHA,
    largest: float = 1.0,
    cap: float | None = None,
) -> Drift:
    """Whether the share of hits leaves [least, most], tested after every window.

    Capital is bet against the promise: while it holds, the probability that the capital ever reaches 1 / α is at most
    α, for any number of windows and any stopping rule (Ville's inequality). If both ends can be left, half of the
    capital is bet on each. Bounds of the mean share so far are the shares that no bet on all outcomes so far rejects at
    2 / α. If the share changes over time, they are of its mean, and never empty. Within a window, the order of outcomes
    does not count.

    Stakes are relative to the weight of the heaviest cluster, which has to be known before the outcomes: `largest` is
    that of the answers on which the promise was shown. If a window has a heavier one, stakes are lower from this window
    on, and never rise again. A cluster that weighs more than `cap` counts for only so much. Source: Waudby-Smith &
    Ramdas 2024, Estimating means of bounded random variables by betting, theorem 3 and section 4 (stakes are
    predictable)."""
    if not 0 <= least <= most <= 1:
        raise HcatError(f"a promised share lies between 0 and 1, not from {least:g} to {most:g}")
    units = np.empty((0, 2))
    rows: list[DriftWindow] = []
    alarm = None
    two_sided = least > 0 and most < 1
    heaviest = max(largest, 1.0) if cap is None else cap
    for number, (name, outcomes) in enumerate(windows):
        lost, mass = outcomes.units(cap=cap)
        heaviest = max(heaviest, float(mass.max(initial=0.0)))
        units = np.vstack([units, np.column_stack([lost, mass]) / heaviest])
        seen = np.unique(units, axis=0, return_counts=True)
        above = _capital(seen, most) if most < 1 else 0.0
        below = _capital(seen, least, fewer=True) if least > 0 else 0.0
        evidence = (above + below) / 2 if two_sided else max(above, below)
        low, high = _end(seen, 2 / alpha), _end(seen, 2 / alpha, upper=True)
        rows.append(DriftWindow(name, outcomes.share, low, high, evidence))
        if alarm is None and evidence >= 1 / alpha:
            alarm = number
    unweighed = sum(outcomes.largest_weight is None for _, outcomes in windows)
    return Drift(quantity, least, most, alpha, tuple(rows), alarm, heaviest, unweighed)


def outcomes_to_see(rate: float, *, most: float, alpha: float, largest: float = 1.0) -> int:
    """The approximate number of outcomes until an alarm, if at most `most` was promised and the share of hits is
    `rate`.

    That is when the best of the stakes, alone, is expected to reach 1 / α. Outcomes are independent of one another, and
    stakes are relative to a cluster of `largest`."""
    if not 0 < most < rate <= 1:
        raise HcatError(f"a share of {rate:g} does not break a promise of at most {most:g}")
    stakes = BETS / largest
    growth = rate * np.log1p(stakes * (1 - most) / most) + (1 - rate) * np.log1p(-stakes)
    return math.ceil(math.log(len(BETS) / alpha) / float(growth.max()))


def _capital(seen: tuple[Floats, Ints], share: float, *, fewer: bool = False) -> float:
    """The capital of bets on more hits than this share, or on `fewer`; the mean over stakes.

    `seen` are the kinds of clusters, (kinds, 2) with the weight of hits and of all, and how many there are of each."""
    hits, mass = seen[0].T
    gain, room = (share * mass - hits, 1 - share) if fewer else (hits - share * mass, share)
    if room <= 0:
        return math.inf if bool((gain > 0).any()) else 1.0
    logs = np.log1p(BETS[:, None] * gain[None, :] / room) @ seen[1]
    return float(np.mean(np.exp(np.minimum(logs, 700.0))))


def _end(seen: tuple[Floats, Ints], limit: float, *, upper: bool = False) -> float:
    """The least share, or the largest, that no bet rejects with a capital of `limit`."""
    inside, outside = (0.0, 1.0) if upper else (1.0, 0.0)
    if _capital(seen, outside, fewer=upper) < limit:
        return outside
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        refused = _capital(seen, middle, fewer=upper) >= limit
        inside, outside = (inside, middle) if refused else (middle, outside)
    return outside


DRIFT_ALARM = Verdict(
    name="drift alarm",
    words=("alarm",),
    claim="The share of answers left what was promised, at one of the windows.",
    error=ALPHA / 2,
    family="all windows of one series, however many",
    decides="hcat.core.capabilities.policy.drift:drift",
    carried_by="hcat.core.capabilities.policy.drift:Drift.alarm",
)
