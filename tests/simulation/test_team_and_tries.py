"""How often equal annotators are called lenient or strict, equal rubrics better, and judges that err at random biased;
and how often what is there is found."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.arrays import Floats
from hcat.core.capabilities.agreement.leniency import leniencies
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.judges.against_people import kappa_gain
from hcat.core.capabilities.judges.pairs import SELF, Effect, PairVerdict, pair_biases
from hcat.core.types import Criterion
from tests.draws import fewer
from tests.grids import each_value_once, first_ones

DRAWS = int(os.environ.get("HCAT_DRAWS", fewer(100)))
"""1000 in `make simulate`."""
PASSES = Criterion("correctness")


def highest(error: float) -> float:
    return float(stats.binom.ppf(0.9995, DRAWS, error)) / DRAWS


def called(levels: Floats) -> list[str]:
    """The annotators of a table (samples, annotators) who are called lenient or strict."""
    names = tuple(f"a{k}" for k in range(levels.shape[1]))
    table = Ratings(tuple(map(str, range(len(levels)))), names, levels)
    return [one.annotator for one in leniencies(table, criterion=PASSES) if one.manner in ("lenient", "strict")]


@pytest.mark.parametrize(
    ("annotators", "n", "rate"), each_value_once([2, 3, 5, 12], [15, 100, 400], [0.5, 0.8, 0.95, 0.99])
)
def test_of_an_equal_team_nobody_is_called_more_often_than_in_5_of_100(annotators: int, n: int, rate: float) -> None:
    rng, wrong = np.random.default_rng(annotators * n), 0
    for _ in range(DRAWS):
        levels = (rng.random((n, annotators)) < rate).astype(float)
        levels[rng.random(levels.shape) < rng.choice([0.0, 0.4], annotators)] = np.nan
        wrong += bool(called(levels))
    assert wrong / DRAWS <= highest(0.05)


def test_who_is_strict_by_20_points_is_found_in_a_team_of_twelve() -> None:
    rng, found, others = np.random.default_rng(19), 0, 0
    for _ in range(DRAWS):
        levels = (rng.random((150, 12)) < np.where(np.arange(12) == 0, 0.5, 0.7)).astype(float)
        names = called(levels)
        found += "a0" in names
        others += len(set(names) - {"a0"}) > 0
    assert found / DRAWS >= 0.8
    assert others / DRAWS <= highest(0.1)  # the others differ from a mean of which the strict one is a part


def self_preference(
    rng: np.random.Generator, n: int, own_right: float, errors: float, *, push: float = 0.0, size: int = 1
) -> Effect:
    """That of a judge that errs at random; of what it prefers to its own family's answer, it then turns a share."""
    right = rng.random(n) < own_right
    wrong = rng.random((n, 2)) < np.repeat(rng.beta(2 * errors, 2 - 2 * errors, n), size)[:n, None] if size > 1 else (
        rng.random((n, 2)) < errors
    )  # fmt: skip
    wrong[:, 1] = np.where(rng.random(n) < 0.5, wrong[:, 0], wrong[:, 1])
    prefers = (wrong != right[:, None]) | (rng.random((n, 1)) < push)
    rows = [
        PairVerdict(
            *(str(k), "j", "A" if prefers[k, 0] else "B", "A" if prefers[k, 1] else "B", "A" if right[k] else "B"),
            model_a="own",
            model_b="else",
            cluster=str(k // size) if size > 1 else "",
        )
        for k in range(n)
    ]
    return pair_biases(rows, own={"j": "own"})[0].effect(SELF)


@pytest.mark.parametrize(
    ("own_right", "errors", "n", "size"),
    each_value_once([0.5, 0.7, 0.9], [0.05, 0.2, 0.3, 0.5], [12, 100, 300], [1, 5]),
)
def test_a_judge_that_errs_at_random_has_no_self_preference(own_right: float, errors: float, n: int, size: int) -> None:
    rng = np.random.default_rng(round(1000 * own_right + 100 * errors) + n)
    found = [self_preference(rng, n, own_right, errors, size=size) for _ in range(DRAWS)]
    assert np.mean([effect.p <= 0.05 for effect in found]) <= highest(0.05)
    assert abs(np.nanmean([effect.effect.value for effect in found])) <= 0.03 + 0.3 / n**0.5


@pytest.mark.parametrize(("own_right", "errors"), [(0.7, 0.3), (0.8, 0.2)])
def test_a_judge_that_turns_a_fifth_of_its_rejections_is_flagged(own_right: float, errors: float) -> None:
    """It errs more often for its own family than against it, by about 18 points of which the effect is one half."""
    rng = np.random.default_rng(23)
    found = [self_preference(rng, 300, own_right, errors, push=0.2) for _ in range(DRAWS)]
    truth = (errors + 0.2 * (1 - errors) - errors * 0.8) / 2
    covered = np.mean([effect.effect.low <= truth <= effect.effect.high for effect in found])
    assert np.mean([effect.is_flagged for effect in found]) >= 0.85
    assert covered >= stats.binom.ppf(0.0005, DRAWS, 0.95) / DRAWS


@pytest.mark.parametrize(("n", "passes"), first_ones([(30, 0.5), (60, 0.9)], 1))
def test_eight_equal_rubrics_gain_no_more_often_than_one(n: int, passes: float) -> None:
    rng, shown, projects = np.random.default_rng(n), 0, DRAWS // 2
    for _ in range(projects):
        people = rng.random(n) < passes
        judges = [np.where(rng.random(n) < 0.25, ~people, people).tolist() for _ in range(9)]
        shown += any(
            kappa_gain(judges[0], judges[k], people.tolist(), rng=rng, replicates=200, tries=k).is_shown
            for k in range(1, 9)
        )
    assert shown <= stats.binom.ppf(0.9995, projects, 0.025)
