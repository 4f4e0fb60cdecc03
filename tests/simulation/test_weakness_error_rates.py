"""Error rates of the weakness table by simulation with fixed seeds."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.slices.table import find_weaknesses
from hcat.core.statistics.multiplicity import benjamini_hochberg
from tests.draws import fewer

DRAWS = int(os.environ.get("HCAT_DRAWS", fewer(100)))
TOPICS = [0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05]


def dimensions(rng: np.random.Generator, n: int) -> pd.DataFrame:
    topic = pd.Categorical.from_codes(rng.choice(8, n, p=TOPICS), list("abcdefgh"))
    kind = pd.Categorical.from_codes(rng.choice(3, n), list("xyz"))
    return pd.DataFrame({"topic": topic, "type": kind})


def binomial_bounds(probability: float, n: int) -> tuple[float, float]:
    low, high = stats.binom.interval(0.999, n, probability)
    return low / n, high / n


SCORES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "95 % zeros, else uniform": lambda rng, n: np.where(rng.random(n) < 0.95, 0.0, rng.random(n)),
    "80 % zeros, else Beta(2, 2)": lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.beta(2, 2, n)),
    "0, ½ or 1, mostly 0": lambda rng, n: rng.choice([0.0, 0.5, 1.0], n, p=[0.85, 0.1, 0.05]),
    "80 % ones, else Beta(2, 2)": lambda rng, n: np.where(rng.random(n) < 0.8, 1.0, rng.beta(2, 2, n)),
    "Beta(9, 1)": lambda rng, n: rng.beta(9, 1, n),
    "normal": lambda rng, n: rng.normal(size=n),
    "pass or fail": lambda rng, n: (rng.random(n) < 0.85).astype(float),
}
THIN = max(fewer(40), DRAWS // 5)
"""Draws of a table: a fifth of those of single numbers."""
SIZES = (83, 300, 1000)
SHORT = (
    ("95 % zeros, else uniform", 1000),
    ("80 % zeros, else Beta(2, 2)", 300),
    ("0, ½ or 1, mostly 0", 300),
    ("80 % ones, else Beta(2, 2)", 1000),
    ("Beta(9, 1)", 300),
    ("normal", 83),
    ("pass or fail", 83),
)
"""Each kind at one size, where Welch's t did worst; `make simulate` takes each at all sizes."""


@pytest.mark.parametrize(
    ("kind", "n"), [(kind, n) for kind in SCORES for n in SIZES] if "HCAT_DRAWS" in os.environ else SHORT
)
def test_false_discoveries_under_the_null(kind: str, n: int) -> None:
    """Nothing is weak, so every weak slice is false: at most 5 % of the tables may show one, or any small q.

    With Welch's t, at n = 300 and 1,000, a weak slice was in .20 and .70 of tables with 95 % zeros, in .39 and .40 with
    80 %, in .17 and .25 of those of 0, ½ and 1; with 80 % ones a small q in .83 and 1.00.
    """
    rng = np.random.default_rng(n)
    tables = [
        find_weaknesses(dimensions(rng, n), pd.Series(SCORES[kind](rng, n)), metric="m", direction="higher", pairs=True)
        for _ in range(THIN)
    ]
    lower = [(table.frame["verdict"] == "lower score").any() for table in tables]
    assert np.mean(lower) <= binomial_bounds(0.05, THIN)[1]
    assert np.mean([(table.frame["q"] <= 0.05).any() for table in tables]) <= binomial_bounds(0.05, THIN)[1]


@pytest.mark.parametrize("within_case", [False, True])
def test_false_discoveries_of_trials_under_the_null(within_case: bool) -> None:
    """80 % zeros, 4 trials of each of 150 test cases, one of them unscored in a tenth: .18 of tables with Welch's t.
    Slices by test case, and by trial."""
    rng = np.random.default_rng(21)
    wrong = 0
    for _ in range(THIN):
        case = np.repeat(np.arange(150), 4)
        shared = SCORES["80 % zeros, else Beta(2, 2)"](rng, 150)[case]
        values = np.where(rng.random(600) < 0.7, shared, SCORES["80 % zeros, else Beta(2, 2)"](rng, 600))
        values[np.flatnonzero(rng.random(150) < 0.1) * 4] = np.nan
        frame = dimensions(rng, 600) if within_case else dimensions(rng, 150).iloc[case].reset_index(drop=True)
        table = find_weaknesses(
            frame, pd.Series(values), metric="m", direction="higher", pairs=True, test_cases=[str(k) for k in case]
        )
        wrong += (table.frame["verdict"] == "lower score").any()
    assert wrong / THIN <= binomial_bounds(0.05, THIN)[1]


@pytest.mark.parametrize(("n", "level", "shift"), [(200, "f", -0.8), (400, "e", -0.5)])
def test_power_is_that_of_welch_where_that_holds(n: int, level: str, shift: float) -> None:
    """Normal scores, one topic of eight lower: the table with p by Welch's t and the same q finds hardly more."""
    rng = np.random.default_rng(22)
    ours = welch = 0
    for _ in range(THIN):
        frame = dimensions(rng, n)
        values = rng.normal(size=n) + shift * (frame["topic"] == level).to_numpy()
        table = find_weaknesses(frame, pd.Series(values), metric="m", direction="higher").frame
        tested = table[table["p"].notna()]
        inside = [(frame[row.dimension_1] == row.level_1).to_numpy() for row in tested.itertuples()]
        p = [stats.ttest_ind(values[one], values[~one], equal_var=False).pvalue for one in inside]
        planted = (tested["level_1"] == level).to_numpy()
        ours += bool((tested["verdict"].to_numpy() == "lower score")[planted].any())
        welch += bool((benjamini_hochberg(p) <= 0.05)[planted].any())
    print(f"power: permutation {ours / THIN:.2f}, Welch {welch / THIN:.2f}")
    assert ours >= welch - 0.05 * THIN


@pytest.mark.parametrize("kind", ["normal", "80 % ones, else Beta(2, 2)", "pass or fail"])
def test_intervals_of_difference_and_effect_cover(kind: str) -> None:
    rng = np.random.default_rng(23)
    shift = 0.0 if kind == "pass or fail" else -0.2
    spread = float(SCORES[kind](np.random.default_rng(0), 200_000).std())
    inside = {"difference": 0, "effect": 0}
    total = 0
    for _ in range(DRAWS):
        codes = np.repeat([0, 1], [40, 160])
        values = SCORES[kind](rng, 200) + shift * (codes == 0)
        frame = pd.DataFrame({"d": pd.Categorical.from_codes(codes, list("ab"))})
        row = find_weaknesses(frame, pd.Series(values), metric="m", direction="higher").frame.iloc[0]
        for name, truth in (("difference", shift), ("effect", shift / spread)):
            inside[name] += bool(row[f"{name}_low"] <= truth <= row[f"{name}_high"])
        total += 1
    for name, held in inside.items():
        assert held / total >= binomial_bounds(0.935, total)[0], name


def test_intervals_of_shrunken_means_cover_on_average() -> None:
    """20 levels whose means differ by 0.05, by 0.2, and not at all: Morris's intervals hold on average over levels."""
    for spread in (0.0, 0.05, 0.2):
        rng = np.random.default_rng(24)
        inside = total = 0
        for _ in range(THIN // 2):
            level, truth = rng.choice(20, 400), rng.normal(0.7, spread, 20)
            frame = pd.DataFrame({"d": pd.Categorical.from_codes(level, [f"l{k:02d}" for k in range(20)])})
            values = pd.Series(truth[level] + rng.normal(0, 0.3, 400))
            table = find_weaknesses(frame, values, metric="m", direction="higher").frame
            true = table["level_1"].str[1:].astype(int).map(dict(enumerate(truth)))
            inside += int(((table["shrunken_low"] <= true) & (true <= table["shrunken_high"])).sum())
            total += len(table)
        print(f"spread {spread}: {inside / total:.3f}")
        assert inside / total >= 0.93


def test_false_discoveries_beside_true_ones() -> None:
    """Topic a is worse; only slices that share nothing of it can be false finds. Their share stays within 5 %."""
    rng = np.random.default_rng(3)
    shares, found = [], 0
    for _ in range(THIN):
        frame = dimensions(rng, 600)
        values = pd.Series(rng.normal(0.7, 0.2, 600)) - 0.15 * (frame["topic"] == "a")
        # The other topics differ from the rest, which holds a, only upwards: a weak one among them is false.
        table = find_weaknesses(frame, values, metric="m", direction="higher", by=["topic"])
        weak = table.frame.loc[table.frame["verdict"] == "lower score", "level_1"]
        found += "a" in set(weak)
        shares.append((weak != "a").mean() if len(weak) else 0.0)
    assert np.mean(shares) <= 0.05
    assert found / THIN > 0.95


def test_intervals_of_weak_slices_allow_for_their_having_been_picked() -> None:
    """24 levels of which half are lower by 0.4 on average. Of the slices called weak the 95 % interval holds the mean
    too seldom (.81 in the review), and the observed mean exaggerates; the interval for selected slices misses in 5 %,
    and the shrunken mean exaggerates by less."""
    rng = np.random.default_rng(25)
    plain = wide = total = 0
    observed, shrunken = 0.0, 0.0
    for _ in range(THIN):
        level = rng.choice(24, 600)
        truth = -np.abs(rng.normal(0, 0.5, 24)) * (np.arange(24) % 2)
        frame = pd.DataFrame({"d": pd.Categorical.from_codes(level, [f"l{k:02d}" for k in range(24)])})
        values = pd.Series(truth[level] + rng.normal(0, 1, 600))
        table = find_weaknesses(frame, values, metric="m", direction="higher").frame
        weak = table[table["verdict"] == "lower score"]
        true = weak["level_1"].str[1:].astype(int).map(dict(enumerate(truth)))
        plain += int(((weak["low"] <= true) & (true <= weak["high"])).sum())
        wide += int(((weak["selected_low"] <= true) & (true <= weak["selected_high"])).sum())
        total += len(weak)
        observed += float((weak["mean"] - true).sum())
        shrunken += float((weak["shrunken"] - true).sum())
    biases = f"bias {observed / total:.2f}, shrunken {shrunken / total:.2f}"
    print(f"95 %: {plain / total:.2f}, for selected: {wide / total:.2f}; {biases}")
    assert total > THIN / 4
    assert wide / total >= binomial_bounds(0.95, total)[0]
    assert abs(shrunken) < abs(observed)


@pytest.mark.parametrize("kind", ["scores", "pass or fail"])
def test_intervals_of_level_means_cover(kind: str) -> None:
    rng = np.random.default_rng(4)
    truth = dict(zip("abcdefgh", np.linspace(0.5, 0.9, 8), strict=True))
    inside = total = 0
    for _ in range(THIN):
        frame = dimensions(rng, 500)
        mean = frame["topic"].astype(str).map(truth).to_numpy(dtype=float)
        values = rng.beta(10 * mean, 10 * (1 - mean)) if kind == "scores" else (rng.random(500) < mean).astype(float)
        table = find_weaknesses(frame, pd.Series(values), metric="m", direction="higher", by=["topic"]).frame
        true = table["level_1"].map(truth)
        inside += int(((table["low"] <= true) & (true <= table["high"])).sum())
        total += len(table)
    # Wilson's interval covers 95 % only on average over shares and n: it is granted 1.5 points.
    slack = 0.0 if kind == "scores" else 0.015
    low, high = binomial_bounds(0.95, total)
    assert low - slack <= inside / total <= high + slack


def test_shrunken_estimates_are_nearer_the_truth() -> None:
    rng = np.random.default_rng(5)
    raw, shrunken = 0.0, 0.0
    for _ in range(100):
        level = rng.choice(20, 300)
        truth = rng.normal(0.7, 0.05, 20)
        frame = pd.DataFrame({"d": pd.Categorical.from_codes(level, [f"l{k:02d}" for k in range(20)])})
        values = pd.Series(truth[level] + rng.normal(0, 0.3, 300))
        table = find_weaknesses(frame, values, metric="m", direction="higher").frame
        true = table["level_1"].str[1:].astype(int).map(dict(enumerate(truth)))
        raw += float(((table["mean"] - true) ** 2).mean())
        shrunken += float(((table["shrunken"] - true) ** 2).mean())
    assert shrunken < 0.6 * raw
