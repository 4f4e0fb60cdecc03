"""Sums of refitted values by class, made in blocks, against those of all values at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.arrays import Floats
from hcat.core.statistics import refitted
from hcat.core.statistics.refitted import Refitted

MAPS = (
    lambda scores: 1 / (1 + np.exp(-scores.sum(axis=1))),
    lambda scores: np.interp(scores[:, 0], [0.2, 0.5], [0.1, 0.8]),
    lambda scores: np.full(len(scores), 0.3),
)


def by_hand(values: Floats, codes: list[int], size: int, weights: Floats) -> list[list[float]]:
    """Row by row."""
    sums = [[0.0] * size for _ in values]
    for number, of_map in enumerate(values):
        for value, place, weight in zip(of_map, codes, weights, strict=True):
            sums[number][place] += value * weight
    return sums


@given(
    rows=st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.3, 0.9]) | st.floats(0, 1), st.integers(0, 3)), max_size=40),
    metrics=st.integers(1, 2),
    weighted=st.booleans(),
    limits=st.sampled_from([(1, 1), (3, 7), (8_192, 1_000_000)]),
)
def test_sums_are_those_of_all_values(
    rows: list[tuple[float, int]], metrics: int, weighted: bool, limits: tuple[int, int]
) -> None:
    scores = np.array([[score, 1 - score][:metrics] for score, _ in rows]).reshape(len(rows), metrics)
    codes = np.array([place for _, place in rows], dtype=np.intp)
    made = Refitted(scores, MAPS)
    weights = 1.0 + codes if weighted else np.ones(len(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refitted, "MADE_AT_A_TIME", limits[0])
        patch.setattr(refitted, "ADDED_AT_A_TIME", limits[1])
        own, none, half = made.sums([(codes, 4), (codes * 0, 1), (codes // 2, 3)], weights if weighted else None)
        means = made.means(weights if weighted else None) if rows else None
    values = made.values()
    assert own == pytest.approx(np.array(by_hand(values, codes.tolist(), 4, weights)), rel=1e-12)
    assert none == pytest.approx(np.array(by_hand(values, [0] * len(rows), 1, weights)), rel=1e-12)
    assert half == pytest.approx(np.array(by_hand(values, (codes // 2).tolist(), 3, weights)), rel=1e-12)
    if means is not None:
        assert means == pytest.approx(np.average(values, axis=1, weights=weights))
        assert Refitted(scores, MAPS).means() == pytest.approx(values.mean(axis=1))


def test_maps_are_asked_for_distinct_scores_only_and_for_a_block_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def of(scores: Floats) -> Floats:
        asked.append(len(scores))
        return scores[:, 0]

    monkeypatch.setattr(refitted, "MADE_AT_A_TIME", 4)
    scores = np.tile(np.arange(10.0), 30)
    [sums] = Refitted(scores[:, None], (of,)).sums([(np.zeros(300, dtype=np.intp), 1)])
    assert sums[0, 0] == scores.sum()
    assert asked == [4, 4, 2]


def test_rows_are_taken_in_their_order() -> None:
    made = Refitted(np.linspace(0, 1, 5)[:, None], MAPS)
    assert (made.at(np.array([3, 1])).values() == made.values()[:, [3, 1]]).all()
