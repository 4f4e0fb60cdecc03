"""Claim metrics: the LEGAL source's worked examples, by the packaged model where it decides right, and by given
verdicts where it does not; and what is never counted as supported."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.claims.claim import Check, Claim
from hcat.core.claims.verdict import ClaimVerdicts, Verdict
from hcat.core.metrics.claims import (
    ANSWER_IN_CONTEXTS,
    ANSWER_IN_REFERENCE,
    DECLINES,
    REFERENCE_IN_ANSWER,
    REFERENCE_IN_CONTEXTS,
    precisions_at,
)
from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.nli.loading import load_entailment
from hcat.core.scoring.evaluate import explain_sample, score_samples
from hcat.core.text import sentences
from hcat.core.types import JsonValue, Passage, Sample
from tests.core.scoring.model_sets import model_set

FACTS = Sample("s", "q", "One. Two.", (Passage("p", "One."), Passage("p", "Two."), Passage("r", "Six.")), "One. Two.")


def verified(sample: Sample, given: Mapping[Check, Sequence[bool | None]]) -> SampleView:
    """The sample with these verdicts on claims named after their place."""
    parts = {part: placed_sentences(sample, part, sentences) for part in PARTS}
    verdicts = {
        check: tuple(
            Verdict(Claim(f"{check.part} {n}"), one, reason=None if one is not None else "no answer")
            for n, one in enumerate(some)
        )
        for check, some in given.items()
    }
    return SampleView(sample, parts).with_results(ClaimVerdicts(verdicts))


def contexts(*relevant: Sequence[bool | None]) -> dict[Check, Sequence[bool | None]]:
    return {Check("reference", "contexts", passage=rank): some for rank, some in enumerate(relevant)}


def by_the_packaged_model(sample: Sample, metric: str) -> tuple[float | None, dict[str, JsonValue]]:
    models = model_set(load_encoder(), load_entailment())
    table = score_samples([sample], metrics=metric, models=models)
    explanation = explain_sample(sample, metrics=metric, models=models)[metric]
    assert isinstance(explanation, dict)
    return table.score(sample.id, metric).value, explanation


# --- the source's examples -------------------------------------------------------------------------------------------


def test_faithfulness_of_four_supported_claims_is_four_of_four() -> None:
    outcome = find_metric("faithfulness")(verified(FACTS, {ANSWER_IN_CONTEXTS: [True] * 4}))
    assert outcome.score.value == 4 / 4


LANDLORDS = Sample(
    "landlords",
    "What are the legal obligations of landlords in Scotland under the Housing (Scotland) Act 2006?",
    "Under the Housing (Scotland) Act 2006, landlords must make sure their properties meet the repairing standard. "
    "This includes ensuring the structure is wind and watertight, and that essential installations like water and "
    "heating are functional. The act also mandates smoke detectors and carbon monoxide alarms.",
    (
        Passage(
            "act",
            "Landlords are required to ensure that properties meet the repairing standard. This includes ensuring the "
            "structure is wind and watertight, installations are in proper working order, and the property has "
            "adequate smoke detectors and carbon monoxide alarms.",
        ),
    ),
)
MATERNITY = Sample(
    "maternity",
    "What is the statutory maternity leave entitlement in the UK?",
    None,
    (
        Passage(
            "1",
            "Statutory maternity leave in the UK is available for up to 26 weeks, and it can be extended under certain "
            "conditions.",
        ),
        Passage(
            "2",
            "Employees are entitled to 52 weeks of maternity leave, with the first 26 weeks being ordinary maternity "
            "leave and the remaining 26 weeks being additional maternity leave.",
        ),
        Passage(
            "3",
            "Statutory maternity pay is provided for up to 39 weeks, but only 90% of average weekly earnings are paid "
            "for the first six weeks.",
        ),
    ),
    "In the UK, statutory maternity leave is 52 weeks, which consists of 26 weeks of ordinary maternity leave and 26 "
    "weeks of additional maternity leave.",
)


def test_the_landlords_answer_makes_the_sources_four_claims_without_the_querys_scope() -> None:
    _, explanation = by_the_packaged_model(LANDLORDS, "faithfulness")
    rows: Any = explanation["claims"]
    assert [row["text"].split()[-1] for row in rows] == ["standard.", "watertight", "functional.", "alarms."]
    assert rows[0]["hypothesis"]["text"] == ("landlords must make sure their properties meet the repairing standard.")
    assert rows[0]["supported"]


def test_faithfulness_of_the_landlords_example_by_the_packaged_model() -> None:
    assert by_the_packaged_model(LANDLORDS, "faithfulness")[0] == 4 / 4


def test_context_precision_of_the_maternity_leave_example_by_the_packaged_model() -> None:
    # (0, 1, 0): (0 · 0/1 + 1 · 1/2 + 0 · 1/3) / 1
    assert by_the_packaged_model(MATERNITY, "context_precision")[0] == 0.5


def test_each_context_of_the_maternity_leave_example_is_asked_for_the_facts_of_the_reference() -> None:
    _, explanation = by_the_packaged_model(MATERNITY, "context_precision")
    contexts: Any = explanation["contexts"]
    first, _, third = (row["claims"][0] for row in contexts)
    assert len(first["facts"]) == len(third["facts"]) == 3
    assert not contexts[0]["relevant"]
    assert not contexts[2]["relevant"]


def test_a_partly_supported_claim_counts_as_not_supported_and_is_told_apart() -> None:
    whole = Verdict(Claim("Both."), False, facts=(Verdict(Claim("One."), True), Verdict(Claim("Two."), False)))
    sample = verified(FACTS, {}).with_results(ClaimVerdicts({ANSWER_IN_CONTEXTS: (whole,)}))
    outcome = find_metric("faithfulness")(sample)
    explanation: Any = outcome.explain()
    assert (outcome.score.value, explanation["supported"], explanation["partly_supported"]) == (0.0, 0, 1)
    assert explanation["claims"][0]["verdict"] == "partly supported"
    assert [fact["verdict"] for fact in explanation["claims"][0]["facts"]] == ["supported", "not supported"]


def test_context_recall_of_the_data_protection_example_is_three_of_three() -> None:
    chunks = (
        "Personal data can only be processed if necessary for the public interest.",
        "The Data Protection Act 2018 states that personal data can be processed with the data subject's consent.",
        "Processing is necessary for the performance of a contract or for compliance with legal obligations.",
    )
    reference = (
        "Personal data can be processed with the data subject's consent. Processing is necessary for the performance "
        "of a contract. Processing is necessary for compliance with a legal obligation."
    )
    passages = tuple(Passage(f"chunk {n}", text) for n, text in enumerate(chunks, start=1))
    value, explanation = by_the_packaged_model(Sample("s", "q", None, passages, reference), "context_recall")
    assert value == 3 / 3
    assert explanation["supported"] == 3
    assert [claim["match"]["passage"] for claim in explanation["claims"]] == ["chunk 2", "chunk 3", "chunk 3"]  # type: ignore[index, call-overload, union-attr]


def test_context_precision_of_the_maternity_leave_example_is_a_half() -> None:
    # Given verdicts; by the packaged model above.
    # (0, 1, 0): (0 · 0/1 + 1 · 1/2 + 0 · 1/3) / 1; the first context supports a part only, which counts as 0
    outcome = find_metric("context_precision")(verified(FACTS, contexts([True, False], [True, True], [False, False])))
    assert outcome.score.value == 0.5
    explanation = outcome.explain()
    assert [one["relevant"] for one in explanation["contexts"]] == [False, True, False]  # type: ignore[index, call-overload, union-attr]
    assert [one["supported"] for one in explanation["contexts"]] == [1, 2, 0]  # type: ignore[index, call-overload, union-attr]
    assert explanation["relevant"] == 1


def test_answer_correctness_of_the_einstein_example_is_four_sevenths() -> None:
    answer = "\n".join(
        [
            "1. Einstein was born in 1879.",
            "2. Einstein was born in Spain.",
            "3. Einstein developed the theory of relativity.",
            "4. Einstein won the Nobel Prize in Physics in 1921.",
        ]
    )
    reference = "\n".join(
        [
            "1. Einstein was born in 1879.",
            "2. Einstein was born in Germany.",
            "3. Einstein developed the theory of relativity.",
        ]
    )
    value, explanation = by_the_packaged_model(Sample("s", "q", answer, (), reference), "answer_correctness")
    assert value == pytest.approx(4 / 7, abs=1e-15)  # 2 / (2 + (2 + 1) / 2)
    assert explanation["TP"] == ["Einstein was born in 1879.", "Einstein developed the theory of relativity."]
    assert explanation["FP"] == [
        "Einstein was born in Spain.",
        "Einstein won the Nobel Prize in Physics in 1921.",
    ]
    assert explanation["FN"] == ["Einstein was born in Germany."]


def test_the_json_of_the_marriage_age_example() -> None:
    wrong, right = (f"The legal age for marriage in England is {age} years old" for age in (16, 18))
    value, explanation = by_the_packaged_model(Sample("s", "q", wrong, (), right), "answer_correctness")
    assert value == 0
    assert {key: explanation[key] for key in ("TP", "FP", "FN")} == {"TP": [], "FP": [wrong], "FN": [right]}
    assert [explanation[key] for key in ("num_tp", "num_fp", "num_fn")] == [0, 1, 1]


# --- what counts, and what does not ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "given"),
    [
        ("faithfulness", {ANSWER_IN_CONTEXTS: [True, None]}),
        ("context_recall", {REFERENCE_IN_CONTEXTS: [None, True]}),
        ("context_precision", contexts([True], [True], [None])),
        ("answer_correctness", {ANSWER_IN_REFERENCE: [True], REFERENCE_IN_ANSWER: [True, None]}),
    ],
)
def test_a_missing_verdict_is_unscored_and_never_supported(
    metric: str, given: Mapping[Check, Sequence[bool | None]]
) -> None:
    outcome = find_metric(metric)(verified(FACTS, given))
    assert outcome.score.value is None
    assert outcome.score.reason == "no verdict on a claim: no answer"
    assert outcome.explain()["unscored"] == outcome.score.reason


def test_claim_recall_is_the_captured_rate_of_the_einstein_example() -> None:
    reference = "Einstein was born in 1879. Einstein was born in Germany. Einstein developed the theory of relativity."
    answer = "Einstein was born in 1879. Einstein developed the theory of relativity."
    value, explanation = by_the_packaged_model(Sample("s", "q", answer, (), reference), "claim_recall")
    assert value == pytest.approx(2 / 3)
    assert [row["text"] for row in explanation["claims"] if not row["supported"]] == ["Einstein was born in Germany."]  # type: ignore[union-attr, index, call-overload]
    declined = Sample("s", "q", answer, (), "I cannot answer that.")
    assert by_the_packaged_model(declined, "claim_recall")[1]["unscored"] == "the reference declines to answer"


@pytest.mark.parametrize("metric", ["faithfulness", "context_recall", "context_precision", "answer_correctness"])
def test_without_a_judge_or_without_claims_there_is_no_score(metric: str) -> None:
    assert find_metric(metric)(verified(FACTS, {})).score.reason == "no model that verifies claims"
    sample = verified(FACTS, {})
    empty = verified(FACTS, dict.fromkeys(find_metric(metric).checks(sample), ()))
    assert find_metric(metric)(empty).score.reason in ("no claims in the answer", "no claims in the reference")


def test_verdicts_are_kept_in_the_explanation() -> None:
    explanation = find_metric("faithfulness")(verified(FACTS, {ANSWER_IN_CONTEXTS: [True, False]})).explain()
    assert [(one["text"], one["supported"]) for one in explanation["claims"]] == [
        ("answer 0", True),
        ("answer 1", False),
    ]  # type: ignore[index, call-overload, union-attr]
    assert explanation["flagged"] == [1]
    json.dumps(explanation, allow_nan=False)


def test_context_precision_takes_the_answer_where_there_is_no_reference() -> None:
    sample = Sample("s", "q", "One.", FACTS.contexts)
    given = {Check("answer", "contexts", passage=rank): [rank == 0] for rank in range(3)}
    outcome = find_metric("context_precision")(verified(sample, given))
    assert outcome.score.value == 1.0
    assert outcome.explain()["judged"] == "answer"


def test_no_relevant_context_gives_no_precision() -> None:
    assert find_metric("context_precision")(verified(FACTS, contexts([False], [False], [False]))).score.value == 0.0


def test_a_reference_that_declines_is_not_looked_for_in_contexts() -> None:
    sample = verified(Sample("s", "q", "It is 5.", FACTS.contexts, "The handbook does not say."), {})
    for name in ("context_recall", "context_precision"):
        assert find_metric(name).checks(sample) == ()
        assert find_metric(name)(sample).score.reason == DECLINES


def test_a_context_that_occurs_twice_is_judged_at_each_rank() -> None:
    sample = verified(FACTS, {})
    assert [check.passage for check in find_metric("context_precision").checks(sample)] == [0, 1, 2]
    assert [one.rank for one in sample.parts["contexts"]] == [0, 1, 2]


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_context_precision_is_average_precision_over_the_relevant(relevant: list[bool]) -> None:
    sample = Sample("s", "q", None, tuple(Passage(str(n), "Text.") for n in range(len(relevant))), "One.")
    value = find_metric("context_precision")(verified(sample, contexts(*[[one] for one in relevant]))).score.value
    hits = [rank for rank, one in enumerate(relevant, start=1) if one]
    # an independent way: the i-th relevant context at rank r adds i / r
    expected = sum(place / rank for place, rank in enumerate(hits, start=1)) / len(hits) if hits else 0.0
    assert value == pytest.approx(expected, abs=1e-12)
    assert precisions_at(relevant)[-1] == sum(relevant) / len(relevant)
    earlier = find_metric("context_precision")(
        verified(sample, contexts(*[[x] for x in sorted(relevant, reverse=True)]))
    )
    assert earlier.score.value is not None and value is not None
    assert earlier.score.value >= value - 1e-12


@given(st.lists(st.booleans(), min_size=1, max_size=6), st.lists(st.booleans(), min_size=1, max_size=6))
def test_answer_correctness_lies_between_0_and_1_and_is_1_without_errors(
    stated: list[bool], expected: list[bool]
) -> None:
    given = {ANSWER_IN_REFERENCE: stated, REFERENCE_IN_ANSWER: expected}
    value = find_metric("answer_correctness")(verified(FACTS, given)).score.value
    assert value is not None
    assert 0 <= value <= 1
    assert (value == 1) == (all(stated) and all(expected))
    assert (value == 0) == (not any(stated))
