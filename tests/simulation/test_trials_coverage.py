"""Cluster intervals of S_u, S_c and S_t, and of the variance split, by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.capabilities.trials.variance_components import split_variance
from hcat.core.estimates.probabilistic import probabilistic_scores
from hcat.core.statistics.beta_binomial import share_interval
from hcat.core.statistics.one_way import one_way_split
from hcat.core.types import Estimate
from tests.draws import fewer
from tests.grids import each_value_once

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""


def bounds(level: float) -> tuple[float, float]:
    low, high = stats.binom.interval(0.999, DRAWS, level)
    return low / DRAWS, high / DRAWS


@pytest.mark.parametrize("unequal", [False, True], ids=["equal trials", "unequal trials"])
@pytest.mark.parametrize("cases", [20, 80])
def test_cluster_intervals_cover(cases: int, unequal: bool) -> None:
    """Test cases whose chance of a good answer differs, with an expectation of 0 or 1."""
    rng = np.random.default_rng(cases + unequal)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        chance = rng.beta(1.4, 0.7, n)
        trials = rng.integers(2, 9, n) if unequal else np.full(n, 5)
        return chance, trials, (rng.random(n) < 0.2 + 0.7 * chance).astype(float)

    chance, _, h = draw(2_000_000)
    # The number of trials says nothing of the chance, so that the mean over trials aims at the mean over cases.
    truth = {"unconditional": chance.mean(), "conditional": np.mean(1 - np.abs(chance - h))}
    truth["total"] = (truth["unconditional"] + truth["conditional"]) / 2
    hits, naive = dict.fromkeys(truth, 0), 0
    for _ in range(DRAWS):
        chance, trials, h = draw(cases)
        row = np.repeat(np.arange(cases), trials)
        outcomes = rng.random(len(row)) < chance[row]
        made = probabilistic_scores(
            outcomes, row.astype(str).tolist(), expected={str(i): value for i, value in enumerate(h)}
        )
        for name, value in truth.items():
            estimate = getattr(made, name)
            hits[name] += int(estimate.low <= value <= estimate.high)
        half = 1.96 * np.sqrt(outcomes.mean() * (1 - outcomes.mean()) / len(row))
        naive += int(abs(outcomes.mean() - truth["unconditional"]) <= half)
    low, high = bounds(0.95)
    for name, count in hits.items():
        assert low <= count / DRAWS <= high, name
    # Trials taken for independent promise far too much.
    assert naive / DRAWS < low


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_the_interval_of_the_share_of_variance_covers(share: float) -> None:
    rng = np.random.default_rng(int(10 * share))
    row = np.repeat(np.arange(25), 4)
    names = row.astype(str).tolist()
    hits = 0
    for _ in range(DRAWS):
        y = rng.normal(size=25)[row] * np.sqrt(share) + rng.normal(size=100) * np.sqrt(1 - share)
        estimate = one_way_split(y, names).share
        hits += int(estimate.low <= share <= estimate.high)
    low, high = bounds(0.95)
    # At 0 the lower bound can't miss, so that only the upper one does.
    assert low <= hits / DRAWS <= (high if share else 1.0)


@pytest.mark.parametrize(("cases", "mean", "share"), each_value_once([10, 40], [0.5, 0.8, 0.95], [0.1, 0.5, 0.8]))
def test_the_interval_covers_for_outcomes_of_0_and_1(cases: int, mean: float, share: float) -> None:
    """Beta chances of a pass, few and many, up to systems that nearly always pass."""
    rng = np.random.default_rng(round(100 * (cases + mean + share)))
    size = (1 - share) / share
    hits = 0
    for _ in range(DRAWS // 4):
        passed = rng.binomial(5, rng.beta(mean * size, (1 - mean) * size, cases))
        low, high = share_interval(passed, np.full(cases, 5))
        hits += int(low <= share <= high)
    # Nearly always passing, they tell little, and the interval holds more often than it promises.
    assert hits >= stats.binom.ppf(0.001, DRAWS // 4, 0.94)


@pytest.mark.parametrize("chances", ["two kinds", "nearly all certain", "normal log-odds"])
def test_it_covers_where_chances_are_not_of_the_family(chances: str) -> None:
    rng = np.random.default_rng(5)

    def draw(n: int) -> np.ndarray:
        if chances == "normal log-odds":
            return np.asarray(1 / (1 + np.exp(-(2 + 1.5 * rng.normal(size=n)))))
        rare, low, high = (0.5, 0.25, 0.75) if chances == "two kinds" else (0.06, 0.3, 0.995)
        return np.where(rng.random(n) < rare, low, high)

    many = draw(2_000_000)
    share = many.var() / (many.mean() * (1 - many.mean()))
    hits = 0
    for _ in range(DRAWS // 2):
        low, high = share_interval(rng.binomial(5, draw(25)), np.full(25, 5))
        hits += int(low <= share <= high)
    assert hits >= stats.binom.ppf(0.001, DRAWS // 2, 0.93)


@pytest.mark.parametrize(("cases", "parts"), each_value_once([10, 40], [[1.0, 0.5, 0.3, 0.5], [0.2, 1.0, 0.1, 1.0]]))
def test_intervals_of_the_shares_of_several_sources_cover(cases: int, parts: list[float]) -> None:
    """Test cases, three trials of each, and three given annotators with their own leniency."""
    rng = np.random.default_rng(31 + cases)
    draws = fewer(DRAWS // 4)  # each takes hundreds of replicates
    leniency = np.array([-1.0, 0.0, 1.0]) * np.sqrt(parts[2])
    sample, annotator = np.repeat(np.arange(3 * cases), 3), np.tile(np.arange(3), 3 * cases)
    case = sample // 3
    sources = {
        name: codes.astype(str).tolist() for name, codes in (("case", case), ("trial", sample), ("by", annotator))
    }
    truth = np.array(parts) / sum(parts)
    hits = np.zeros(4)
    for _ in range(draws):
        y = leniency[annotator] + rng.normal(size=len(case)) * np.sqrt(parts[3])
        y += rng.normal(size=cases)[case] * np.sqrt(parts[0]) + rng.normal(size=3 * cases)[sample] * np.sqrt(parts[1])
        found = split_variance(y, sources, clusters=sources["case"], generator=rng, replicates=200).components
        hits += [part.share.low <= share <= part.share.high for part, share in zip(found, truth, strict=True)]
    # Approximate, as its documentation says: 86 to 97 % of draws.
    assert (hits / draws >= stats.binom.ppf(0.001, draws, 0.9) / draws).all(), hits / draws


@pytest.mark.parametrize(
    ("cases", "mean", "trials"),
    [
        (40, 0.95, 3),
        (30, 0.9, 1),
        pytest.param(40, 0.7, 3, marks=pytest.mark.slow),
        pytest.param(10, 0.95, 3, marks=pytest.mark.slow),
    ],
)
def test_intervals_of_the_shares_of_several_sources_cover_for_0_and_1(cases: int, mean: float, trials: int) -> None:
    """Judged by one who is right and by one who turns a tenth round; also where a sample shows next to no failure."""
    rng = np.random.default_rng(41)
    draws = fewer(DRAWS // 4)

    def judged(cases: int) -> tuple[np.ndarray, dict[str, list[str]]]:
        trial, judge = np.repeat(np.arange(trials * cases), 2), np.tile(np.arange(2), trials * cases)
        passed = (rng.random((cases, trials)) < rng.beta(mean, 1 - mean, size=(cases, 1))).ravel()[trial]
        sources = {"case": trial // trials, "trial": trial, "by": judge}
        named = {name: codes.astype(str).tolist() for name, codes in sources.items() if trials > 1 or name != "trial"}
        return (passed ^ ((judge == 1) & (rng.random(len(trial)) < 0.1))).astype(float), named

    def split(cases: int, replicates: int) -> list[Estimate]:
        y, sources = judged(cases)
        found = split_variance(y, sources, clusters=sources["case"], generator=rng, replicates=replicates)
        return [part.share for part in found.components]

    truth = [share.value for share in split(30_000, 2)]
    hits = np.zeros(len(truth))
    for _ in range(draws):
        hits += [share.low <= true <= share.high for share, true in zip(split(cases, 100), truth, strict=True)]
    assert (hits / draws >= stats.binom.ppf(0.001, draws, 0.93) / draws).all(), hits / draws
