"""Factual numbers: is each number of the answer found in the contexts or the reference, and the reference's in it?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.metrics.declaration import Explanation, Outcome, metric, scored, unscored
from core.metrics.encoded import EncodedSample
from core.numbers.headings import Headings
from core.numbers.matching import Comparison, NumberIndex
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
    description="The share of the answer's numbers, amounts, percentages and dates that the contexts hold.",
    spares_refusals=True,
    formula=r"\frac{|N(\text{answer}) \cap N(\text{contexts})|}{|N(\text{answer})|}",
)
def factual_numbers(sample: EncodedSample) -> Outcome:
    passages = sample.sample.contexts
    source = _source(tuple((passage.id, passage.text) for passage in passages), sample.sample.query)
    return _share(sample, "answer", "contexts", source)


@metric(
    title="Factual numbers, reference",
    family=FAMILY,
    needs=("answer", "reference"),
    range=SHARE,
    models=(),
    source=SOURCE,
    description="The share of the answer's numbers, amounts, percentages and dates that the reference holds.",
    formula=r"\frac{|N(\text{answer}) \cap N(\text{reference})|}{|N(\text{answer})|}",
)
def factual_numbers_reference(sample: EncodedSample) -> Outcome:
    return _share(sample, "answer", "reference", _source((("", sample.sample.reference or ""),), sample.sample.query))


@metric(
    title="Factual numbers, recall",
    family=FAMILY,
    needs=("answer", "reference"),
    range=SHARE,
    models=(),
    source=SOURCE,
    description="The share of the reference's numbers, amounts, percentages and dates that the answer holds.",
    formula=r"\frac{|N(\text{reference}) \cap N(\text{answer})|}{|N(\text{reference})|}",
)
def factual_numbers_recall(sample: EncodedSample) -> Outcome:
    return _share(sample, "reference", "answer", _source((("", sample.sample.answer or ""),), sample.sample.query))


@dataclass(frozen=True, eq=False)
class _Source:
    """What numbers are looked up in, and the passage (by id, "" for the reference) that each stands in."""

    index: NumberIndex
    passages: dict[int, str]

    def located(self, number: Number) -> dict[str, JsonValue]:
        passage = self.passages[id(number)]
        place: dict[str, JsonValue] = {"text": number.text, "start": number.start, "end": number.end}
        return {"passage": passage, **place} if passage else place


@dataclass(frozen=True, slots=True)
class _Checked:
    """A number of the text, what supports it, and whether it only repeats the query."""

    number: Number
    support: tuple[Number, Comparison] | None
    repeated: bool

    @property
    def verdict(self) -> str:
        return "found" if self.support is not None else "from the query" if self.repeated else "not found"


@lru_cache(maxsize=256)
def _source(passages: tuple[tuple[str, str], ...], query: str) -> _Source:
    numbers: list[Number] = []
    places: dict[int, str] = {}
    for name, text in passages:
        found = parse_numbers(text) if name else _in_the_querys_scale(parse_numbers(text), query)
        own = [replace(number) for number in found]  # a passage may occur twice, and parsed texts are shared
        places.update((id(number), name) for number in own)
        numbers += own
    return _Source(NumberIndex(numbers), places)


def _share(sample: EncodedSample, part: Literal["answer", "reference"], against: str, source: _Source) -> Outcome:
    text = sample.sample.answer if part == "answer" else sample.sample.reference
    checked = _check(text or "", sample.sample.query, source)
    if not checked:
        return unscored(f"no numbers in the {part}")
    verdicts = {one.number.identity: one.verdict for one in checked}
    counted = [verdict for verdict in verdicts.values() if verdict != "from the query"]
    if not counted:
        return unscored(f"no numbers in the {part} besides the query's")
    found = counted.count("found")
    return scored(
        found / len(counted),
        lambda: {"part": part, "against": against, **_explain(checked, source, len(counted), found)},
    )


def _check(text: str, query: str, source: _Source) -> list[_Checked]:
    """A number that the source does not hold and the query does is nobody's merit or fault."""
    asked = NumberIndex(parse_numbers(query))
    stated = _in_the_querys_scale(parse_numbers(text), query)
    return [_Checked(one, source.index.support(one), _repeats(one, asked)) for one in stated]


def _repeats(number: Number, asked: NumberIndex) -> bool:
    found = asked.support(number)
    return found is not None and not found[1].notes


def _in_the_querys_scale(numbers: tuple[Number, ...], query: str) -> list[Number]:
    """Who is asked "in USD millions" may answer 1,577 and mean 1,577 million."""
    scales = Headings(query).scales
    if not scales:
        return list(numbers)
    return [
        replace(one, implied=scales[0])
        if one.kind == "number" and one.scale is None and one.implied is None and not one.moments
        else one
        for one in numbers
    ]


def _explain(checked: list[_Checked], source: _Source, distinct: int, found: int) -> Explanation:
    rows: list[JsonValue] = [_row(one, source) for one in checked]
    missing: list[JsonValue] = [*dict.fromkeys(one.number.text for one in checked if one.verdict == "not found")]
    return {"distinct": distinct, "found": found, "not_found": missing, "numbers": rows}


def _row(one: _Checked, source: _Source) -> dict[str, JsonValue]:
    number = one.number
    row: dict[str, JsonValue] = {
        "text": number.text,
        "start": number.start,
        "end": number.end,
        "kind": number.kind,
        "value": number.stated,
        "verdict": one.verdict,
    }
    if one.support is not None:
        return {**row, "match": source.located(one.support[0]), "notes": [*one.support[1].notes]}
    nearest = source.index.nearest(number)
    if nearest is None:
        return {**row, "nearest": None}
    return {**row, "nearest": {**source.located(nearest[0]), "difference": nearest[1].distance}}
