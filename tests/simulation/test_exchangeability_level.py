"""The check that labels are like the run: its level without a difference, by each design, and its power for a shift."""

from __future__ import annotations

import os

import numpy as np
import pytest

from hcat.core.calibration.checks.exchangeability import SIGNIFICANT, Features, check_exchangeability

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""

N, COUNT = 300, 80


def run(rng: np.random.Generator) -> Features:
    x = rng.normal(size=(N, 6))
    x[:, 1] += x[:, 0]
    return Features(tuple("abcdef"), x)


def rejected(design: str, seed: int) -> float:
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(DRAWS):
        features = run(rng)
        chance = np.full(N, COUNT / N)
        if design.startswith("unequal"):
            chance = np.clip(chance * np.exp(0.8 * features.table[:, 0] - 0.3), 0.03, 0.95)
        if design == "shift":
            chance = np.clip(chance * np.exp(0.7 * features.table[:, 2]), 0.01, 0.95)
        if design == "random":
            labelled = np.zeros(N, dtype=bool)
            labelled[rng.choice(N, COUNT, replace=False)] = True
        else:
            labelled = rng.random(N) < chance
        weights = 1 / chance if design == "unequal, weighted" else None
        found = check_exchangeability(features, labelled, weights=weights, generator=rng, draws=99)
        hits += found.p <= SIGNIFICANT
    print(f"{design}: rejected {hits / DRAWS:.3f}")
    return hits / DRAWS


@pytest.mark.parametrize("design", ["random", "unequal, weighted"])
def test_level(design: str) -> None:
    assert rejected(design, 11) <= SIGNIFICANT + 3 * (SIGNIFICANT * (1 - SIGNIFICANT) / DRAWS) ** 0.5


@pytest.mark.parametrize("design", ["shift", "unequal, not weighted"])
def test_power(design: str) -> None:
    assert rejected(design, 12) >= 0.8


def test_labels_that_are_watched_differ_as_seldom_as_stated() -> None:
    """Tested at .05 at each of eleven looks, labels without a difference ever differed in .31 of draws."""
    draws, ever, once = max(DRAWS // 4, 20), 0, 0
    for seed in range(draws):
        rng = np.random.default_rng([14, seed])
        features, order = run(rng), rng.permutation(N)
        found = [
            check_exchangeability(features, order < n, generator=rng, draws=99)
            for n in np.linspace(30, 200, 11, dtype=int)
        ]
        ever += any(each.verdict == "violated" for each in found)
        once += any(each.p <= SIGNIFICANT for each in found)
    print(f"ever violated {ever / draws:.3f}; at .05 at each look {once / draws:.3f}")
    assert ever / draws <= SIGNIFICANT + 3 * (SIGNIFICANT * (1 - SIGNIFICANT) / draws) ** 0.5


def test_a_shift_is_called_one() -> None:
    draws, found = max(DRAWS // 4, 20), 0
    for seed in range(draws):
        rng = np.random.default_rng([15, seed])
        features = run(rng)
        chance = np.clip(COUNT / N * np.exp(0.7 * features.table[:, 2]), 0.01, 0.95)
        found += check_exchangeability(features, rng.random(N) < chance, generator=rng).verdict == "violated"
    print(f"a shift of 0.7: violated {found / draws:.3f}")
    assert found / draws >= 0.6


@pytest.mark.parametrize("design", ["whole test cases", "trials", "whole test cases, unequal"])
def test_level_where_test_cases_have_trials(design: str) -> None:
    rng, hits, by_sample = np.random.default_rng(13), 0, 0
    draws = max(DRAWS // 2, 100)
    for _ in range(draws):
        sizes = rng.choice([3, 5], size=80)
        case_of = np.repeat(np.arange(80), sizes)
        of_case = rng.normal(size=(80, 6))
        features = Features(tuple("abcdef"), of_case[case_of] + 0.3 * rng.normal(size=(len(case_of), 6)))
        chance = np.clip(0.4 * np.exp(0.5 * of_case[:, 0]), 0.05, 0.9) if "unequal" in design else np.full(80, 0.4)
        labelled = rng.random(len(case_of)) < 0.3 if design == "trials" else (rng.random(80) < chance)[case_of]
        weights = 1 / chance[case_of] if "unequal" in design else None
        asked = {"weights": weights, "generator": rng, "draws": 99}
        hits += check_exchangeability(features, labelled, clusters=case_of, **asked).p <= SIGNIFICANT  # type: ignore[arg-type]
        by_sample += check_exchangeability(features, labelled, **asked).p <= SIGNIFICANT  # type: ignore[arg-type]
    print(f"{design}: rejected {hits / draws:.3f}, by sample {by_sample / draws:.3f}")
    assert hits / draws <= SIGNIFICANT + 3 * (SIGNIFICANT * (1 - SIGNIFICANT) / draws) ** 0.5
    assert (by_sample / draws > 0.2) == design.startswith("whole")
