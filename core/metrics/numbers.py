"""Factual numbers: whether the answer's numbers are in the contexts or the reference, and the reference's in the
answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from hcat.core.metrics.declaration import WRONG_SUBJECT, Explanation, Outcome, metric, scored, unscored
from hcat.core.metrics.sample_view import SampleView
from hcat.core.numbers.dates import times_of_stamps
from hcat.core.numbers.differences import differences
from hcat.core.numbers.headings import Headings
from hcat.core.numbers.matching import Match, NumberIndex, Wanted, nearest, support
from hcat.core.numbers.number import Number
from hcat.core.numbers.parsing import parse_numbers
from hcat.core.stopwords import STOP_WORDS
from hcat.core.text import PlacedSentence, Sentence, Span, sentences, tokens
from hcat.core.types import JsonValue

FAMILY = "factual numbers"
SHARE = (0.0, 1.0)
FOUND, REPEATED, DOUBTFUL, NOT_FOUND = VERDICTS = ("found", "from the query", "doubtful", "not found")
"""From best to worst: the worst verdict counts for a number that is stated twice."""
_JOINT = re.compile(r"(?<=[,;:])\s+|\s+(?=(?:and|but|or|while|und|aber|oder|während)\s)", re.IGNORECASE)
"""Boundaries within a sentence at which numbers may begin to refer to another thing."""
SOURCE = (
    "distinct numbers found / stated, without those that only repeat the query; docs/decisions/0010-doubtful-numbers.md"
)


@metric(
    title="Factual numbers",
    family=FAMILY,
    needs=("answer", "contexts"),
    range=SHARE,
    models=(),
    source=SOURCE,
    description="Share of the numbers, amounts, percentages and dates in the answer that are found in the contexts; "
    "of another sign, scale, unit or period they are doubtful and count as not found.",
    skip_refusals="whole",
    formula=r"\frac{|N(\text{answer}) \cap N(\text{contexts})|}{|N(\text{answer})|}",
    limit=WRONG_SUBJECT,
)
def factual_numbers(sample: SampleView) -> Outcome:
    return _share(sample, "answer", "contexts", _of_contexts(sample))


@metric(
    title="Factual numbers, reference",
    family=FAMILY,
    needs=("answer", "reference"),
    range=SHARE,
    models=(),
    source=SOURCE,
    description="Share of the numbers, amounts, percentages and dates in the answer that are found in the reference; "
    "of another sign, scale, unit or period they are doubtful and count as not found.",
    formula=r"\frac{|N(\text{answer}) \cap N(\text{reference})|}{|N(\text{answer})|}",
    limit=WRONG_SUBJECT,
)
def factual_numbers_reference(sample: SampleView) -> Outcome:
    return _share(sample, "answer", "reference", _of_text(sample.sample.reference, sample))


@metric(
    title="Factual numbers, recall",
    family=FAMILY,
    needs=("answer", "reference"),
    range=SHARE,
    models=(),
    source=SOURCE,
    description="Share of the numbers, amounts, percentages and dates in the reference that are found in the answer; "
    "of another sign, scale, unit or period they are doubtful and count as not found.",
    formula=r"\frac{|N(\text{reference}) \cap N(\text{answer})|}{|N(\text{reference})|}",
    limit=WRONG_SUBJECT,
)
def factual_numbers_recall(sample: SampleView) -> Outcome:
    return _share(sample, "reference", "answer", _of_text(sample.sample.answer, sample))


def number_verdicts(sample: SampleView) -> list[tuple[Number, str]]:
    """Each number of the answer with its verdict against the contexts, one of `VERDICTS`."""
    return [
        (check.number, check.verdict)
        for check in _check(sample.sample.answer or "", sample.sample.query, _of_contexts(sample))
    ]


def _of_contexts(sample: SampleView) -> _Source:
    return _Source(tuple((passage.id, _index(passage.text)) for passage in sample.sample.contexts))


def _of_text(text: str | None, sample: SampleView) -> _Source:
    return _Source((("", _index(text or "", sample.sample.query)),))


@dataclass(frozen=True, eq=False)
class _Source:
    """The texts in which numbers are looked up: the index of each passage with its id, or of one text with ""."""

    passages: tuple[tuple[str, NumberIndex], ...]

    @property
    def indexes(self) -> list[NumberIndex]:
        return [index for _, index in self.passages]

    def located(self, number: Number) -> dict[str, JsonValue]:
        """The position of the number; if passages have the same text, in the first of them."""
        passage = next(name for name, index in self.passages if any(number is indexed for indexed in index.numbers))
        place: dict[str, JsonValue] = {"text": number.text, "start": number.start, "end": number.end}
        return {"passage": passage, **place} if passage else place


@dataclass(frozen=True, slots=True)
class _Stated:
    """A number of a text in the form for look-up, and whether it only repeats the query."""

    wanted: Wanted
    repeated: bool


@dataclass(frozen=True, slots=True)
class _Checked:
    """A number of the text, its support, and whether it only repeats the query."""

    number: Number
    support: Match | None
    repeated: bool

    @property
    def verdict(self) -> str:
        if self.support is not None and not self.support[1].doubts:
            return FOUND
        return REPEATED if self.repeated else NOT_FOUND if self.support is None else DOUBTFUL


@lru_cache(maxsize=4096)
def _index(text: str, query: str = "") -> NumberIndex:
    """The numbers of a text. Passages do not depend on the query, so that they are indexed once a run."""
    numbers = parse_numbers(text)
    return NumberIndex((*_in_the_querys_scale(numbers, query), *differences(text, numbers), *times_of_stamps(text)))


@lru_cache(maxsize=1024)
def _stated(text: str, query: str) -> tuple[_Stated, ...]:
    asked = _index(query)
    numbers = [Wanted.of(number) for number in _in_the_querys_scale(parse_numbers(text), query)]
    return tuple(_Stated(wanted, _repeats(wanted, asked)) for wanted in numbers)


def _share(sample: SampleView, part: Literal["answer", "reference"], against: str, source: _Source) -> Outcome:
    text = sample.sample.answer if part == "answer" else sample.sample.reference
    checked = _check(text or "", sample.sample.query, source)
    if not checked:
        return unscored(f"no numbers in the {part}")
    ordered = sorted(checked, key=lambda number: VERDICTS.index(number.verdict))
    verdicts = {number.number.identity: number.verdict for number in ordered}
    counted = [verdict for verdict in verdicts.values() if verdict != REPEATED]
    if not counted:
        return unscored(f"no numbers in the {part} besides the query's")

    def explain() -> Explanation:
        nearer = _nearer_sentences(sample, checked) if against == "contexts" else {}
        return {"part": part, "against": against, **_explain(checked, source, counted, nearer)}

    return scored(counted.count(FOUND) / len(counted), explain)


def _check(text: str, query: str, source: _Source) -> list[_Checked]:
    """The verdict on each number. A number that is in the query and not in the source counts neither way."""
    indexes = source.indexes
    return [
        _Checked(stated.wanted.number, support(stated.wanted, indexes), stated.repeated)
        for stated in _stated(text, query)
    ]


def _repeats(wanted: Wanted, asked: NumberIndex) -> bool:
    supporting = support(wanted, [asked])
    return supporting is not None and not supporting[1].notes and not supporting[1].doubts


def _in_the_querys_scale(numbers: tuple[Number, ...], query: str) -> list[Number]:
    """The numbers also in the scale of the query: asked "in USD millions", an answer of 1,577 may mean 1,577
    million."""
    scales = _scales(query)
    if not scales:
        return list(numbers)
    return [
        replace(number, implied=scales[0])
        if number.kind == "number" and number.scale is None and number.implied is None and not number.dates
        else number
        for number in numbers
    ]


@lru_cache(maxsize=1024)
def _scales(query: str) -> tuple[Decimal, ...]:
    return Headings(query).scales


def _nearer_sentences(sample: SampleView, checked: list[_Checked]) -> dict[int, PlacedSentence]:
    """For each position in `checked`, a closer sentence of the contexts with another number of its kind, if any.

    Such a sentence shares all words of the statement that any sentence with the number shares, and further ones: the
    number may refer to the wrong thing. Evidence only, since an answer in other words can be right as well; decision
    0010 has its rates. None for dates and identifiers, nor if a sentence with the number shares no word."""
    answer = sample.sample.answer or ""
    clauses = [span for sentence in sentences(answer) for span in _clauses(sentence)]
    placed = [(each, _words(each.sentence.text)) for each in sample.parts["contexts"]]
    nearer: dict[int, PlacedSentence] = {}
    for place, check in enumerate(checked):
        number = check.number
        if check.verdict != FOUND or number.dates or number.kind == "identifier":
            continue
        said = {word for start, end in clauses if start <= number.start < end for word in _words(answer[start:end])}
        wanted, holding, others = Wanted.of(number), [], []
        for each, words in placed:
            index = _index(each.sentence.text)
            supporting = support(wanted, [index])
            if supporting is not None and not supporting[1].doubts:
                holding.append(said & words)
            elif any(_kind(candidate) == _kind(number) and not candidate.dates for candidate in index.numbers):
                others.append((each, said & words))
        if holding and all(holding):
            further = (each for each, shared in others if all(held < shared for held in holding))
            nearer.update((place, each) for each in [*further][:1])
    return nearer


def _clauses(sentence: Sentence) -> Iterator[Span]:
    """The parts of a sentence between commas and conjunctions, joined so that each contains a digit."""
    bounds = (0, *(joint.end() for joint in _JOINT.finditer(sentence.text)), len(sentence.text))
    start, counted = 0, False
    for first, last in pairwise(bounds):
        counts = any(character.isdigit() for character in sentence.text[first:last])
        if counts and counted:
            yield sentence.start + start, sentence.start + first
            start = first
        counted |= counts
    yield sentence.start + start, sentence.end


def _words(text: str) -> frozenset[str]:
    """The content words of a text, without numbers and plural s."""
    words = (word for word in tokens(text) if word not in STOP_WORDS and not any(map(str.isdigit, word)))
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words)


def _kind(number: Number) -> tuple[str, str | None, str | None]:
    return number.kind, number.unit, None if number.measure is None else number.measure.name


def _explain(
    checked: list[_Checked], source: _Source, counted: list[str], nearer: dict[int, PlacedSentence]
) -> Explanation:
    return {
        "distinct": len(counted),
        "found": counted.count(FOUND),
        "doubtful": _texts(checked, DOUBTFUL),
        "not_found": _texts(checked, NOT_FOUND),
        **({"maybe_of_another": [*dict.fromkeys(checked[place].number.text for place in nearer)]} if nearer else {}),
        "numbers": [
            _row(number, source) | ({"nearer": nearer[place].located()} if place in nearer else {})
            for place, number in enumerate(checked)
        ],
    }


def _texts(checked: list[_Checked], verdict: str) -> list[JsonValue]:
    return [*dict.fromkeys(number.number.text for number in checked if number.verdict == verdict)]


def _row(check: _Checked, source: _Source) -> dict[str, JsonValue]:
    number = check.number
    row: dict[str, JsonValue] = {
        "text": number.text,
        "start": number.start,
        "end": number.end,
        "kind": number.kind,
        "value": number.stated,
        "verdict": check.verdict,
    }
    if check.support is not None:
        match, comparison = check.support
        row |= {"match": source.located(match), "notes": [*comparison.notes]}
        return {**row, "reading": "; ".join(doubt.reading for doubt in comparison.doubts)} if comparison.doubts else row
    closest = nearest(number, source.indexes)
    if closest is None:
        return {**row, "nearest": None}
    return {**row, "nearest": {**source.located(closest[0]), "difference": closest[1].distance}}
