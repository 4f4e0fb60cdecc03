"""Do the intervals of R, and of differences of R, hold the truth? Groups of one knowledge and one robustness each."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy.stats import binom

from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.capabilities.grammar.differences import compare_groups
from hcat.core.capabilities.grammar.evaluation import evaluate_groups

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
    names = np.repeat([f"g{number:04d}" for number in range(len(hits))], hits.shape[1])
    return GroupedAnswers(names, hits.ravel(), unknown, unknown, (frozenset(),) * n)


def common(knowledge: float, shapes: dict[str, tuple[float, float, float]]) -> float:
    """The difference over endlessly many groups that both answer."""
    rng = np.random.default_rng(2)
    known = rng.random((200_000, 1)) < knowledge
    first, second = (_hits(200_000, 1.0, *shape, rng) & known for shape in shapes.values())
    both = first.any(axis=1) & second.any(axis=1)
    return float(first[both].mean() - second[both].mean())


@pytest.mark.parametrize(("groups", "knowledge", "robust"), [(57, 0.7, 0.6), (157, 0.3, 0.85)])
def test_coverage(groups: int, knowledge: float, robust: float) -> None:
    shapes = {"short": (robust, 3.0, 1.0), "long": (robust - 0.15, 2.0, 1.0)}
    true, between_true = {name: truth(knowledge, *shape) for name, shape in shapes.items()}, common(knowledge, shapes)
    rng = np.random.default_rng(7)
    alone, between, excludes = [], [], []
    for _ in range(DRAWS):
        known = rng.random((groups, 1)) < knowledge
        runs = {name: _answers(_hits(groups, 1.0, *shape, rng) & known) for name, shape in shapes.items()}
        one = evaluate_groups(runs["short"]).robustness
        [two] = compare_groups(runs)
        found = two.robustness.estimate
        alone.append(one.low <= true["short"] <= one.high)
        between.append(found.low <= between_true <= found.high)
        excludes.append((found.low > 0 or found.high < 0) == (two.robustness.verdict in ("higher", "lower")))
    slack = 3 * (0.95 * 0.05 / DRAWS) ** 0.5
    print(f"{groups} groups: R {np.mean(alone):.3f}, difference {np.mean(between):.3f}")
    assert 0.93 - slack <= np.mean(alone) <= 0.97 + slack
    assert np.mean(between) >= 0.95 - slack
    assert all(excludes)


@pytest.mark.parametrize("failing", [0.5, 1.0])
def test_failures_that_are_added_never_make_a_run_robust(failing: float) -> None:
    """B is A, but of the groups that A answers in part so many fail altogether: R by the source rises in .5 to 1."""
    rng = np.random.default_rng(11)
    higher, published, worse = 0, 0, 0
    for _ in range(DRAWS):
        a = _hits(157, 0.7, 0.6, 3.0, 1.0, rng)
        partly = a.any(axis=1) & ~a.all(axis=1)
        b = a & ~(partly & (rng.random(157) < failing))[:, None]
        [found] = compare_groups({"B": _answers(b), "A": _answers(a)})
        higher += "higher" in (found.robustness.verdict, found.accuracy.verdict)
        published += found.published > 0
        worse += found.accuracy.verdict == "lower"
    assert higher == 0 and published == DRAWS
    assert worse >= 0.7 * DRAWS


def test_of_equal_runs_with_unequal_numbers_of_texts_none_is_higher() -> None:
    """Two texts in one run and six in the other, each right with the chance of its group."""
    rng = np.random.default_rng(13)
    called, effects = 0, []
    for _ in range(DRAWS):
        chance = rng.random((100, 1))
        runs = {str(texts): _answers(rng.random((100, texts)) < chance) for texts in (2, 6)}
        [found] = compare_groups(runs)
        called += found.robustness.verdict in ("higher", "lower")
        effects.append(found.robustness.estimate.value)
    assert called <= binom.ppf(0.9995, DRAWS, 0.05)
    assert abs(np.mean(effects)) <= 4 * np.std(effects) / DRAWS**0.5


def test_a_run_that_takes_wordings_better_is_found() -> None:
    """By 20 points where a group is answered in part; its power is beside that of any level."""
    rng, found = np.random.default_rng(17), 0
    for _ in range(DRAWS):
        chance = np.where(rng.random(157) < 0.6, 1.0, rng.beta(3, 1, 157)) * (rng.random(157) < 0.7)
        better = np.clip(chance + 0.2 * (chance > 0) * (chance < 1), 0, 1)
        runs = {name: _answers(rng.random((157, TEXTS)) < each[:, None]) for name, each in
                (("better", better), ("worse", chance))}  # fmt: skip
        found += compare_groups(runs)[0].robustness.verdict == "higher"
    assert found >= 0.85 * DRAWS
