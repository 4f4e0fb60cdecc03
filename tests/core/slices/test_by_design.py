"""Slices by design weights: Hájek's means and differences, and p by two permutation tests, each done by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hcat.core.arrays import Bools, Floats
from hcat.core.slices.table import find_weaknesses
from tests.core.slices.refits import held

N = 240


def difference(y: Floats, w: Floats, inside: Bools) -> float:
    return float(np.average(y[inside], weights=w[inside]) - np.average(y[~inside], weights=w[~inside]))


def statistic(y: Floats, w: Floats, clusters: Floats, inside: Bools) -> float:
    """The difference over its linearised error by cluster, row by row, clusters being within the slice or outside."""
    squares = 0.0
    for side in (inside, ~inside):
        strays = w[side] * (y[side] - np.average(y[side], weights=w[side])) / w[side].sum()
        added = pd.Series(strays).groupby(clusters[side]).sum().to_numpy()
        squares += len(added) / (len(added) - 1) * float(added @ added)
    return difference(y, w, inside) / np.sqrt(squares)


def test_means_and_differences_are_hajeks() -> None:
    rng = np.random.default_rng(1)
    levels = pd.DataFrame({name: rng.choice(list("abcd"), N) for name in ("kind", "topic")}).astype("category")
    y, weights = np.where(rng.random(N) < 0.1, np.nan, rng.random(N)), rng.choice([1.0, 2.0, 10.0], N)
    rows = find_weaknesses(
        levels,
        pd.Series(y, index=levels.index),
        metric="m",
        direction="higher",
        pairs=True,
        minimum_n=2,
        test_cases=np.arange(N) // 3,
        refits=held(np.clip(y + rng.normal(0, 0.05, (20, N)), 0, 1)),
        design=weights,
    ).frame
    scored = ~np.isnan(y)
    for row in rows.itertuples():
        inside = (levels[row.dimension_1] == row.level_1).to_numpy()
        if isinstance(row.dimension_2, str):
            inside = inside & (levels[row.dimension_2] == row.level_2).to_numpy()
        own = np.average(y[inside & scored], weights=weights[inside & scored])
        assert row.mean == pytest.approx(own, abs=1e-12)
        assert row.difference == pytest.approx(difference(y[scored], weights[scored], inside[scored]), abs=1e-12)
        assert row.difference_low < row.difference < row.difference_high
    assert len(rows) == 4 + 4 + 16


@pytest.mark.parametrize("trials", [1, 3])
@pytest.mark.parametrize("by_slice", [False, True])
def test_p_is_the_larger_of_two_permutation_tests(trials: int, by_slice: bool) -> None:
    """Values alone move, or whole cases with their weights; weights may differ by slice."""
    rng = np.random.default_rng(2 + by_slice)
    cases = np.arange(60)
    slices = rng.random(60) < 0.3
    weights = np.where(slices, rng.choice([1.0, 9.0], 60), 3.0) if by_slice else rng.choice([1.0, 2.0, 5.0], 60)
    values = np.where(rng.random((60, trials)) < 0.6, 0.0, rng.random((60, trials))) - 0.15 * slices[:, None]
    of_row = np.repeat(cases, trials)

    def observed(place_of: np.ndarray, weight_of: np.ndarray) -> float:
        """Of each case its place, which has the slice, and where its weight comes from."""
        return statistic(values.ravel(), weights[weight_of][of_row], of_row, slices[place_of][of_row])

    found = observed(cases, cases)
    orders = [rng.permutation(60) for _ in range(1_500)]
    p = []
    for moved in ([observed(order, order) for order in orders], [observed(order, cases) for order in orders]):
        lower, upper = np.mean(np.array(moved) <= found + 1e-9), np.mean(np.array(moved) >= found - 1e-9)
        p.append(min(1.0, 2 * min(lower, upper)))
    table = find_weaknesses(
        pd.DataFrame({"kind": np.where(slices, "a", "b")[of_row]}).astype("category"),
        pd.Series(values.ravel()),
        metric="m",
        direction="higher",
        test_cases=of_row,
        design=weights[of_row],
    ).frame
    assert table["p"].to_numpy() == pytest.approx(max(p), rel=0.25, abs=0.01)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_values_that_are_all_the_same_differ_nowhere(value: float) -> None:
    rng = np.random.default_rng(1)
    levels = pd.DataFrame({"kind": rng.choice(list("ab"), N)}).astype("category")
    rows = find_weaknesses(
        levels,
        pd.Series(np.full(N, value)),
        metric="m",
        direction="higher",
        minimum_n=2,
        within=(0.0, 1.0),
        design=rng.choice([1.0, 10.0], N),
    ).frame
    assert rows["mean"].to_numpy() == pytest.approx(value)
    assert rows["difference"].to_numpy() == pytest.approx(0, abs=1e-12)
    assert not (rows["p"] < 0.05).any()


def test_equal_weights_give_the_numbers_of_none() -> None:
    rng = np.random.default_rng(3)
    levels = pd.DataFrame({"kind": rng.choice(list("abc"), N)}).astype("category")
    y = pd.Series(rng.random(N))
    make = {"metric": "m", "direction": "higher"}
    plain, weighted = (find_weaknesses(levels, y, **make, design=w).frame for w in (None, np.full(N, 4.0)))
    for name in ("p", "q", "difference", "difference_low", "difference_high"):
        assert weighted[name].to_numpy() == pytest.approx(plain[name].to_numpy(), rel=1e-9, abs=1e-12)
