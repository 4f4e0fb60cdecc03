"""Retrieval metrics: the source's examples, and what is unscored."""

from __future__ import annotations

import json
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.metrics.facts import MetricFacts, registered_facts
from hcat.core.metrics.registry import METRICS, choose, find_metric, known_metric, select
from hcat.core.metrics.sample_view import SampleView
from hcat.core.models.model_set import ModelSet
from hcat.core.types import Passage, Sample

FAMILY = [metric for metric in METRICS if metric.family == "retrieval"]


def _sample(retrieved: list[str], relevant: dict[str, int], candidates: list[str] | None = None) -> SampleView:
    contexts = tuple(Passage(name, "") for name in retrieved)
    metadata = {} if candidates is None else {"candidates": [*candidates]}
    sample = Sample("s", "query", None, contexts, relevant_ids=relevant, metadata=metadata)
    return SampleView(sample, dict.fromkeys(("query", "contexts", "answer", "reference"), ()))


def _value(name: str, sample: SampleView) -> float | None:
    return find_metric(name)(sample).score.value


def test_the_sources_first_stage() -> None:
    # FUNNEL 1.2: 7 of 8 golden chunks among 100. P = 7/100, R = 7/8, F1 = 2 · 0.07 · 0.875 / 0.945 = 0.1296
    golden = [f"chunk_{n}" for n in (5, 12, 23, 42, 55, 67, 89, 99)]
    candidates = golden[:7] + [f"irrelevant_chunk_{n}" for n in range(93)]
    sample = _sample(candidates[:8], dict.fromkeys(golden, 1), candidates)
    assert _value("precision@100", sample) == pytest.approx(0.07, abs=1e-12)
    assert _value("recall@100", sample) == 0.875
    assert round(_value("f1@100", sample) or 0, 4) == 0.1296


def test_the_sources_second_stage() -> None:
    # FUNNEL 1.3: 42 (grade 2), 5, 89, 12 at ranks 1 to 4, 55 and 23 at 6 and 7, 67 at 9; 99 (grade 2) was never found.
    grades = {f"chunk_{n}": 2 if n in (42, 99) else 1 for n in (5, 12, 23, 42, 55, 67, 89, 99)}
    ranked = [f"chunk_{n}" for n in (42, 5, 89, 12, "irrelevant_1", 55, 23, "irrelevant_2", 67)]
    sample = _sample(ranked, grades)
    assert [_value(f"{name}@8", sample) for name in ("precision", "recall", "f1")] == [6 / 8, 6 / 8, 6 / 8]
    assert _value("map@8", sample) == pytest.approx((1 + 1 + 1 + 1 + 5 / 6 + 6 / 7) / 8, abs=1e-12)
    gain = 2 + 1 / log2(3) + 1 / log2(4) + 1 / log2(5) + 1 / log2(7) + 1 / log2(8)
    ideal = 2 + 2 / log2(3) + sum(1 / log2(rank + 1) for rank in range(3, 9))
    assert _value("ndcg@8", sample) == pytest.approx(gain / ideal, abs=1e-12)
    assert _value("rr", sample) == 1.0
    assert find_metric("map@8")(sample).explain()["lost_at_stage_1"] == ["chunk_99"]


def test_any_cutoff_may_be_named() -> None:
    grades = {"a": 2, "b": 1, "c": 1}
    sample = _sample(["x", "a", "b", "y", "c"], grades, ["c", *(f"y{n}" for n in range(150)), "a"])
    assert [_value(f"{name}@3", sample) for name in ("precision", "recall")] == pytest.approx([2 / 3, 2 / 3])
    assert _value("map@3", sample) == pytest.approx((1 / 2 + 2 / 3) / 3)
    assert _value("ndcg@3", sample) == pytest.approx((2 / log2(3) + 1 / 2) / (2 + 1 / log2(3) + 1 / 2))
    assert [_value(f"recall@{k}", sample) for k in (1, 5, 99)] == [0.0, 1.0, 1.0]
    # from 100 on, of the candidates
    assert [_value(f"recall@{k}", sample) for k in (100, 151, 152)] == pytest.approx([1 / 3, 1 / 3, 2 / 3])
    assert find_metric("map@200").unscored_reason(_sample(["a"], {"a": 1})) == "no candidates"
    assert find_metric("recall@8") is next(metric for metric in METRICS if metric.name == "recall@8")
    assert [known_metric(name) for name in ("recall@0", "recall@08", "rr@5", "recall@", "refusal@3")] == [None] * 5
    assert registered_facts("ndcg@5") == MetricFacts(
        "ndcg@5", "nDCG@5", "higher", (0.0, 1.0), find_metric("ndcg@5").source,
        find_metric("ndcg@5").description, "retrieval", judges_answers=False, judged=False,
    )  # fmt: skip
    assert "ndcg@5" in [metric.name for metric in select("ndcg@5,all")]


def test_few_contexts_leave_the_rest_of_k_empty() -> None:
    sample = _sample(["x", "a"], {"a": 1})
    assert (_value("precision@8", sample), _value("precision@16", sample)) == (1 / 8, 1 / 16)
    assert (_value("recall@8", sample), _value("rr", sample)) == (1.0, 1 / 2)


def test_nothing_found_is_0_and_not_unscored() -> None:
    sample = _sample(["x"], {"a": 1}, ["x"])
    assert [_value(metric.name, sample) for metric in FAMILY] == [0.0] * len(FAMILY)


def test_without_candidates_nothing_is_known_of_the_first_stage() -> None:
    sample = _sample(["a"], {"a": 1})
    of_stage_1 = [metric for metric in FAMILY if metric.name.endswith("@100")]
    assert {metric(sample).score.reason for metric in of_stage_1} == {"no candidates"}
    assert _value("recall@8", sample) == 1.0
    assert find_metric("rr")(sample).explain()["ceiling"] is None


def test_pieces_of_one_passage_count_once_at_the_best_rank() -> None:
    # distinct ranking: x, a, b
    sample = _sample(["x", "a", "a", "x", "b"], {"a": 1, "b": 1})
    assert _value("precision@8", sample) == 2 / 8
    assert _value("map@8", sample) == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-12)
    assert find_metric("rr")(sample).explain()["pieces_merged"] == 2


def test_candidates_are_the_first_stage_and_set_the_ceiling() -> None:
    sample = _sample(["a", "x"], dict.fromkeys("abcd", 1), ["x", "b", "a", "c"])
    assert _value("recall@100", sample) == 3 / 4
    assert _value("recall@8", sample) == 1 / 4
    explanation = find_metric("recall@8")(sample).explain()
    assert (explanation["ceiling"], explanation["lost_at_stage_1"]) == (0.75, ["d"])
    assert explanation["lost_at_stage_2"] == ["b", "c"]
    assert explanation["relevant"][0] == {"id": "a", "grade": 1, "rank_1": 3, "rank_2": 1}  # type: ignore[index, call-overload]
    json.dumps(explanation, allow_nan=False)


@pytest.mark.parametrize("metric", FAMILY, ids=lambda metric: metric.name)
def test_unscored(metric) -> None:  # type: ignore[no-untyped-def]
    assert metric(_sample(["a"], {})).score.reason == "no relevant ids"
    assert metric(_sample(["a"], {"a": 0, "b": -1})).score.reason == "no relevant ids"
    assert metric(_sample([], {"a": 1})).score.reason == "no contexts"


def test_they_run_where_some_sample_has_relevant_ids() -> None:
    with_ids = Sample("a", "query", None, (Passage("p", ""),), relevant_ids={"p": 1}, metadata={"candidates": ["p"]})
    assert set(FAMILY) <= set(choose("all", [with_ids], unfilled=ModelSet(()).unfilled).metrics)
    without = Sample("a", "query", "answer", (Passage("p", "text"),), relevant_ids={"p": 0})
    assert not set(FAMILY) & set(choose("all", [without], unfilled=ModelSet(()).unfilled).metrics)


names = st.sampled_from("abcdefghij")


@given(st.lists(names, max_size=20), st.dictionaries(names, st.integers(-1, 3), max_size=10))
def test_all_lie_between_0_and_1_and_a_better_ranking_is_no_worse(retrieved: list[str], grades: dict[str, int]) -> None:
    for metric in FAMILY:
        value = metric(_sample(retrieved, grades)).score.value
        best = metric(_sample(sorted(retrieved, key=lambda name: -grades.get(name, 0)), grades)).score.value
        assert value is None or (best is not None and 0 <= value <= best + 1e-12 <= 1 + 2e-12)
