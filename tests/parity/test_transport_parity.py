"""Wasserstein distance against POT's own functions, linear programming and, for equal sizes, assignment."""

from __future__ import annotations

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment, linprog

from hcat.core.metrics import transport
from hcat.core.metrics.transport import cosine_distances, least_cost, wasserstein


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


PROBLEMS = 10_000
SHAPES = [
    lambda rng: (1, int(rng.integers(1, 30))),
    lambda rng: (2, int(rng.integers(1, 30))),
    lambda rng: (int(rng.integers(1, 30)),) * 2,
    lambda rng: (int(rng.integers(1, 12)), int(rng.integers(1, 12))),
    lambda rng: (int(rng.integers(1, 80)), int(rng.integers(1, 8))),
]


def _ragged(rng: np.random.Generator) -> NDArray[np.float64]:
    """1 × n, 2 × n, n × n and others, either way round; embedded sentences, whole numbers or all alike."""
    n, k = SHAPES[int(rng.integers(len(SHAPES)))](rng)
    n, k = (k, n) if rng.random() < 0.5 else (n, k)
    kind = rng.random()
    if kind < 0.6:
        return _problem(rng, n, k)
    if kind < 0.95:
        return rng.integers(0, 3, size=(n, k)).astype(np.float64)  # ties everywhere
    return np.full((n, k), float(rng.random()))


def test_ten_thousand_ragged_problems_agree_with_pot() -> None:
    rng = np.random.default_rng(2024)
    for _ in range(PROBLEMS):
        distances = _ragged(rng)
        n, k = distances.shape
        expected = float(ot.emd2(np.full(n, 1 / n), np.full(k, 1 / k), distances))
        found = wasserstein(distances)
        assert found.converged
        assert least_cost(distances) == pytest.approx(expected, abs=1e-9)
        assert found.cost == pytest.approx(expected, abs=1e-9)
        assert (found.plan >= 0).all()
        np.testing.assert_allclose(found.plan.sum(axis=1), 1 / n, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.plan.sum(axis=0), 1 / k, rtol=0, atol=1e-12)
        assert float((found.plan * distances).sum()) == pytest.approx(expected, abs=1e-9)  # the plan attains it


def test_a_solver_that_gives_up_is_not_taken_for_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MOST_STEPS", 1)
    distances = np.random.default_rng(1).random((30, 7))
    assert least_cost(distances) is None
    assert not wasserstein(distances).converged
