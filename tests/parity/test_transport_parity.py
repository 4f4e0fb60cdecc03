"""Wasserstein distance against general linear programming and, for equal sizes, the assignment problem."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment, linprog

from core.metrics.transport import cosine_distances, wasserstein


def _problem(rng: np.random.Generator, n: int, k: int) -> NDArray[np.float64]:
    dimension = int(rng.integers(2, 30))
    context, answer = rng.normal(size=(n, dimension)), rng.normal(size=(k, dimension))
    if rng.random() < 0.3:  # ties, as repeated sentences make them
        answer[: min(n, k)] = context[: min(n, k)]
    context /= np.linalg.norm(context, axis=1, keepdims=True)
    answer /= np.linalg.norm(answer, axis=1, keepdims=True)
    return cosine_distances(context @ answer.T)


def _by_linear_programming(distances: NDArray[np.float64]) -> float:
    n, k = distances.shape
    rows, columns = np.kron(np.eye(n), np.ones(k)), np.kron(np.ones(n), np.eye(k))
    marginals = np.concatenate([np.full(n, 1 / n), np.full(k, 1 / k)])
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    result = linprog(distances.ravel(), A_eq=np.vstack([rows, columns]), b_eq=marginals, options=tight)
    assert result.status == 0
    return float(result.fun)


@pytest.mark.parametrize("seed", range(6))
def test_ragged_problems_agree_with_linprog(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(50):
        distances = _problem(rng, int(rng.integers(1, 16)), int(rng.integers(1, 16)))
        plan = wasserstein(distances)
        assert plan.converged
        assert plan.cost == pytest.approx(_by_linear_programming(distances), abs=1e-9)
        assert plan.cost <= distances.mean() + 1e-12  # never dearer than the independent coupling


def test_square_problems_agree_with_the_assignment_problem() -> None:
    rng = np.random.default_rng(99)
    for _ in range(200):
        n = int(rng.integers(1, 60))
        distances = _problem(rng, n, n)
        chosen = distances[linear_sum_assignment(distances)]
        assert wasserstein(distances).cost == pytest.approx(chosen.mean(), abs=1e-9)


def test_a_large_problem_converges() -> None:
    distances = _problem(np.random.default_rng(5), 700, 300)
    assert wasserstein(distances).converged
