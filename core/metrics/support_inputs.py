"""Indicators that contexts support an answer, for each sentence and over the answer: the inputs of the combination."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hcat.core.claims.verdict import Verdict
from hcat.core.metrics.numbers import DOUBTFUL, NOT_FOUND, number_verdicts
from hcat.core.metrics.sample_view import SampleView
from hcat.core.models.nli.features import FEATURES, lexical_features
from hcat.core.stopwords import STOP_WORDS
from hcat.core.text import Sentence, tokens

_NAME = re.compile(r"(?<![.!?])\s[\"'(]?([A-Z][^\W\d_]+)")
_NEGATED = tuple(FEATURES.index(name) for name in ("negated without the premise", "premise negated alone"))
_OPPOSITES = FEATURES.index("opposites")


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """The evidence for and against one sentence.

    σ(D) of its best premise, the share of its content words in the contexts, the counts of numbers and names that are
    not found there, and the negations and opposites in which it differs from that premise."""

    sentence: Sentence
    entailment: float
    words_found: float
    numbers_missing: int
    names_missing: int
    negation_differs: int
    opposites: int


@dataclass(frozen=True, slots=True)
class SupportInput:
    """A number over an answer's sentences; `sign` is −1 if larger values indicate less support."""

    name: str
    sign: int
    over: Callable[[Sequence[SentenceSupport]], float]


INPUTS = (
    SupportInput("entailment, mean sentence", 1, lambda rows: sum(row.entailment for row in rows) / len(rows)),
    SupportInput("entailment, least sentence", 1, lambda rows: min(row.entailment for row in rows)),
    SupportInput("words found, mean sentence", 1, lambda rows: sum(row.words_found for row in rows) / len(rows)),
    SupportInput("words found, least sentence", 1, lambda rows: min(row.words_found for row in rows)),
    SupportInput("numbers not found, most in a sentence", -1, lambda rows: max(row.numbers_missing for row in rows)),
    SupportInput("names not found, most in a sentence", -1, lambda rows: max(row.names_missing for row in rows)),
    SupportInput("negation differs, in any sentence", -1, lambda rows: max(row.negation_differs for row in rows)),
    SupportInput("opposites, most in a sentence", -1, lambda rows: max(row.opposites for row in rows)),
)
"""Inputs of the combination; times their sign, larger values indicate more support."""


def sentence_support(sample: SampleView, verdicts: Sequence[Verdict]) -> list[SentenceSupport]:
    """One row for each sentence of the answer, in the order of its `verdicts`. No model is called."""
    words = {word for passage in sample.sample.contexts for word in tokens(passage.text)}
    missing = [number for number, verdict in number_verdicts(sample) if verdict in (NOT_FOUND, DOUBTFUL)]
    return [
        _support(
            placed.sentence,
            verdict,
            words,
            {number.text for number in missing if placed.sentence.start <= number.start < placed.sentence.end},
        )
        for placed, verdict in zip(sample.parts["answer"], verdicts, strict=True)
    ]


def support_inputs(rows: Sequence[SentenceSupport]) -> tuple[float, ...]:
    """The inputs over the sentences, in the order of `INPUTS`, each times its sign: larger is better supported."""
    return tuple(each.sign * each.over(rows) for each in INPUTS)


def _support(sentence: Sentence, verdict: Verdict, words: set[str], numbers: set[str]) -> SentenceSupport:
    lexical = lexical_features([(verdict.premise or "", sentence.text)])[0]
    own = tokens(sentence.text)
    content = [word for word in own if word not in STOP_WORDS] or own
    return SentenceSupport(
        sentence=sentence,
        entailment=_score(verdict),
        words_found=sum(word in words for word in content) / len(content) if content else 1.0,
        numbers_missing=len(numbers),
        names_missing=sum(name.casefold() not in words for name in _NAME.findall(sentence.text)),
        negation_differs=int(any(lexical[column] for column in _NEGATED)) if verdict.premise else 0,
        opposites=int(lexical[_OPPOSITES]),
    )


def _score(verdict: Verdict) -> float:
    return float(bool(verdict.supported)) if verdict.score is None else verdict.score
