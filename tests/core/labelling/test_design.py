"""The probability of the union of several draws: by hand, and by simulation against what weights are for."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.labelling.design import Draw, union_probability
from hcat.core.labelling.queue import draw_random, draw_stratified

IDS = [f"q{i}" for i in range(10)]


def test_two_random_draws_by_hand() -> None:
    # 5 of 10 and 2 of 10: 1 − (1 − 0.5)(1 − 0.2) = 0.6 for every sample, labelled or not.
    draws = [Draw(frozenset(IDS[:5]), 10), Draw(frozenset(IDS[4:6]), 10)]
    assert union_probability(draws, IDS) == pytest.approx(np.full(10, 0.6))


def test_a_stratified_draw_by_hand() -> None:
    # Stratum a: 1 of 2, stratum b: 1 of 8; with 5 of 10 at random besides: 0.75 and 1 − 0.5 · 7/8 = 0.5625.
    strata = {sample_id: "a" if i < 2 else "b" for i, sample_id in enumerate(IDS)}
    found = union_probability([Draw(frozenset({"q0", "q9"}), 10, strata), Draw(frozenset(IDS[:5]), 10)], IDS)
    assert (found[1], found[9]) == pytest.approx((0.75, 0.5625))


def test_one_draw_alone_and_none() -> None:
    assert union_probability([Draw(frozenset(IDS[:3]), 10)], IDS)[9] == pytest.approx(0.3)
    assert not union_probability([], IDS).any()


def test_weights_of_the_union_are_unbiased_where_those_of_the_single_draws_are_not() -> None:
    """A random half and a part of a stratified queue, on a run whose rare stratum fails: 2,000 draws."""
    rng = np.random.default_rng(20)
    ids = [f"q{i}" for i in range(200)]
    strata = {sample_id: "rare" if i < 20 else "common" for i, sample_id in enumerate(ids)}
    passes = {sample_id: float(i >= 20) for i, sample_id in enumerate(ids)}
    union, single = [], []
    for _ in range(2_000):
        half = {item.sample_id for item in draw_random(ids, planned=100, rng=rng)}
        queue = draw_stratified(strata, planned=30, rng=rng)[:20]
        own = {item.sample_id: item.probability for item in queue}
        chosen = half | set(own)
        draws = [Draw(frozenset(half), 200), Draw(frozenset(own), 200, strata)]
        p = dict(zip(ids, union_probability(draws, ids), strict=True))
        for probabilities, means in ((p, union), ({i: own.get(i, 0.5) for i in chosen}, single)):
            weights = np.array([1 / probabilities[i] for i in chosen])
            means.append(np.average([passes[i] for i in chosen], weights=weights))
    error = np.std(union) / np.sqrt(len(union))
    assert abs(np.mean(union) - 0.9) < 4 * error + 0.001  # Hájek's ratio has a bias of order 1/n
    assert abs(np.mean(single) - 0.9) > 0.005
