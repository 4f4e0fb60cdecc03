"""The funnel of a run: what each stage loses, the ceiling, how much of it is reached, recall by rank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.metrics.funnel import recall_curve, run_funnel
from hcat.core.metrics.retrieval import funnel, ranking
from hcat.core.records.samples.columns import Retrieved, retrieved_of
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Passage, Sample


def sample(name: str, contexts: list[str], relevant: dict[str, int], candidates: list[str] | None = None) -> Sample:
    metadata = {} if candidates is None else {"candidates": [*candidates]}
    passages = tuple(Passage(one, "text") for one in contexts)
    return Sample(name, "query", "answer", passages, relevant_ids=relevant, metadata=metadata)


def retrieved(
    name: str, contexts: list[str], relevant: dict[str, int], candidates: list[str] | None = None
) -> Retrieved:
    return retrieved_of(sample(name, contexts, relevant, candidates))


def test_what_each_stage_loses() -> None:
    found = funnel(retrieved("s", ["a", "x"], {"a": 2, "b": 1, "c": 1, "d": 0}, ["x", "a", "b"]))
    assert (found.lost_at_stage_1, found.lost_at_stage_2) == (("c",), ("b",))
    assert found.ceiling == pytest.approx(2 / 3)
    assert found.stage_1_given


def test_without_candidates_all_is_lost_at_stage_1() -> None:
    found = funnel(retrieved("s", ["a"], {"a": 1, "b": 1}))
    assert (found.lost_at_stage_1, found.lost_at_stage_2, found.stage_1_given) == (("b",), (), False)


def test_a_candidate_after_rank_100_is_lost_at_stage_1() -> None:
    found = funnel(retrieved("s", ["x0"], {"b": 1}, [*(f"x{i}" for i in range(100)), "b"]))
    assert (found.lost_at_stage_1, found.ceiling) == (("b",), 0.0)


def test_a_sample_without_relevant_ids_has_no_funnel() -> None:
    with pytest.raises(ValueError, match="no relevant ids"):
        funnel(retrieved("s", ["a"], {"a": 0}))


def test_estimates_of_a_run() -> None:
    run = [
        sample("1", ["a"], {"a": 1, "b": 1}, ["a", "b"]),  # ceiling 1, recall 1/2
        sample("2", ["x"], {"a": 1}, ["x", "y"]),  # ceiling 0
        sample("3", ["a", "b"], {"a": 1, "b": 1, "c": 1, "d": 1}, ["a", "b", "c"]),  # ceiling 3/4, recall 1/2
        sample("4", ["a"], {}),
        sample("5", [], {"a": 1}),
    ]
    found = run_funnel(ColumnsOfSamples(run))
    assert (found.ceiling.value, found.ceiling.n) == (pytest.approx((1 + 0 + 0.75) / 3), 3)
    # Σ recall / Σ ceiling over the queries that can find anything: (1/2 + 1/2) / (1 + 3/4) = 4/7
    assert found.reached[8].value == pytest.approx(4 / 7)
    assert found.reached[8].n == 2
    assert 0 <= found.reached[8].low < 4 / 7 < found.reached[8].high <= 1
    assert (found.left_out, found.given) == (2, 3)
    assert list(found.funnels) == ["1", "2", "3"]
    # Precision@8: 1/8, 0 and 2/8. Recall@100: 1, 0 and 3/4, which is the ceiling where stage 2 ranks candidates.
    assert found.measures["precision@8"].value == pytest.approx(3 / 24)
    assert found.measures["recall@100"].value == pytest.approx(found.ceiling.value)


def test_a_run_without_relevance() -> None:
    found = run_funnel(ColumnsOfSamples([sample("1", ["a"], {})]))
    assert (found.ceiling.n, found.left_out) == (0, 1)
    assert np.isnan(found.reached[16].value)
    assert found.measures["rr"].n == 0
    assert run_funnel(ColumnsOfSamples([])).funnels == {}


def test_recall_by_rank() -> None:
    rankings = [
        ranking(retrieved("1", ["x", "a", "b"], {"a": 1, "b": 1}), 2),
        ranking(retrieved("2", ["a"], {"a": 1}), 2),
    ]
    found = recall_curve(rankings, depth=4)
    assert found.recall.tolist() == [0.5, 0.75, 1.0, 1.0]
    assert found.n == 2
    assert np.isnan(recall_curve([], depth=2).recall).all()


@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcdefgh"), max_size=8),
    st.sets(st.sampled_from("abcdefghi"), min_size=1),
)
def test_nothing_relevant_is_lost_twice_or_forgotten(contexts: list[str], pool: list[str], relevant: set[str]) -> None:
    found = funnel(retrieved("s", contexts, dict.fromkeys(relevant, 1), pool))
    reached = relevant & set(contexts)
    lost = [*found.lost_at_stage_1, *found.lost_at_stage_2]
    assert len(lost) == len(set(lost))
    assert reached | set(lost) == relevant
    assert not reached & set(lost)
    assert found.ceiling >= len(reached) / len(relevant)


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9), st.sets(st.sampled_from("abcdef"), min_size=1))
def test_the_curve_is_the_recall_at_every_rank(contexts: list[str], relevant: set[str]) -> None:
    one = ranking(retrieved("s", contexts, dict.fromkeys(relevant, 1)), 2)
    expected = [one.recall(k) for k in range(1, 13)]
    assert recall_curve([one], depth=12).recall == pytest.approx(expected, abs=1e-12)


def test_trials_of_one_test_case_are_no_further_queries() -> None:
    """Five trials of each query retrieve the same: the intervals are those of the queries, which n shows beside."""
    relevance = [{"a": 1}, {"a": 1, "b": 1}, {"a": 1, "x": 1, "y": 1}, {"b": 1}, {"a": 1, "b": 1, "c": 1}]
    once = [sample(f"q{i}", ["a", "b"], grades, ["a", "b", "c"]) for i, grades in enumerate(relevance)]
    trials = [replace(one, id=f"{one.id}-{k}", test_case=one.id) for one in once for k in range(5)]
    few, many = run_funnel(ColumnsOfSamples(once)), run_funnel(ColumnsOfSamples(trials))
    for first, second in (
        (few.ceiling, many.ceiling),
        (few.reached[8], many.reached[8]),
        *((few.measures[name], many.measures[name]) for name in few.measures),
    ):
        assert (second.value, second.low, second.high) == pytest.approx((first.value, first.low, first.high))
    assert (few.ceiling.n, many.ceiling.n) == (5, 25)
