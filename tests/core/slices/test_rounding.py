"""Rounding makes no slice worse: neither of values that differ by an ulp, nor of constant ones with weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.against_rest import against_rest
from hcat.core.slices.drawn_sets.by_size import ValuesBySize
from hcat.core.slices.draws import permutations_of
from hcat.core.slices.membership import Partition
from hcat.core.slices.table import find_weaknesses

N = 400
HALVES: Codes = np.repeat([0, 1], N // 2)
BOTH = np.array([True, True])
NEXT = float(np.nextafter(0.3, 1.0))
ULP = 2.0**-52


def halves(first: list[float], second: list[float]) -> Floats:
    return np.array([*first, *second])


@pytest.mark.parametrize(
    "values",
    [
        halves([0.3] * 102 + [NEXT] * 98, [0.3] * 98 + [NEXT] * 102),
        halves([1.0] * 103 + [1 + ULP] * 96 + [1 + 2 * ULP], [1.0] * 98 + [1 + ULP] * 100 + [1 + 2 * ULP] * 2),
        np.full(N, 0.7),
    ],
    ids=["two values", "three values", "constant"],
)
@pytest.mark.parametrize("kind", ["independent", "weights", "clusters"])
def test_values_that_differ_by_rounding_alone_show_nothing(values: Floats, kind: str) -> None:
    weights = np.where(HALVES == 0, 3.0, 1.0) if kind == "weights" else None
    cases = np.concatenate([np.arange(200) // 3, 100 + np.arange(200) // 4]) if kind == "clusters" else None
    (found,) = against_rest(values, [Partition(HALVES, BOTH)], cases=cases, weights=weights)
    assert found.p.tolist() == [1.0, 1.0]
    assert np.isnan(found.low).all() and np.isnan(found.high).all()
    assert found.difference.tolist() == [0.0, 0.0] and not np.nan_to_num(found.effect).any()


@pytest.mark.parametrize("second", [0.3, NEXT], ids=["constant", "two values"])
def test_a_table_of_slices_shows_no_effect_of_rounding(second: float) -> None:
    values = pd.Series(halves([0.3] * 102 + [second] * 98, [0.3] * 98 + [second] * 102), name="m")
    dimensions = pd.DataFrame({"half": np.where(HALVES == 0, "x", "y")})
    table = find_weaknesses(dimensions, values, metric="m", direction="higher")
    assert table.frame["p"].tolist() == [1.0, 1.0]
    assert not np.nan_to_num(table.frame[["difference", "effect"]].to_numpy(dtype=np.float64)).any()


def test_values_that_differ_by_more_are_tested() -> None:
    values = 1e6 + np.concatenate([np.zeros(200), np.ones(200)]) + np.linspace(0, 0.1, N)
    (found,) = against_rest(values, [Partition(HALVES, BOTH)])
    assert (found.p < 1e-6).all() and np.isfinite(found.low).all()


def test_the_order_of_rows_changes_no_number_where_clusters_are_in_several_slices() -> None:
    rng = np.random.default_rng(4)
    values, cases = rng.lognormal(size=301) / 3, np.repeat(np.arange(43), 7)
    codes = rng.integers(0, 3, size=301)
    every = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(301)
        partition = Partition(codes[order], np.array([True] * 3))
        (found,) = against_rest(values[order], [partition], cases=cases[order])
        every.append(found.p)
    assert np.array(every) == pytest.approx(np.broadcast_to(every[0], (6, 3)), abs=1e-12)


@pytest.mark.parametrize("rows", [600, 4_000, 20_000])
def test_sets_are_drawn_as_often_as_rows_would_be_permuted(rows: int) -> None:
    blocks = ValuesBySize(np.random.default_rng(1).normal(size=rows))._blocks
    width = 1 << int(np.ceil(np.log2(rows / 2 / blocks.block)))
    sums, _ = blocks.sets(np.array([rows // 2 - 5]), width)
    assert sums.shape[1] >= 0.98 * permutations_of(rows)
