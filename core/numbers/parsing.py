"""Reads the numbers of a text: amounts, percentages, ratios, dates, periods, identifiers; in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from hcat.core.numbers.amounts import amounts
from hcat.core.numbers.dates import dates
from hcat.core.numbers.headings import Headings
from hcat.core.numbers.identifiers import identifiers
from hcat.core.numbers.markup import without_markup
from hcat.core.numbers.measures import measure_after
from hcat.core.numbers.number import Number
from hcat.core.numbers.span_mask import SpanMask
from hcat.core.numbers.surroundings import surroundings
from hcat.core.numbers.written import fractions_and_ordinals, written_numbers

_NO_NUMBERS = (
    re.compile(
        r"\b(?:10-[KQ]|8-K|20-F|6-K|S-[134]|40[13]\s?\([kb]\)|401k|10[KQ](?=\s(?:form|filing|report|statement))|"
        r"(?<=\b(?:form|this)\s)10[KQ]\b)",
        re.IGNORECASE,
    ),  # forms and plans
    re.compile(r"https?://\S+|www\.\S+|(?<![^\s@,;])[^\s@]{1,64}@[^\s@]{1,255}\.\w+"),
    re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]"),  # citations
    re.compile(r"(?<![\d.,'’])(?<!\d\s)[$€£]?\s?['’]?000['’]?s?\b(?![.,]?\d)"),  # the scale of a table
)
_RANGE = re.compile(r"\s?(?:[-–—]|to|and|or)\s?")
_BETWEEN = re.compile(r"\bbetween\s+\Z", re.IGNORECASE)


@lru_cache(maxsize=4096)
def parse_numbers(text: str) -> tuple[Number, ...]:
    """Every number that a text states, in order.

    Markup is removed first: **5%**, <b>5</b>, $9{,}500$. Not read: list markers, references ("Note 12", "Form 10-K",
    "[3]"), links, digits inside names ("COVID-19"), and number words that count nothing definite ("one", "these
    two")."""
    plain = without_markup(text)
    numbers = _read(plain.text)
    if plain.origins is None:
        return tuple(numbers)
    spans = (plain.span(number.start, number.end) for number in numbers)
    return tuple(
        replace(number, text=text[start:end], start=start, end=end)
        for number, (start, end) in zip(numbers, spans, strict=True)
    )


def _read(text: str) -> list[Number]:
    mask = SpanMask(len(text))
    for pattern in _NO_NUMBERS:
        for match in pattern.finditer(text):
            mask.reserve(*match.span())
    calendar = [number for number in dates(text) if mask.reserve(number.start, number.end)]
    names = [number for number in identifiers(text) if mask.reserve(number.start, number.end)]
    shares = [number for number in fractions_and_ordinals(text) if mask.reserve(number.start, number.end)]
    digits = [number for number in amounts(text) if mask.reserve(number.start, number.end)]
    words = [number for number in written_numbers(text) if mask.reserve(number.start, number.end)]
    numbers = sorted([*calendar, *names, *shares, *digits, *words], key=lambda number: number.start)
    return list(_in_context(text, _ranges(text, numbers), Headings(text)))


def _ranges(text: str, numbers: Sequence[Number]) -> Iterator[Number]:
    """The numbers, with the first end of a range in the unit and scale of the second: "5–7%", "between 3 and 4
    million"."""
    for position, number in enumerate(numbers):
        following = numbers[position + 1] if position + 1 < len(numbers) else None
        measure = None if following is None else measure_after(text, following.end)
        if following is None or number.kind != "number" or number.scale is not None or following.dates:
            yield number
            continue
        between = _RANGE.fullmatch(text, number.end, following.start)
        listed = between is not None and between.group().strip() in {"and", "or"}
        if between is not None and measure is not None:
            yield replace(number, measure=measure)
        elif between is None or (listed and not _BETWEEN.search(text[max(0, number.start - 12) : number.start])):
            yield number
        elif following.kind == "percent" and number.unit is None:
            yield replace(number, kind="percent")
        elif following.scale is not None:
            yield replace(number, implied=following.scale, unit=number.unit or following.unit)
        else:
            yield replace(number, unit=number.unit or following.unit)


def _in_context(text: str, numbers: Iterable[Number], headings: Headings) -> Iterator[Number]:
    """The numbers with their headings, units of measurement, and the meaning of the words around them."""
    for number in numbers:
        if number.dates or number.kind == "identifier":
            yield number
            continue
        measure = number.measure
        if measure is None and number.kind == "number" and number.unit is None:
            measure = measure_after(text, number.end)
        around = surroundings(text, number.start, number.end, number.value)
        in_words = not any(map(str.isdigit, number.text))
        if number.kind != "number" or number.scale is not None or in_words:
            yield replace(number, measure=measure, surroundings=around)
            continue
        implied = number.implied or (headings.scale_at(number.start) if measure is None else None)
        in_percent = headings.percent_at(number.start)
        yield replace(number, implied=implied, in_percent=in_percent, measure=measure, surroundings=around)
