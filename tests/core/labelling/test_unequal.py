"""Draws with unequal probabilities: stored probabilities are the frequencies, and weights undo what was preferred."""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.labelling.design import Draw, union_probability
from hcat.core.labelling.queue import draw_random
from hcat.core.labelling.unequal import (
    FLOOR,
    boundary_sizes,
    by_sample,
    draw_unequal,
    inclusion_probabilities,
    residual_sizes,
)

DRAWS = int(os.environ.get("HCAT_DRAWS", "2000"))


def population(n: int = 200, seed: int = 3) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Ids, probabilities of a pass, and passes that follow them: the unsure ones fail far more often than the rest."""
    rng = np.random.default_rng(seed)
    p = np.clip(rng.beta(4, 1.2, n), 0.02, 0.98)
    return [f"q{k}" for k in range(n)], p, (rng.random(n) < p).astype(float)


def test_sizes_by_hand() -> None:
    p = np.array([0.5, 0.9, 0.0, np.nan])
    assert boundary_sizes(p) == pytest.approx([0.5, 0.1, 0.0, 0.2])  # unscored: the mean of 0.5, 0.1 and 0
    assert residual_sizes(p) == pytest.approx([0.5, 0.3, 0.0, 0.8 / 3])  # √(.5·.5), √(.9·.1)
    assert boundary_sizes(np.array([np.nan, np.nan])) == pytest.approx([1.0, 1.0])


def test_probabilities_by_hand() -> None:
    # Sizes 1, 1, 2 with 2 planned: π ∝ size would be 0.5, 0.5, 1.
    assert inclusion_probabilities(np.array([1.0, 1.0, 2.0]), planned=2) == pytest.approx([0.5, 0.5, 1.0])
    # One of size 0 keeps the floor 0.25 · 2/4 = 1/8; the others share 1.875 as 1 : 1 : 2.
    found = inclusion_probabilities(np.array([0.0, 1.0, 1.0, 2.0]), planned=2)
    assert found == pytest.approx([0.125, 0.46875, 0.46875, 0.9375])
    assert inclusion_probabilities(np.zeros(4), planned=2) == pytest.approx([0.5] * 4)
    assert inclusion_probabilities(np.array([1.0, 9.0]), planned=5) == pytest.approx([1.0, 1.0])


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), st.integers(1, 80), st.integers(0, 2**32))
def test_a_draw_has_the_planned_size_and_bounded_weights(sizes: list[float], planned: int, seed: int) -> None:
    inclusion = inclusion_probabilities(np.array(sizes), planned=planned)
    n = min(planned, len(sizes))
    assert inclusion.sum() == pytest.approx(n)
    assert inclusion.min() >= FLOOR * n / len(sizes) - 1e-12
    assert inclusion.max() <= 1
    ids = [f"q{k}" for k in range(len(sizes))]
    drawn = draw_unequal(by_sample(ids, inclusion), queue="boundary", rng=np.random.default_rng(seed))
    assert len(drawn) == len({item.sample_id for item in drawn}) == n
    assert {item.queue for item in drawn} == {"boundary"}


def test_stored_probabilities_are_the_frequencies_of_many_draws() -> None:
    ids, p, _ = population(60)
    inclusion = by_sample(ids, inclusion_probabilities(boundary_sizes(p), planned=15))
    rng = np.random.default_rng(5)
    drawn = Counter(i.sample_id for _ in range(DRAWS) for i in draw_unequal(inclusion, queue="boundary", rng=rng))
    for sample_id, probability in inclusion.items():
        error = np.sqrt(probability * (1 - probability) / DRAWS)
        assert abs(drawn[sample_id] / DRAWS - probability) <= 5 * error + 1e-9, sample_id


@pytest.mark.parametrize("share", [1.0, 0.5], ids=["all", "half-way"])
def test_weights_make_the_pass_rate_of_a_boundary_queue_right(share: float) -> None:
    ids, p, passes = population()
    outcome = dict(zip(ids, passes, strict=True))
    inclusion = by_sample(ids, inclusion_probabilities(boundary_sizes(p), planned=60))
    rng = np.random.default_rng(6)
    weighted, naive = np.empty(DRAWS), np.empty(DRAWS)
    for k in range(DRAWS):
        queue = draw_unequal(inclusion, queue="boundary", rng=rng)
        done = queue[: round(share * len(queue))]
        values = np.array([outcome[item.sample_id] for item in done])
        weights = np.array([1 / item.probability for item in done]) / share
        weighted[k], naive[k] = weights @ values / len(ids), values.mean()
    error = weighted.std(ddof=1) / np.sqrt(DRAWS)
    assert abs(weighted.mean() - passes.mean()) < 4 * error
    assert abs(naive.mean() - passes.mean()) > 0.05  # without weights the queue shows a worse system than there is


def test_an_informative_queue_has_a_shorter_interval_than_a_random_one() -> None:
    """The difference estimate mean(p) + Σ (y − p) / π / N: its variance is what the sizes were chosen to make small."""
    ids, p, _ = population(400)
    rng = np.random.default_rng(7)
    by_queue = {}
    for name, inclusion in {
        "informative": inclusion_probabilities(residual_sizes(p), planned=80),
        "random": np.full(len(ids), 80 / len(ids)),
    }.items():
        errors = np.empty(DRAWS)
        for k in range(DRAWS):
            passes = rng.random(len(ids)) < p
            chosen = [int(i.sample_id[1:]) for i in draw_unequal(by_sample(ids, inclusion), queue=name, rng=rng)]
            residuals = (passes - p)[chosen] / inclusion[chosen]
            errors[k] = p.mean() + residuals.sum() / len(ids) - passes.mean()
        by_queue[name] = errors
    assert abs(by_queue["informative"].mean()) < 4 * by_queue["informative"].std() / np.sqrt(DRAWS)
    assert by_queue["informative"].var() < 0.95 * by_queue["random"].var()


def test_the_union_of_a_random_and_a_boundary_queue_by_hand() -> None:
    # Of 4, random drew 2 (π ½) and labelled one: ¼. Boundary drew 2, of which one was labelled by the other queue
    # before, and labelled its other one: all that was open to it, so its π stands. 1 − (1 − ¼)(1 − π).
    inclusion = {"a": 0.8, "b": 0.8, "c": 0.2, "d": 0.2}
    random = Draw(frozenset("a"), 4, {}, dict.fromkeys("abcd", 0.5), frozenset("ac"))
    boundary = Draw(frozenset("b"), 4, {}, inclusion, frozenset("ab"), frozenset("a"))
    found = union_probability([random, boundary], list("abcd"))
    assert found == pytest.approx(np.array([0.85, 0.85, 0.4, 0.4]))


def test_the_union_is_unbiased_where_the_second_queue_passes_over_what_the_first_had() -> None:
    ids, p, passes = population()
    outcome = dict(zip(ids, passes, strict=True))
    inclusion = by_sample(ids, inclusion_probabilities(boundary_sizes(p), planned=60))
    equal = dict.fromkeys(ids, 50 / len(ids))
    rng = np.random.default_rng(8)
    union, naive = np.empty(DRAWS), np.empty(DRAWS)
    for k in range(DRAWS):
        first = frozenset(i.sample_id for i in draw_random(ids, planned=50, rng=rng))
        queue = [i.sample_id for i in draw_unequal(inclusion, queue="boundary", rng=rng)]
        second = frozenset([i for i in queue if i not in first][:25])
        draws = [
            Draw(first, len(ids), {}, equal, first),
            Draw(second, len(ids), {}, inclusion, frozenset(queue), (frozenset(queue) & first) - second),
        ]
        labelled = sorted(first | second)
        weights = 1 / union_probability(draws, labelled)
        values = np.array([outcome[i] for i in labelled])
        union[k], naive[k] = np.average(values, weights=weights), values.mean()
    error = union.std(ddof=1) / np.sqrt(DRAWS)
    assert abs(union.mean() - passes.mean()) < 4 * error + 0.002  # Hájek's ratio has a bias of order 1/n
    assert abs(naive.mean() - passes.mean()) > 0.02
