"""Exact optimal transport between two sets of sentences with uniform weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_STEPS = 1_000_000
"""Pivots of the network simplex before it gives up."""


@dataclass(frozen=True, slots=True)
class Move:
    """Mass that the plan takes from one source sentence to one target sentence."""

    source: int
    target: int
    mass: float
    distance: float


@dataclass(frozen=True, slots=True)
class TransportPlan:
    """The least cost W and a plan (n, k) that attains it; its rows sum to 1/n and its columns to 1/k."""

    cost: float
    plan: NDArray[np.float64]
    distances: NDArray[np.float64]
    converged: bool

    @property
    def moves(self) -> tuple[Move, ...]:
        """The entries of the plan with mass, row by row."""
        return tuple(
            Move(int(i), int(j), float(self.plan[i, j]), float(self.distances[i, j]))
            for i, j in np.argwhere(self.plan > 0)
        )


def cosine_distances(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 − cos, in [0, 2]. Rounding below 0 is cut off, because a negative distance would pay for moving mass."""
    return np.maximum(1.0 - similarity, 0.0)


def wasserstein(distances: NDArray[np.float64]) -> TransportPlan:
    """The Wasserstein distance for a matrix (n, k) of ground distances and uniform weights, n, k ≥ 1.

    Exact, by the network simplex of POT. Source: HCAT 3.3.2, W(C, A).
    """
    n, k = distances.shape
    if n == 1 or k == 1:  # the independent coupling is the only one
        return TransportPlan(float(distances.mean()), np.full((n, k), 1.0 / (n * k)), distances, True)
    from ot.lp import emd

    cost = np.ascontiguousarray(distances, dtype=np.float64)
    plan, log = emd(np.full(n, 1.0 / n), np.full(k, 1.0 / k), cost, numItermax=MOST_STEPS, log=True)
    plan = np.asarray(plan, dtype=np.float64)
    return TransportPlan(float((plan * cost).sum()), plan, distances, log["warning"] is None)
