"""Slices by design weights, from sums over cells, are those that each slice's own rows give."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.arrays import Bools, Floats
from core.weakness.table import find_weaknesses
from tests.core.weakness.refits import held

N = 240


def by_hand(y: Floats, w: Floats, clusters: Floats, refits: Floats | None, inside: Bools) -> tuple[float, float, float]:
    """Hájek's mean of the slice, its difference from that of the rest, and the p of that; row by row."""
    shares = np.where(inside, w / w[inside].sum(), -w / w[~inside].sum())
    own, rest = (float(np.average(y[side], weights=w[side])) for side in (inside, ~inside))
    added = pd.Series(shares * (y - np.where(inside, own, rest))).groupby(clusters).sum().to_numpy()
    variance = len(added) / (len(added) - 1) * float(added @ added)
    if refits is not None:
        variance += float(np.var(refits @ shares, ddof=1))
    degrees = min(len(np.unique(clusters[side])) for side in (inside, ~inside)) - 1
    if variance < 1e-15 or degrees < 1:
        return own, own - rest, math.nan
    return own, own - rest, 2 * float(stats.t.sf(abs(own - rest) / math.sqrt(variance), degrees))


@pytest.mark.parametrize("refitted", [False, True])
@pytest.mark.parametrize("trials", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_slices_are_those_of_their_own_rows(seed: int, trials: int, refitted: bool) -> None:
    rng = np.random.default_rng(seed)
    levels = pd.DataFrame({name: rng.choice(list("abcd"), N) for name in ("kind", "topic")}).astype("category")
    y = np.where(rng.random(N) < 0.1, np.nan, rng.random(N))
    weights = rng.choice([1.0, 2.0, 10.0], N)
    refits = np.clip(y + rng.normal(0, 0.05, (20, N)), 0, 1) if refitted else None
    cases = np.arange(N) // trials
    rows = find_weaknesses(
        levels,
        pd.Series(y, index=levels.index),
        metric="m",
        direction="higher",
        pairs=True,
        minimum_n=2,
        test_cases=cases,
        refits=None if refits is None else held(refits),
        design=weights,
    ).frame
    scored = ~np.isnan(y)
    of_scored = None if refits is None else refits[:, scored]
    compared = 0
    for row in rows.itertuples():
        inside = (levels[row.dimension_1] == row.level_1).to_numpy()
        if isinstance(row.dimension_2, str):
            inside = inside & (levels[row.dimension_2] == row.level_2).to_numpy()
        own, difference, p = by_hand(y[scored], weights[scored], cases[scored], of_scored, inside[scored])
        assert (row.mean, row.difference) == pytest.approx((own, difference), abs=1e-12)
        assert row.p == pytest.approx(p, rel=1e-9)
        compared += 1
    assert compared == 4 + 4 + len(list(itertools.product("abcd", "abcd")))


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
