"""The parameters of a betting test that are fixed before outcomes are seen: the largest possible cluster."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.statistics.clusters import case_codes

GRID: Floats = np.round(np.arange(99, -1, -1) / 100, 2)
"""Thresholds on the probability of a pass, from the strictest; fixed, so that they do not depend on labels."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The parameters that are fixed before the labels are seen.

    `largest` is the largest possible weight of a cluster, in labels of weight 1: None if it is not known. A cluster
    that weighs more than `cap` counts for only so much: the share of failures is then of answers counted like that.
    With `betting`, equal and independent labels are bet on, too, as are labels that may be tested at any time."""

    largest: float | None = 1.0
    cap: float | None = None
    betting: bool = False

    @property
    def limit(self) -> float | None:
        """The most that a cluster can count for; None if it is not known."""
        bounds = [each for each in (self.largest, self.cap) if each is not None]
        return min(bounds) if bounds else None


def equal_units(weights: Floats | None, clusters: Codes | None) -> bool:
    """Whether labels with these weights and clusters, both (n,) or None, are equal and independent of one another."""
    equal = weights is None or len(weights) == 0 or float(weights.min()) == float(weights.max())
    return equal and case_codes(clusters) is None


def cluster_sums(
    hits: Bools, weights: Floats | None, clusters: Codes | None, *, cap: float | None = None
) -> tuple[Floats, Floats]:
    """The weight of hits, and of all, of each cluster: (clusters,) each, with none above `cap`."""
    w = np.ones(len(hits)) if weights is None else weights
    codes = case_codes(clusters)
    number = np.arange(len(hits)) if codes is None else codes
    found = np.bincount(number, weights=w * hits).astype(np.float64)
    mass = np.bincount(number, weights=w).astype(np.float64)
    if cap is None or not len(mass):
        return found, mass
    counted = np.minimum(1.0, cap / mass)
    return found * counted, mass * counted


def largest_above(probability: Floats, weights: Floats | None, clusters: Codes | None) -> Floats:
    """The weight of the heaviest cluster among the answers at or above each threshold of `GRID`: (thresholds,).

    `probability` (n,) of a pass, `weights` (n,) that a label of each would have, `clusters` (n,), of all answers of a
    run, labelled or not: none of it is an outcome."""
    w = np.ones(len(probability)) if weights is None else weights
    codes = case_codes(clusters)
    number = np.arange(len(probability)) if codes is None else codes
    first = np.searchsorted(-GRID, -probability, side="left")
    order = np.argsort(first, kind="stable")
    ends = np.searchsorted(first[order], np.arange(len(GRID)), side="right")
    mass, largest, begin = np.zeros(int(number.max(initial=-1)) + 1), np.zeros(len(GRID)), 0
    for place, end in enumerate(ends.tolist()):
        rows = order[begin:end]
        np.add.at(mass, number[rows], w[rows])
        reached = float(mass[number[rows]].max(initial=0.0))
        largest[place], begin = max(reached, largest[place - 1] if place else 0.0), end
    return largest
