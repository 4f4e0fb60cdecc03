from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.errors import HcatError
from hcat.core.labelling.queue import (
    allocate_equally,
    draw_random,
    draw_stratified,
    queue_generator,
)

SIZES = {"fees": 120, "rates": 60, "cards": 20, "fraud": 4}


def strata() -> dict[str, str]:
    return {f"{name}-{k}": name for name, size in SIZES.items() for k in range(size)}


def passes() -> dict[str, float]:
    """Pass rates that differ by stratum, so that an unweighted mean of an equal allocation is wrong."""
    rate = {"fees": 0.9, "rates": 0.5, "cards": 0.3, "fraud": 0.0}
    return {
        sample: float(int(sample.split("-")[1]) < rate[stratum] * SIZES[stratum])
        for sample, stratum in strata().items()
    }


def test_random_queue_is_a_permutation_with_equal_probabilities():
    ids = [f"q{k}" for k in range(8)]
    queue = draw_random(ids, planned=8, rng=np.random.default_rng(1))
    assert sorted(item.sample_id for item in queue) == ids
    assert {item.probability for item in queue} == {1.0}
    assert [item.sample_id for item in queue] != ids


def test_random_queue_probability_is_planned_over_n():
    queue = draw_random([f"q{k}" for k in range(40)], planned=10, rng=np.random.default_rng(1))
    assert len({item.sample_id for item in queue}) == 10
    assert {item.probability for item in queue} == {0.25}  # 10 / 40


def test_planning_more_than_there_is_takes_all():
    assert len(draw_random(["a", "b"], planned=100, rng=np.random.default_rng(0))) == 2
    assert {
        item.probability for item in draw_stratified({"a": "x", "b": "y"}, planned=9, rng=np.random.default_rng(0))
    } == {1.0}


def test_equal_allocation_by_hand():
    # 40 over four strata is 10 each; fraud has only 4, its other 6 go two to each of the rest.
    assert allocate_equally(SIZES, planned=40) == {"fees": 12, "rates": 12, "cards": 12, "fraud": 4}
    # 41: one more, to the largest.
    assert allocate_equally(SIZES, planned=41) == {"fees": 13, "rates": 12, "cards": 12, "fraud": 4}
    assert allocate_equally(SIZES, planned=4) == dict.fromkeys(SIZES, 1)


def test_more_strata_than_labels_is_refused():
    with pytest.raises(HcatError, match="3 labels can't cover 4 strata"):
        allocate_equally(SIZES, planned=3)


def test_an_empty_run_or_plan_is_refused():
    with pytest.raises(HcatError, match="at least one sample"):
        draw_random([], planned=5, rng=np.random.default_rng(0))
    with pytest.raises(HcatError, match="at least one sample"):
        draw_stratified({"a": "x"}, planned=0, rng=np.random.default_rng(0))


@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 50), min_size=1, max_size=12),
    st.integers(1, 300),
)
def test_allocation_uses_the_plan_up_and_never_exceeds_a_stratum(sizes: dict[str, int], planned: int):
    if planned < len(sizes) and planned < sum(sizes.values()):
        with pytest.raises(HcatError):
            allocate_equally(sizes, planned=planned)
        return
    allocated = allocate_equally(sizes, planned=planned)
    assert sum(allocated.values()) == min(planned, sum(sizes.values()))
    assert all(1 <= allocated[name] <= sizes[name] for name in sizes)
    # Equal: a stratum that could give more has at most one fewer than any other.
    unfilled = [allocated[name] for name in sizes if allocated[name] < sizes[name]]
    assert all(max(allocated.values()) - count <= 1 for count in unfilled)


def test_inclusion_probabilities_are_the_frequencies_of_many_draws():
    rng = np.random.default_rng(20)
    draws = 4000
    drawn: Counter[str] = Counter()
    probability: dict[str, float] = {}
    for _ in range(draws):
        for item in draw_stratified(strata(), planned=40, rng=rng):
            drawn[item.sample_id] += 1
            probability[item.sample_id] = item.probability
    assert len(probability) == sum(SIZES.values())
    for sample, p in probability.items():
        error = np.sqrt(p * (1 - p) / draws)
        assert abs(drawn[sample] / draws - p) <= 5 * error, sample


def test_weighted_pass_rate_is_unbiased_and_the_unweighted_one_is_not():
    rng, outcome, draws = np.random.default_rng(21), passes(), 3000
    truth = float(np.mean(list(outcome.values())))
    weighted, plain = np.empty(draws), np.empty(draws)
    for k in range(draws):
        queue = draw_stratified(strata(), planned=40, rng=rng)
        weighted[k] = sum(outcome[item.sample_id] / item.probability for item in queue) / len(outcome)
        plain[k] = np.mean([outcome[item.sample_id] for item in queue])
    error = weighted.std(ddof=1) / np.sqrt(draws)
    assert abs(weighted.mean() - truth) < 4 * error
    assert abs(plain.mean() - truth) > 20 * error


def test_weights_stay_right_when_somebody_stops_half_way():
    rng, outcome, draws = np.random.default_rng(22), passes(), 3000
    truth = float(np.mean(list(outcome.values())))
    ratio = np.empty(draws)
    for k in range(draws):
        half = draw_stratified(strata(), planned=80, rng=rng)[:40]
        weights = np.array([1 / item.probability for item in half])
        ratio[k] = weights @ np.array([outcome[item.sample_id] for item in half]) / weights.sum()
    assert (
        abs(ratio.mean() - truth) < 0.01
    )  # a ratio estimate has a bias of order 1/n; the unweighted one is off by 0.2


def test_generator_depends_on_every_part():
    first = queue_generator("hash", "correctness", 7).random()
    assert queue_generator("hash", "correctness", 7).random() == first
    assert queue_generator("hash", "relevance", 7).random() != first
    assert queue_generator("has", "hcorrectness", 7).random() != first
