from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.statistics.discrimination import auc, auc_estimate, effective_n


def test_known_value_with_a_tie() -> None:
    # Pairs (pass, fail): 0.8>0.5, 0.8>0.2, 0.5=0.5 counts half, 0.5>0.2: 3.5 of 4.
    assert auc([0.8, 0.5, 0.5, 0.2], [1, 1, 0, 0]) == 0.875


def test_ranks_tell_the_same_as_scores() -> None:
    rng = np.random.default_rng(7)
    score, passed, weights = rng.integers(0, 30, 200) / 7, rng.random(200) < 0.6, rng.uniform(1, 3, 200)
    ranks = np.unique(score, return_inverse=True)[1] * 3 - 20  # with gaps, and below 0
    for drawn in (None, weights):
        assert auc(ranks, passed, weights=drawn) == auc(score, passed, weights=drawn)
        assert auc_estimate(-ranks, passed, weights=drawn) == auc_estimate(-score, passed, weights=drawn)


def test_weights_count_pairs_of_the_population() -> None:
    # Passes 0.8 (w 3), 0.3 (w 1); fails 0.5 (w 2), 0.1 (w 2): 3·2 + 3·2 + 0 + 1·2 = 14 of 4 · 4 = 16.
    assert auc([0.8, 0.3, 0.5, 0.1], [1, 1, 0, 0], weights=[3, 1, 2, 2]) == 14 / 16


@pytest.mark.parametrize("passed", [[], [1, 1], [0, 0]])
def test_one_class_has_no_auc(passed: list[int]) -> None:
    estimate = auc_estimate(np.zeros(len(passed)), passed)
    assert math.isnan(auc(np.zeros(len(passed)), passed))
    assert math.isnan(estimate.value) and math.isnan(estimate.low) and estimate.n == len(passed)


def test_perfect_separation_keeps_an_interval() -> None:
    few = auc_estimate([1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0])
    many = auc_estimate([1] * 50 + [0] * 50, [1] * 50 + [0] * 50)
    assert few.value == many.value == few.high == 1.0
    assert few.low < 0.75 < many.low < 1.0


def test_a_bound_solves_its_equation() -> None:
    # |θ − AUC| = z √V(θ) with V of Hanley and McNeil, m = n = 20, N* = (20 + 20)/2 − 1 = 19.
    rng = np.random.default_rng(4)
    y = np.arange(40) % 2 == 0
    estimate = auc_estimate(rng.normal(size=40) + y, y)
    for theta in (estimate.low, estimate.high):
        variance = theta * (1 - theta) * (1 + 19 * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / 400
        assert abs(theta - estimate.value) == pytest.approx(1.959964 * math.sqrt(variance), rel=1e-5)


def test_effective_n() -> None:
    assert effective_n([2.0, 2.0, 2.0]) == 3.0
    assert effective_n([1.0, 3.0]) == 16 / 10  # (1 + 3)² / (1 + 9)
    assert effective_n([]) == 0.0


def test_unequal_weights_widen_the_interval() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(60) % 2 == 0
    score = rng.normal(size=60) + y
    plain = auc_estimate(score, y)
    weighted = auc_estimate(score, y, weights=np.where(np.arange(60) < 30, 1.0, 5.0))
    assert weighted.high - weighted.low > plain.high - plain.low
    assert "effective n" in weighted.method


@given(st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=1, max_size=40))
def test_reversing_the_score_mirrors_the_auc(rows: list[tuple[int, bool]]) -> None:
    score, y = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    assert auc(score, y) == pytest.approx(1 - auc(-score, y), nan_ok=True)


@given(st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=1, max_size=40))
def test_the_interval_holds_the_value(rows: list[tuple[int, bool]]) -> None:
    estimate = auc_estimate([r[0] for r in rows], [r[1] for r in rows])
    assert math.isnan(estimate.value) or 0 <= estimate.low <= estimate.value <= estimate.high <= 1
