"""Exact optimal transport between two sets of sentences with uniform weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MOST_STEPS = 1_000_000
"""The most pivots of the network simplex."""
OPTIMAL = 1
"""The code for an optimum in POT's core."""


@dataclass(frozen=True, slots=True)
class Move:
    """Mass that the plan moves from one source sentence to one target sentence."""

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
        """The nonzero entries of the plan, row by row."""
        return tuple(
            Move(int(i), int(j), float(self.plan[i, j]), float(self.distances[i, j]))
            for i, j in np.argwhere(self.plan > 0)
        )


def cosine_distances(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 − cos, in [0, 2]. Values below 0 by rounding are set to 0, since a negative distance would reward moving
    mass."""
    return np.maximum(1.0 - similarity, 0.0)


def euclidean_distances(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """‖u − v‖ = √(2 − 2 cos) of unit vectors, in [0, 2]."""
    distances: NDArray[np.float64] = np.sqrt(2.0 * cosine_distances(similarity))
    return distances


def least_cost(distances: NDArray[np.float64]) -> float | None:
    """The least cost W alone for a matrix (n, k) of ground distances and uniform weights; None without convergence.

    Exact, like `wasserstein`, and several times as fast if one side has one sentence or two, or both have equally many:
    those have closed forms or are assignments. Source: HCAT 3.3.2, W(C, A)."""
    n, k = distances.shape
    if n == 1 or k == 1:  # the independent coupling is the only one
        return float(distances.mean())
    if k == 2:
        return _cost_onto_two(distances)
    if n == 2:
        return _cost_onto_two(distances.T)
    if n == k:
        from scipy.optimize import linear_sum_assignment

        return float(distances[linear_sum_assignment(distances)].mean())
    _, cost, converged = _network_simplex(distances)
    return cost if converged else None


def wasserstein(distances: NDArray[np.float64]) -> TransportPlan:
    """The least cost for a matrix (n, k) of ground distances and uniform weights, n, k ≥ 1, and a plan that attains it.

    Exact, by the network simplex of POT. Source: HCAT 3.3.2, W(C, A)."""
    n, k = distances.shape
    if n == 1 or k == 1:
        return TransportPlan(float(distances.mean()), np.full((n, k), 1.0 / (n * k)), distances, True)
    plan, cost, converged = _network_simplex(distances)
    return TransportPlan(cost, plan, distances, converged)


def _cost_onto_two(distances: NDArray[np.float64]) -> float:
    """The least cost for (n, 2) distances: the half of the rows that saves most goes to the first column.

    The middle row of an odd n is split."""
    n = len(distances)
    half = n // 2
    savings = distances[:, 0] - distances[:, 1]
    savings.partition(half)
    cost = distances[:, 1].sum() + savings[:half].sum() + (savings[half] / 2.0 if n % 2 else 0.0)
    return float(cost / n)


def _network_simplex(distances: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, bool]:
    """Plan, cost and convergence, from POT's compiled core without the overhead of `ot.emd`.

    Masses are counted in units of 1/nk, so that they are integers and the pivots exact."""
    from ot.lp.emd_wrap import emd_c

    n, k = distances.shape
    cost = np.ascontiguousarray(distances, dtype=np.float64)
    units, total, _, _, code = emd_c(_masses(n, k), _masses(k, n), cost, MOST_STEPS, 1)
    return np.asarray(units, dtype=np.float64) / (n * k), float(total) / (n * k), code == OPTIMAL


@lru_cache(maxsize=1024)
def _masses(count: int, mass: int) -> NDArray[np.float64]:
    return np.full(count, float(mass))
