"""Labels that were not used to fit the map, and bounds on the evidence in them, given their clusters and weights."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.capabilities.policy.error_test import error_bound, error_p_value, p_without_failures
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.stakes import GRID, Stakes, cluster_sums
from hcat.core.statistics.clusters import case_codes


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutLabels:
    """Labelled answers that did not fit the map.

    `probability` of a pass (n,), whether people `failed` them (n,), `weights` (n,) if answers of the run have unequal
    ones and `clusters` (n,) if some of these depend on one another, whether or not that is so for the labelled ones.
    `largest` (thresholds,) is the largest possible weight of a cluster of the run above each threshold, see
    `largest_above`: None if it is not known. A cluster counts for `cap` answers at most, if there is one."""

    probability: Floats
    failed: Bools
    weights: Floats | None = None
    clusters: Codes | None = None
    largest: Floats | None = None
    cap: float | None = None

    def __len__(self) -> int:
        return len(self.probability)

    @property
    def equal_units(self) -> bool:
        """Whether they are equal and independent of one another."""
        return self.weights is None and self.clusters is None

    def stakes(self, place: int, *, watched: bool) -> Stakes:
        """The fixed parameters of the test of the threshold at this index of `GRID`."""
        if self.equal_units:
            return Stakes(betting=watched)
        return Stakes(None if self.largest is None else float(self.largest[place]), self.cap, betting=True)

    def units(self, *, watched: bool) -> Floats:
        """The largest number of equal and independent labels that they are worth in the test of each threshold
        (thresholds,).

        That is if all of them were above it; 0 if the largest possible weight of a cluster is not known."""
        mass = float(cluster_sums(self.failed, self.weights, self.clusters, cap=self.cap)[1].sum())
        limits = (self.stakes(place, watched=watched).limit for place in range(len(GRID)))
        return np.array([mass / limit if limit else 0.0 for limit in limits])

    def above(self, place: int) -> AcceptedLabels:
        """The labels at or above the threshold at this index of `GRID`."""
        chosen = self.probability >= GRID[place]
        return AcceptedLabels(
            self.failed[chosen],
            None if self.weights is None else self.weights[chosen],
            None if self.clusters is None else self.clusters[chosen],
        )


@dataclass(frozen=True, slots=True, eq=False)
class AcceptedLabels:
    """The labels above one threshold, (n,) each."""

    failed: Bools
    weights: Floats | None
    clusters: Codes | None

    def __len__(self) -> int:
        return len(self.failed)

    def p_value(self, error: float, stakes: Stakes) -> float:
        """See `error_p_value`."""
        return error_p_value(self.failed, error, weights=self.weights, clusters=self.clusters, stakes=stakes)

    def bound(self, confidence: float, stakes: Stakes) -> float:
        """See `error_bound`."""
        return error_bound(self.failed, confidence, weights=self.weights, clusters=self.clusters, stakes=stakes)

    def failure_rate(self, cap: float | None) -> float:
        """The weighted share of failures, with each cluster counted for at most `cap`; NaN for none."""
        if not len(self):
            return float("nan")
        lost, mass = cluster_sums(self.failed, self.weights, self.clusters, cap=cap)
        return float(lost.sum() / mass.sum())


@dataclass(frozen=True, slots=True)
class ClusterUnits:
    """The adjustment of the test for labels in clusters, or with weights.

    A cluster above the threshold weighs up to `largest` labels of mean weight (NaN if that is not known), and counts
    for up to `cap`. `promisable`: labels like these could show the promise if none of them failed; if not, they could
    with a cap of `cap_needed`, or not even with one (NaN)."""

    largest: float
    cap: float | None = None
    promisable: bool = True
    cap_needed: float = float("nan")

    @property
    def limit(self) -> float:
        """The most that a cluster can count for; NaN if that is not known."""
        limit = Stakes(None if math.isnan(self.largest) else self.largest, self.cap).limit
        return math.nan if limit is None else limit


def cluster_units(labels: Iterable[HeldOutLabels], place: int, promise: Promise) -> ClusterUnits | None:
    """The adjustment at the threshold of this index, for the labels that are worth least there.

    None if all are equal and independent."""
    unequal = [each for each in labels if not each.equal_units]
    if not unequal:
        return None
    least = min(unequal, key=lambda each: float(each.units(watched=True)[place]))
    largest = float("nan") if least.largest is None else float(least.largest[place])
    if _is_promisable(least, promise):
        return ClusterUnits(largest, least.cap)
    return ClusterUnits(largest, least.cap, False, _largest_cap(least, promise))


def _largest_cap(labels: HeldOutLabels, promise: Promise) -> float:
    """The largest whole cap with which such labels could show the promise; NaN if not even 1 would do."""
    mass = cluster_sums(labels.failed, labels.weights, labels.clusters)[1]
    low, high = 0, math.ceil(float(mass.max(initial=1.0)))  # with a larger cap, labels are worth less
    while low < high:
        middle = (low + high + 1) // 2
        enough = _is_promisable(replace(labels, cap=float(middle)), promise)
        low, high = (middle, high) if enough else (low, middle - 1)
    return float(low) if low else math.nan


def _is_promisable(labels: HeldOutLabels, promise: Promise) -> bool:
    """Whether such labels, none of which failed, would show the promise at any threshold."""
    n = len(labels)
    codes = case_codes(labels.clusters)
    number = np.arange(n) if codes is None else codes
    weights = np.ones(n) if labels.weights is None else labels.weights
    first = np.searchsorted(-GRID, -labels.probability, side="left")
    mass = np.zeros(int(number.max(initial=-1)) + 1)
    for place in range(len(GRID)):
        rows = first == place
        np.add.at(mass, number[rows], weights[rows])
        stakes = labels.stakes(place, watched=True)
        if rows.any() and stakes.limit:
            counted = mass[mass > 0] if labels.cap is None else np.minimum(mass[mass > 0], labels.cap)
            if p_without_failures(counted / stakes.limit, promise.error) <= promise.risk:
                return True
    return False
