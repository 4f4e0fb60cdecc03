"""Agreement, leniency and drift where samples are trials of one test case, by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.arrays import Floats, Ints
from hcat.core.capabilities.agreement.alpha import krippendorff_alpha
from hcat.core.capabilities.agreement.drift import drift
from hcat.core.capabilities.agreement.kappa import cohen_kappa
from hcat.core.capabilities.agreement.pairwise import mean_kappa, raw_agreement
from hcat.core.statistics.paired import paired_differences
from hcat.core.types import Estimate

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""

WRONG = 0.15
SAME = 1 - 2 * WRONG * (1 - WRONG)
KAPPA = 1 - (1 - SAME) / 0.5


def trials(rng: np.random.Generator, cases: int, each: int) -> tuple[Floats, Ints]:
    """Two annotators who are each wrong on 15 % of test cases, all trials of one alike; and its number."""
    right = rng.random((cases, 1)) < 0.5
    given = np.where(rng.random((cases, 2)) < WRONG, ~right, right)
    return np.repeat(given, each, axis=0).astype(float), np.repeat(np.arange(cases), each)


def covered(made: list[Estimate], truth: float) -> float:
    return float(np.mean([one.low <= truth <= one.high for one in made]))


def lowest(level: float) -> float:
    return float(stats.binom.ppf(0.0005, DRAWS, level)) / DRAWS


def test_intervals_of_agreement_cover_by_test_case() -> None:
    rng = np.random.default_rng(61)
    kappas, alphas, shares, naive = [], [], [], []
    for _ in range(DRAWS):
        x, cases = trials(rng, 40, 5)
        kappas.append(cohen_kappa(x[:, 0], x[:, 1], rng=rng, test_cases=cases, replicates=300))
        alphas.append(krippendorff_alpha(x, rng=rng, test_cases=cases, replicates=300))
        shares.append(raw_agreement(x, rng=rng, test_cases=cases, replicates=300))
        naive.append(cohen_kappa(x[:, 0], x[:, 1], rng=rng, replicates=300))
    # A bootstrap of 40 test cases is no exact interval: three points of coverage are granted.
    assert min(covered(kappas, KAPPA), covered(alphas, KAPPA), covered(shares, SAME)) >= lowest(0.92)
    assert covered(naive, KAPPA) < 0.75


@pytest.mark.parametrize("unequal", [False, True])
def test_leniency_intervals_cover_by_test_case(unequal: bool) -> None:
    rng = np.random.default_rng(67 + unequal)
    by_case, naive = [], []
    for _ in range(DRAWS):
        cases = np.repeat(np.arange(20), rng.integers(1, 8, 20) if unequal else 4)
        d = rng.choice([-1.0, 0.0, 1.0], 20, p=[0.2, 0.6, 0.2])[cases]
        by_case.append(paired_differences(d, clusters=cases).interval())
        naive.append(paired_differences(d).interval())
    assert covered(by_case, 0) >= lowest(0.93)
    assert covered(naive, 0) < 0.8


@pytest.mark.parametrize("manner", ["one after the other", "mixed", "of unequal number"])
def test_drift_keeps_its_level_by_test_case(manner: str) -> None:
    rng = np.random.default_rng(71)
    highest = stats.binom.ppf(0.9995, DRAWS, 0.05) / DRAWS
    by_case = naive = 0
    for _ in range(DRAWS):
        cases = np.repeat(np.arange(20), rng.integers(1, 6, 20) if manner == "of unequal number" else 4)
        cases = rng.permutation(cases) if manner == "mixed" else cases
        x = (rng.random(20) < 0.6)[cases].astype(float)
        by_case += drift(x, rng=rng, test_cases=cases, permutations=199).p <= 0.05
        naive += drift(x, rng=rng, permutations=199).p <= 0.05
    assert by_case / DRAWS <= highest
    assert naive / DRAWS > 0.4 or manner == "mixed"


def test_a_drift_between_test_cases_is_found() -> None:
    rng, found = np.random.default_rng(73), 0
    cases = np.repeat(np.arange(40), rng.integers(1, 5, 40))
    for _ in range(DRAWS):
        x = (rng.random(40) < np.where(np.arange(40) < 20, 0.9, 0.3))[cases].astype(float)
        found += drift(x, rng=rng, test_cases=cases, permutations=199).p <= 0.05
    assert found / DRAWS >= 0.8


def test_the_bound_of_complete_agreement_covers_where_a_small_pair_disagrees() -> None:
    # A and C disagree on a tenth of their 10 samples: with 0.9^10 = 35 % they all agree, and κ of the two pairs is 0.9.
    rng, made = np.random.default_rng(79), []
    for _ in range(DRAWS):
        level = rng.integers(0, 2, 110).astype(float)
        table = np.full((110, 3), np.nan)
        table[:, 0], table[:100, 1] = level, level[:100]
        table[100:, 2] = np.where(rng.random(10) < 0.1, 1 - level[100:], level[100:])
        found = mean_kappa(table, rng=rng, replicates=2)
        if "complete agreement" in found.method:
            made.append(found)
    assert len(made) > DRAWS / 5
    assert covered(made, 0.9) == 1
