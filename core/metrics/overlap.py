"""Token overlap and length: the trivial baselines that every other metric is compared with."""

from __future__ import annotations

import math
from collections import Counter

from hcat.core.metrics.declaration import Explanation, Outcome, metric, scored, unscored
from hcat.core.metrics.reference import harmonic_mean
from hcat.core.metrics.sample_view import SampleView
from hcat.core.text import tokens
from hcat.core.types import JsonValue

FAMILY = "baseline"
REFERENCE_NEEDS = ("answer", "reference")
SOURCE = "multiset overlap of normalised tokens, after SQuAD (Rajpurkar et al. 2016)"
SHARE = (0.0, 1.0)


@metric(
    title="Token precision",
    family=FAMILY,
    needs=REFERENCE_NEEDS,
    range=SHARE,
    models=(),
    source=f"{SOURCE}: overlap / answer tokens",
    description="Share of the answer's tokens that are found in the reference.",
    formula=r"\frac{|A \cap R|}{|A|}, \quad A, R = \text{multisets of tokens of answer and reference}",
)
def token_precision(sample: SampleView) -> Outcome:
    answer, reference = _answer(sample), _reference(sample)
    if not answer:
        return unscored("no words in the answer")
    return scored(_overlap(answer, reference) / answer.total(), lambda: _explain(answer, reference))


@metric(
    title="Token recall",
    family=FAMILY,
    needs=REFERENCE_NEEDS,
    range=SHARE,
    models=(),
    source=f"{SOURCE}: overlap / reference tokens",
    description="Share of the reference's tokens that are found in the answer.",
    formula=r"\frac{|A \cap R|}{|R|}, \quad A, R = \text{multisets of tokens of answer and reference}",
)
def token_recall(sample: SampleView) -> Outcome:
    answer, reference = _answer(sample), _reference(sample)
    if not reference:
        return unscored("no words in the reference")
    return scored(_overlap(answer, reference) / reference.total(), lambda: _explain(answer, reference))


@metric(
    title="Token F1",
    family=FAMILY,
    needs=REFERENCE_NEEDS,
    range=SHARE,
    models=(),
    source=f"{SOURCE}: harmonic mean of precision and recall",
    description="Harmonic mean of token precision and token recall.",
    formula=r"\frac{2 \, |A \cap R|}{|A| + |R|}, \quad A, R = \text{multisets of tokens of answer and reference}",
)
def token_f1(sample: SampleView) -> Outcome:
    answer, reference = _answer(sample), _reference(sample)
    if not answer:
        return unscored("no words in the answer")
    if not reference:
        return unscored("no words in the reference")
    overlap = _overlap(answer, reference)
    value = harmonic_mean(overlap / answer.total(), overlap / reference.total())
    return scored(value, lambda: _explain(answer, reference))


@metric(
    title="Token groundedness",
    family=FAMILY,
    needs=("answer", "contexts"),
    range=SHARE,
    models=(),
    skip_refusals="whole",
    source="answer tokens that occur in the contexts / answer tokens, each occurrence counted",
    description="Share of the answer's tokens that are found anywhere in the contexts.",
    formula=(
        r"\frac{1}{|A|} \sum_{t \in A} \mathbf{1}[t \in \text{contexts}], \quad A = \text{multiset of tokens of "
        r"the answer}"
    ),
)
def token_groundedness(sample: SampleView) -> Outcome:
    answer = _answer(sample)
    if not answer:
        return unscored("no words in the answer")
    in_contexts = {token for passage in sample.sample.contexts for token in tokens(passage.text)}
    shared = sum(count for token, count in answer.items() if token in in_contexts)
    absent: list[JsonValue] = [token for token in answer if token not in in_contexts]
    return scored(shared / answer.total(), lambda: {"answer_tokens": answer.total(), "not_in_contexts": absent})


@metric(
    title="Answer length",
    family=FAMILY,
    needs=("answer",),
    range=(0.0, math.inf),
    direction="none",
    models=(),
    skip_refusals="never",
    source="number of tokens in the answer",
    description="Number of tokens in the answer.",
    formula=r"|A|, \quad A = \text{multiset of tokens of the answer}",
)
def answer_length(sample: SampleView) -> Outcome:
    answer = _answer(sample)
    return scored(answer.total(), lambda: {"tokens": answer.total()})


def _answer(sample: SampleView) -> Counter[str]:
    return Counter(tokens(sample.sample.answer or ""))


def _reference(sample: SampleView) -> Counter[str]:
    return Counter(tokens(sample.sample.reference or ""))


def _overlap(answer: Counter[str], reference: Counter[str]) -> int:
    return (answer & reference).total()


def _explain(answer: Counter[str], reference: Counter[str]) -> Explanation:
    shared: list[JsonValue] = [*sorted((answer & reference).elements())]
    missing: list[JsonValue] = [*sorted((reference - answer).elements())]
    return {
        "answer_tokens": answer.total(),
        "reference_tokens": reference.total(),
        "shared": shared,
        "only_in_reference": missing,
    }
