"""Whether the passages of a case contain its answer: first by words and numbers, then by entailment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import permutations

from hcat.core.claims.words import STOP_WORDS, stem, stems, words
from hcat.core.models.nli.entailment import EntailmentModel, Pair
from hcat.core.models.nli.premises import PREMISE_PIECES, best_window
from hcat.core.numbers.matching import NumberIndex
from hcat.core.numbers.number import Number
from hcat.core.numbers.parsing import parse_numbers
from hcat.core.records.test_case import TestCase
from hcat.core.text import estimated_pieces, sentences

DERIVED_TYPES = frozenset({"inference", "multi-hop", "open", "yes/no"})
"""Types whose answer may contain a number that is computed from two numbers of the passages."""
SENTENCE_WORDS = 4
"""Number of words from which an answer is read as a statement of its own; a shorter one is read after its question."""

_YES_NO = re.compile(r"^\W*(yes|no)\b[\s,.:;–—-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Support:
    """The result from words and numbers: supported, unsupported (`problem`), or to be decided by entailment
    (`hypothesis`)."""

    problem: str | None = None
    hypothesis: str | None = None


def polarity(reference: str | None) -> str | None:
    """Whether an answer begins with "yes" or "no"."""
    match = _YES_NO.match(reference or "")
    return match[1].lower() if match else None


def statement(case: TestCase) -> str:
    """The statement of an answer: without a leading yes or no, and if nothing remains, its key fact."""
    rest = _YES_NO.sub("", case.reference or "").strip()
    return rest if words(rest) else case.key_fact


def support_by_words(case: TestCase, evidence: str) -> Support:
    """Whether the evidence supports the answer, as far as that can be decided without a model.

    An answer that occurs word for word is supported. A number that neither occurs nor is computed from two that do, or
    a fact that does not occur, makes it unsupported. Everything else is left to entailment."""
    stated = statement(case)
    if not stated.strip():
        return Support("it has no answer")
    if holds_words(evidence, stated):
        return Support()
    missing = _missing_numbers(case, stated, evidence)
    if missing:
        return Support(f"{', '.join(missing)} is not there")
    if case.key_fact and holds_words(evidence, case.key_fact) and _rests_on(stated, case):
        return Support()
    if len(words(stated)) < SENTENCE_WORDS:
        content = {stem(word) for word in words(stated) if word not in STOP_WORDS}
        if content and content <= stems(evidence):
            return Support()
        return Support(hypothesis=f"{case.query} {stated}")
    return Support(hypothesis=stated)


def entailed(pairs: Sequence[tuple[str, str]], model: EntailmentModel) -> list[bool]:
    """Whether each evidence entails its hypothesis: all pairs in one batch."""
    if not pairs:
        return []
    return [bool(value) for value in model.entail([_pair(*pair) for pair in pairs]).entailed]


def holds_words(text: str, piece: str) -> bool:
    """Whether the words of a piece are consecutive in the text, ignoring characters between words."""
    wanted = words(piece)
    return bool(wanted) and f" {' '.join(wanted)} " in _spaced(text)


def _rests_on(stated: str, case: TestCase) -> bool:
    """Whether the answer contains only the fact, words of the query, and numbers, which are compared separately."""
    content = {stem(word) for word in words(stated) if word not in STOP_WORDS and not _is_numeral(word)}
    return content <= stems(case.key_fact) | stems(case.query)


def _is_numeral(word: str) -> bool:
    return word[0].isdigit() or word in ("thousand", "million", "billion")


def _missing_numbers(case: TestCase, stated: str, evidence: str) -> list[str]:
    wanted = parse_numbers(stated)
    if not wanted:
        return []
    there = NumberIndex([*parse_numbers(evidence), *parse_numbers(case.query)])
    missing = [number for number in wanted if there.support(number) is None]
    if case.type in DERIVED_TYPES:
        missing = [number for number in missing if not _follows(number, there.numbers)]
    return [number.text for number in missing]


def _follows(number: Number, others: Sequence[Number]) -> bool:
    """Whether a number is the sum, difference, product, ratio or percentage change of two others, within rounding.

    A count of listed things ("three of them") is not distinguished from that."""
    values = [other.value for other in others if not other.dates]
    targets = {number.value, number.value / (number.scale or 1)}
    exact = set(values)
    if any(value + target in exact or target - value in exact for value in exact for target in targets):
        return True
    slack = max(number.quantum, abs(number.value) * Decimal("0.0001")) / 2
    pairs = permutations(values[:60], 2)
    return any(abs(result - number.value) <= slack for a, b in pairs for result in _results(a, b))


def _results(a: Decimal, b: Decimal) -> tuple[Decimal, ...]:
    simple = (a + b, a - b, a * b)
    return simple if b == 0 else (*simple, a / b, (a - b) / b * 100, a / b * 100, (a - b) / b)


def _pair(evidence: str, hypothesis: str) -> Pair:
    if estimated_pieces(evidence) <= PREMISE_PIECES:
        return evidence, hypothesis
    return best_window([sentence.text for sentence in sentences(evidence)], hypothesis).text, hypothesis


@lru_cache(maxsize=4096)
def _spaced(text: str) -> str:
    return f" {' '.join(words(text))} "
