"""Do the intervals of R, and of differences of R, hold the truth? Groups of one knowledge and one robustness each."""

from __future__ import annotations

import os

import numpy as np
import pytest

from core.testgen.grammar.answers import GroupedAnswers
from core.testgen.grammar.differences import compare_groups
from core.testgen.grammar.evaluation import evaluate_groups

DRAWS = int(os.environ.get("HCAT_DRAWS", "150"))
TEXTS = 4


def truth(knowledge: float, robust: float, alpha: float, beta: float) -> float:
    """R over endlessly many groups: right answers over answers outside gap groups, by a long simulation."""
    rng = np.random.default_rng(1)
    hits = _hits(200_000, knowledge, robust, alpha, beta, rng).sum(1)
    return float(hits.sum() / (TEXTS * (hits > 0).sum()))


def _hits(
    groups: int, knowledge: float, robust: float, alpha: float, beta: float, rng: np.random.Generator
) -> np.ndarray:
    chance = np.where(rng.random(groups) < robust, 1.0, rng.beta(alpha, beta, groups))
    chance *= rng.random(groups) < knowledge
    return rng.random((groups, TEXTS)) < chance[:, None]


def _answers(hits: np.ndarray) -> GroupedAnswers:
    n = hits.size
    unknown = np.full(n, np.nan)
    names = np.repeat([f"g{number:04d}" for number in range(len(hits))], TEXTS)
    return GroupedAnswers(names, hits.ravel(), unknown, unknown, (frozenset(),) * n)


@pytest.mark.parametrize(("groups", "knowledge", "robust"), [(57, 0.7, 0.6), (157, 0.3, 0.85)])
def test_coverage(groups: int, knowledge: float, robust: float) -> None:
    shapes = {"short": (robust, 3.0, 1.0), "long": (robust - 0.15, 2.0, 1.0)}
    true = {name: truth(knowledge, *shape) for name, shape in shapes.items()}
    rng = np.random.default_rng(7)
    alone, between = [], []
    for _ in range(DRAWS):
        runs = {name: _answers(_hits(groups, knowledge, *shape, rng)) for name, shape in shapes.items()}
        one = evaluate_groups(runs["short"]).robustness
        [two] = compare_groups(runs)
        alone.append(one.low <= true["short"] <= one.high)
        between.append(two.robustness.low <= true["short"] - true["long"] <= two.robustness.high)
    slack = 3 * (0.95 * 0.05 / DRAWS) ** 0.5
    print(f"{groups} groups: R {np.mean(alone):.3f}, difference {np.mean(between):.3f}")
    assert 0.93 - slack <= np.mean(alone) <= 0.97 + slack
    assert 0.93 - slack <= np.mean(between) <= 0.97 + slack
