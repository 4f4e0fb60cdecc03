"""Factual numbers: is each number of the answer found in the contexts or the reference, and the reference's in it?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from core.metrics.declaration import Explanation, Outcome, metric, scored, unscored
from core.metrics.sample_view import SampleView
from core.numbers.headings import Headings
from core.numbers.matching import Match, NumberIndex, Wanted, nearest, support
from core.numbers.number import Number
from core.numbers.parsing import parse_numbers
from core.types import JsonValue

FAMILY = "factual numbers"
SHARE = (0.0, 1.0)
SOURCE = "distinct numbers found / stated, but for those that only repeat the query; core/numbers/matching.py"


@metric(
    title="Factual numbers",
    family=FAMILY,
    needs=("answer", "contexts"),
    range=SHARE,
    models=(),
    source=SOURCE,
    description="Share of the numbers, amounts, percentages and dates in the answer that are found in the contexts.",
    skip_refusals="whole",
    formula=r"\frac{|N(\text{answer}) \cap N(\text{contexts})|}{|N(\text{answer})|}",
)
def factual_numbers(sample: SampleView) -> Outcome:
    source = _Source(tuple((passage.id, _index(passage.text)) for passage in sample.sample.contexts))
    return _share(sample, "answer", "contexts", source)


@metric(
    title="Factual numbers, reference",
    family=FAMILY,
    needs=("answer", "reference"),
    range=SHARE,
    models=(),
    source=SOURCE,
    description="Share of the numbers, amounts, percentages and dates in the answer that are found in the reference.",
    formula=r"\frac{|N(\text{answer}) \cap N(\text{reference})|}{|N(\text{answer})|}",
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
    description="Share of the numbers, amounts, percentages and dates in the reference that are found in the answer.",
    formula=r"\frac{|N(\text{reference}) \cap N(\text{answer})|}{|N(\text{reference})|}",
)
def factual_numbers_recall(sample: SampleView) -> Outcome:
    return _share(sample, "reference", "answer", _of_text(sample.sample.answer, sample))


def _of_text(text: str | None, sample: SampleView) -> _Source:
    return _Source((("", _index(text or "", sample.sample.query)),))


@dataclass(frozen=True, eq=False)
class _Source:
    """What numbers are looked up in: the index of each passage with its id, or of the one text with ""."""

    passages: tuple[tuple[str, NumberIndex], ...]

    @property
    def indexes(self) -> list[NumberIndex]:
        return [index for _, index in self.passages]

    def located(self, number: Number) -> dict[str, JsonValue]:
        """Where it stands; of passages with the same text, in the first."""
        passage = next(name for name, index in self.passages if any(number is indexed for indexed in index.numbers))
        place: dict[str, JsonValue] = {"text": number.text, "start": number.start, "end": number.end}
        return {"passage": passage, **place} if passage else place


@dataclass(frozen=True, slots=True)
class _Stated:
    """A number of a text as it is looked up, and whether it only repeats the query."""

    wanted: Wanted
    repeated: bool


@dataclass(frozen=True, slots=True)
class _Checked:
    """A number of the text, what supports it, and whether it only repeats the query."""

    number: Number
    support: Match | None
    repeated: bool

    @property
    def verdict(self) -> str:
        return "found" if self.support is not None else "from the query" if self.repeated else "not found"


@lru_cache(maxsize=4096)
def _index(text: str, query: str = "") -> NumberIndex:
    """The numbers of a text. Passages are the same whatever the query, so that they are indexed once a run."""
    return NumberIndex(_in_the_querys_scale(parse_numbers(text), query))


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
    verdicts = {check.number.identity: check.verdict for check in checked}
    counted = [verdict for verdict in verdicts.values() if verdict != "from the query"]
    if not counted:
        return unscored(f"no numbers in the {part} besides the query's")
    supported = counted.count("found")
    return scored(
        supported / len(counted),
        lambda: {"part": part, "against": against, **_explain(checked, source, len(counted), supported)},
    )


def _check(text: str, query: str, source: _Source) -> list[_Checked]:
    """A number that the source does not hold and the query does is nobody's merit or fault."""
    indexes = source.indexes
    return [
        _Checked(stated.wanted.number, support(stated.wanted, indexes), stated.repeated)
        for stated in _stated(text, query)
    ]


def _repeats(wanted: Wanted, asked: NumberIndex) -> bool:
    supporting = support(wanted, [asked])
    return supporting is not None and not supporting[1].notes


def _in_the_querys_scale(numbers: tuple[Number, ...], query: str) -> list[Number]:
    """Who is asked "in USD millions" may answer 1,577 and mean 1,577 million."""
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


def _explain(checked: list[_Checked], source: _Source, distinct: int, supported: int) -> Explanation:
    rows: list[JsonValue] = [_row(check, source) for check in checked]
    missing: list[JsonValue] = [*dict.fromkeys(check.number.text for check in checked if check.verdict == "not found")]
    return {"distinct": distinct, "found": supported, "not_found": missing, "numbers": rows}


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
        return {**row, "match": source.located(check.support[0]), "notes": [*check.support[1].notes]}
    closest = nearest(number, source.indexes)
    if closest is None:
        return {**row, "nearest": None}
    return {**row, "nearest": {**source.located(closest[0]), "difference": closest[1].distance}}
