"""The registry: complete, consistent, and clear about what it does not know."""

from __future__ import annotations

import math
import re

import pytest

from hcat.core.errors import UnknownMetricError
from hcat.core.metrics.registry import METRICS, choose, find_metric, metrics, select
from hcat.core.metrics.sample_view import PARTS, TRUTH
from hcat.core.models.model_set import ModelSet
from hcat.core.types import Passage, Sample

PROMISED = [
    "context_relevancy",
    "context_relevancy_min",
    "context_relevancy_weighted",
    "groundedness",
    "groundedness_min",
    "groundedness_nli",
    "groundedness_nli_min",
    "groundedness_nli_share",
    "faithfulness",
    "context_recall",
    "context_precision",
    "answer_correctness",
    "claim_recall",
    "completeness",
    "completeness_weighted",
    "completeness_transport",
    "completeness_independent_coupling",
    "answer_relevancy",
    "answer_relevancy_min",
    "answer_recall",
    "answer_precision",
    "answer_f1",
    "token_precision",
    "token_recall",
    "token_f1",
    "token_groundedness",
    "answer_length",
    "factual_numbers",
    "factual_numbers_reference",
    "factual_numbers_recall",
    "refusal",
    *("pii_leak", "verbatim_share", "toxicity", "unprofessional", "sentiment"),
    *("precision@100", "recall@100", "f1@100", "rr"),
    *(f"{name}@{k}" for name in ("precision", "recall", "f1", "map", "ndcg") for k in (8, 16)),
]


def test_the_promised_names_are_there_and_unique() -> None:
    names = [metric.name for metric in METRICS]
    assert set(PROMISED) <= set(names)
    assert len(set(names)) == len(names)
    assert metrics() == METRICS


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_each_declaration_is_complete(metric) -> None:  # type: ignore[no-untyped-def]
    assert re.fullmatch(r"[a-z0-9_@]+", metric.name)
    assert metric.title
    assert metric.source
    assert metric.needs
    assert set(metric.needs) <= {*PARTS, TRUTH, "context_ids", "relevant_ids", "candidates"}
    assert metric.description.endswith(".")
    assert metric.description.count(". ") == 0  # one sentence
    assert -math.inf < metric.range[0] < metric.range[1]
    assert metric.direction in ("higher", "lower", "none")
    assert find_metric(metric.name) is metric


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownMetricError, match=r"No metric 'groundednes'\. Did you mean groundedness\?.*answer_f1"):
        find_metric("groundednes")


def test_a_selection_keeps_its_order_and_drops_repeats() -> None:
    chosen = [metric.name for metric in select("answer_f1, groundedness,answer_f1")]
    assert chosen == ["answer_f1", "groundedness"]
    assert [metric.name for metric in select(["groundedness"])] == ["groundedness"]
    assert select("all") == tuple(metric for metric in METRICS if not metric.on_request)


@pytest.mark.parametrize("names", ["", ",", []])
def test_an_empty_selection_is_refused(names: str | list[str]) -> None:
    with pytest.raises(UnknownMetricError, match="at least one"):
        select(names)


def _without(*filled: str) -> dict[str, str]:
    """Why each role but these is not filled."""
    return {role: why for role, why in ModelSet(()).unfilled.items() if role not in filled}


def test_all_takes_what_some_sample_and_the_models_allow_and_says_why_not_the_rest() -> None:
    bare = [Sample("a", "q", "answer"), Sample("b", "q", None, (Passage("p", "context"),))]
    choice = choose("all", bare, unfilled=_without("encoder", "entailment", "verifier"))
    assert {metric.name for metric in choice.metrics} == {
        "answer_relevancy",
        "answer_relevancy_min",
        "answer_relevancy_weighted",
        "answer_length",
        "context_relevancy",
        "context_relevancy_min",
        "context_relevancy_weighted",
        "refusal",
        "refusal_correct",
    }
    assert {metric.name for metric in choice.metrics} | set(choice.left_out) == {metric.name for metric in METRICS}
    assert choice.left_out["answer_f1"] == "no sample has a reference"
    assert choice.left_out["groundedness"] == "no sample has an answer with contexts"  # but never on one sample
    assert choice.left_out["context_recall"] == "no sample has a reference"
    assert choice.left_out["rr"] == "no sample has relevant ids"


def test_all_leaves_out_what_no_model_computes() -> None:
    sample = Sample("a", "q", "answer", (Passage("p", "context"),), "reference")
    left_out = choose("all", [sample], unfilled=_without("encoder")).left_out
    assert left_out["groundedness_nli"] == "no entailment model"
    assert left_out["faithfulness"] == "neither an entailment nor a language model"


def test_what_is_named_is_never_left_out() -> None:
    choice = choose("rr,faithfulness", [], unfilled=_without())
    assert [metric.name for metric in choice.metrics] == ["rr", "faithfulness"]
    assert choice.left_out == {}
    assert "rr" not in choose("all, rr", [], unfilled=_without()).left_out
    with pytest.raises(UnknownMetricError):
        choose("all,nonsense", [], unfilled=_without())


def test_each_role_is_known_and_says_what_is_missing() -> None:
    assert {role for metric in METRICS for role in metric.models} <= set(_without())
