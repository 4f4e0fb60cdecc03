"""Similarity metrics on hand-made vectors, their unscored cases and their explanations."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hcat.core.metrics.reference import harmonic_mean
from hcat.core.metrics.registry import METRICS, find_metric
from hcat.core.metrics.sample_view import PartEmbeddings, SampleView
from hcat.core.metrics.transport import wasserstein
from hcat.core.models.encoder.encoder import unit_rows
from hcat.core.text import PlacedSentence, Sentence
from hcat.core.types import Passage, Sample

# Unit vectors at these angles (degrees) in the plane: the cosine of two is that of the angle between them.
QUERY, CONTEXTS, ANSWER, REFERENCE = (0, 90), (0, 60, 180), (30, 60), (60, 120, 180)


def _encoded(query=QUERY, contexts=CONTEXTS, answer=ANSWER, reference=REFERENCE) -> SampleView:  # type: ignore[no-untyped-def]
    angles = {"query": query, "contexts": contexts, "answer": answer, "reference": reference}
    parts, rows = {}, {}
    for part, degrees in angles.items():
        sentences = [Sentence(f"word{'s' * i}", 10 * i, 10 * i + 4 + i) for i in range(len(degrees))]
        passage = "p" if part == "contexts" else None
        parts[part] = tuple(PlacedSentence(sentence, passage) for sentence in sentences)
        rows[part] = np.array([[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in degrees])
    sample = Sample("s", "query", "answer", (Passage("p", "context"),), "reference")
    return SampleView(sample, parts).with_results(PartEmbeddings(rows))


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # query 0° → context 0°; query 90° → context 60°
        ("context_relevancy", (1 + _cos(30)) / 2),
        ("context_relevancy_min", _cos(30)),
        ("context_relevancy_weighted", (1 + _cos(30)) / 2),  # one token each
        # answer 30° → contexts 0° or 60°; answer 60° → context 60°
        ("groundedness", (_cos(30) + 1) / 2),
        ("groundedness_min", _cos(30)),
        # contexts 0° → answer 30°; 60° → 60°; 180° → 60°
        ("completeness", (_cos(30) + 1 + _cos(120)) / 3),
        # relevancy to the query: 1, cos 30°, 0 (of cos 180° and cos 90°)
        ("completeness_weighted", (_cos(30) + _cos(30) * 1) / (1 + _cos(30))),
        ("completeness_independent_coupling", (2 * _cos(30) + _cos(60) + 1 + _cos(150) + _cos(120)) / 6),
        # answer 30° → query 0°; answer 60° → query 90°
        ("answer_relevancy", _cos(30)),
        ("answer_relevancy_min", _cos(30)),
        ("answer_relevancy_weighted", _cos(30)),  # one token each
        # reference 60° → answer 60°; 120° → 60°; 180° → 60°
        ("answer_recall", (1 + _cos(60) + _cos(120)) / 3),
        # answer 30° → reference 60°; answer 60° → reference 60°
        ("answer_precision", (_cos(30) + 1) / 2),
    ],
)
def test_known_values(name: str, expected: float) -> None:
    assert find_metric(name)(_encoded()).score.value == pytest.approx(expected, abs=1e-12)


def test_f1_is_the_harmonic_mean() -> None:
    recall, precision = 1 / 3, (_cos(30) + 1) / 2
    expected = 2 * recall * precision / (recall + precision)
    assert find_metric("answer_f1")(_encoded()).score.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("precision", "recall"), [(-0.2, -0.3), (0.0, 0.9), (0.9, -0.1), (0.0, 0.0)])
def test_f1_is_0_unless_both_are_positive(precision: float, recall: float) -> None:
    assert harmonic_mean(precision, recall) == 0.0


def test_longer_query_sentences_weigh_more() -> None:
    encoded = _encoded()
    words = (Sentence("one two three", 0, 13), Sentence("four", 14, 18))
    parts = {**encoded.parts, "query": tuple(PlacedSentence(sentence) for sentence in words)}
    value = find_metric("context_relevancy_weighted")(SampleView(encoded.sample, parts, encoded.results)).score.value
    assert value == pytest.approx(0.75 * 1 + 0.25 * _cos(30), abs=1e-12)  # 3 and 1 of 4 tokens


def _with_metadata(encoded: SampleView, **metadata: object) -> SampleView:
    return replace(encoded, sample=replace(encoded.sample, metadata=metadata))


@pytest.mark.parametrize("weights", [[3, 1], [0.75, 0.25], "[3, 1]"])
def test_stated_weights_of_query_sentences(weights: object) -> None:
    outcome = find_metric("context_relevancy_weighted")(_with_metadata(_encoded(), query_weights=weights))
    assert outcome.score.value == pytest.approx(0.75 * 1 + 0.25 * _cos(30), abs=1e-12)
    assert outcome.explain()["weights"] == "stated in the run file"


def test_stated_weights_of_answer_sentences() -> None:
    metric = find_metric("answer_relevancy_weighted")
    view = _encoded(query=(0,), answer=(0, 60))
    outcome = metric(_with_metadata(view, answer_weights=[3, 1]))
    assert outcome.score.value == pytest.approx(0.75 * 1 + 0.25 * _cos(60), abs=1e-12)
    assert outcome.explain()["weights"] == "stated in the run file"
    wrong = metric(_with_metadata(view, answer_weights=[1, 2, 3]))
    assert wrong.score.reason == "answer_weights has 3 weights; sentences of the answer: 2"


def test_stated_weights_of_contexts_go_to_each_of_their_sentences() -> None:
    encoded = _encoded()
    contexts = tuple(
        PlacedSentence(placed.sentence, passage, rank)
        for placed, passage, rank in zip(encoded.parts["contexts"], "ppq", (0, 0, 1), strict=True)
    )
    sample = replace(encoded.sample, contexts=(Passage("p", "two sentences"), Passage("q", "one")))
    view = replace(encoded, sample=sample, parts={**encoded.parts, "contexts": contexts})
    outcome = find_metric("completeness_weighted")(_with_metadata(view, context_weights=[1, 4]))
    assert outcome.score.value == pytest.approx((_cos(30) + 1 + 4 * _cos(120)) / 6, abs=1e-12)


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ([1, 2, 3], "query_weights has 3 weights; sentences of the query: 2"),
        ([0, 0], "query_weights are all 0"),
        ([1, -1], "query_weights has a weight below 0, or one that is no finite number"),
        ([1, float("inf")], "query_weights has a weight below 0, or one that is no finite number"),
        ([1, True], "query_weights is not a list of numbers"),
        ("heavy", "query_weights is not a list of numbers"),
        ({"first": 1}, "query_weights is not a list of numbers"),
    ],
)
def test_weights_that_do_not_fit_leave_the_sample_unscored(weights: object, reason: str) -> None:
    outcome = find_metric("context_relevancy_weighted")(_with_metadata(_encoded(), query_weights=weights))
    assert outcome.score.reason == reason


@pytest.mark.parametrize("absent", [None, ""])
def test_a_sample_without_stated_weights_is_weighted_by_length(absent: object) -> None:
    outcome = find_metric("context_relevancy_weighted")(_with_metadata(_encoded(), query_weights=absent))
    assert outcome.score.value == pytest.approx((1 + _cos(30)) / 2, abs=1e-12)
    assert outcome.explain()["weights"] == "length in tokens"


def test_transport_by_hand() -> None:
    # contexts 0°, 90° onto answers 0°, 90°: nothing moves. Onto 90°, 90°: half the mass moves at distance 1.
    transport = find_metric("completeness_transport")
    assert transport(_encoded(contexts=(0, 90), answer=(90, 0))).score.value == pytest.approx(1.0, abs=1e-12)
    assert transport(_encoded(contexts=(0, 90), answer=(90, 90))).score.value == pytest.approx(0.5, abs=1e-12)
    assert transport(_encoded(contexts=(0,), answer=(180,))).score.value == pytest.approx(-1.0, abs=1e-12)


def test_euclidean_transport_by_hand() -> None:
    # Half the mass moves by 90°, at distance √2 instead of 1.
    transport = find_metric("completeness_transport_euclidean")
    assert transport(_encoded(contexts=(0, 90), answer=(90, 0))).score.value == pytest.approx(1.0, abs=1e-7)
    made = transport(_encoded(contexts=(0, 90), answer=(90, 90))).score.value
    assert made == pytest.approx(1 - math.sqrt(2) / 2, abs=1e-7)


def test_the_plan_is_a_coupling_and_its_moves_add_up_to_the_cost() -> None:
    plan = wasserstein(np.random.default_rng(0).uniform(0, 2, size=(5, 3)))
    np.testing.assert_allclose(plan.plan.sum(axis=1), 1 / 5, atol=1e-12)
    np.testing.assert_allclose(plan.plan.sum(axis=0), 1 / 3, atol=1e-12)
    assert sum(move.mass * move.distance for move in plan.moves) == pytest.approx(plan.cost, abs=1e-12)
    assert all(move.mass > 0 for move in plan.moves)


angles = st.lists(st.integers(0, 359), min_size=1, max_size=6).map(tuple)


@given(angles, angles, angles, angles)
@example((88,), (8, 44, 164), (8, 44, 164), (0,))  # a weighted mean of ones that rounds to more than 1
@settings(deadline=None)
def test_scores_lie_in_their_range_and_in_their_order(query, contexts, answer, reference) -> None:  # type: ignore[no-untyped-def]
    encoded = _encoded(query, contexts, answer, reference)
    values = {}
    for metric in METRICS:
        score = metric(encoded).score
        if score.value is not None:
            low, high = metric.range
            assert low <= score.value <= high
            values[metric.name] = score.value
    rounding = 1e-12
    assert values["completeness_independent_coupling"] <= values["completeness_transport"] + rounding
    assert values["completeness_transport"] <= values["completeness"] + rounding  # a coupling can't beat the best match
    assert values["groundedness_min"] <= values["groundedness"] + rounding
    assert values["context_relevancy_min"] <= values["context_relevancy"] + rounding
    assert values["answer_relevancy_min"] <= values["answer_relevancy"] + rounding


def test_contexts_unrelated_to_the_query_leave_weighted_completeness_unscored() -> None:
    outcome = find_metric("completeness_weighted")(_encoded(query=(0,), contexts=(180, 170)))
    assert outcome.score.reason == "no context sentence relates to the query"
    assert outcome.explain() == {"unscored": "no context sentence relates to the query"}


@pytest.mark.parametrize("part", ["query", "contexts", "answer", "reference"])
def test_a_blank_part_leaves_what_needs_it_unscored(part: str) -> None:
    encoded = _encoded(**{part: ()})
    for metric in METRICS:
        assert (metric(encoded).score.reason == f"empty {part}") == (part in metric.needs)


def test_an_absent_part_leaves_what_needs_it_unscored() -> None:
    bare = SampleView(Sample("s", "query", None), dict.fromkeys(("query", "contexts", "answer", "reference"), ()))
    assert find_metric("groundedness")(bare).score.reason == "no answer"
    assert find_metric("context_relevancy")(bare).score.reason == "empty query"
    assert find_metric("completeness")(_without_contexts()).score.reason == "no contexts"
    assert find_metric("answer_recall")(_without_contexts()).score.reason == "no reference"


def _without_contexts() -> SampleView:
    encoded = _encoded(contexts=(), reference=())
    return SampleView(Sample("s", "query", "answer"), encoded.parts, encoded.results)


def test_an_explanation_names_best_matches_the_weakest_sentence_and_those_below_the_threshold() -> None:
    explanation = find_metric("groundedness")(_encoded(contexts=(0, 60), answer=(0, 150))).explain()
    assert (explanation["weakest"], explanation["flagged"]) == (1, [1])
    first = explanation["sentences"][0]
    assert (first["text"], first["start"], first["end"], first["score"]) == ("word", 0, 4, 1.0)
    assert first["match"] == {"passage": "p", "text": "word", "start": 0, "end": 4}


def test_the_transport_explanation_holds_the_plan() -> None:
    explanation = find_metric("completeness_transport")(_encoded(contexts=(0, 90), answer=(90, 0))).explain()
    assert [(move["context"], move["answer"], move["mass"]) for move in explanation["plan"]] == [
        (0, 1, 0.5),
        (1, 0, 0.5),
    ]
    assert len(explanation["contexts"]) == len(explanation["answer"]) == 2


def test_every_explanation_is_json() -> None:
    for metric in METRICS:
        assert isinstance(json.loads(json.dumps(metric(_encoded()).explain(), allow_nan=False)), dict)


def test_a_sentence_is_as_similar_to_itself_as_can_be() -> None:
    rows = np.random.default_rng(0).normal(size=(20, 384)).astype(np.float32)
    unit = unit_rows(list(rows))
    np.testing.assert_allclose((unit * unit).sum(axis=1), 1.0, atol=1e-14)
