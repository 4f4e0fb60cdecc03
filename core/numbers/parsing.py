"""Reads the numbers of a text: amounts, percentages, ratios, dates, fiscal periods; in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from core.numbers.amounts import AFTER, PERCENT, amounts
from core.numbers.dates import dates
from core.numbers.headings import Headings
from core.numbers.number import ONE, Kind, Number
from core.numbers.span_mask import SpanMask
from core.numbers.words import CURRENCIES, SMALL_WORDS, scale, written_out

_NO_NUMBERS = (
    re.compile(r"\b(?:10-[KQ]|8-K|20-F|6-K|S-[134]|40[13]\s?\([kb]\)|401k)", re.IGNORECASE),  # forms and plans
    re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\w+"),
    re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]"),  # citations
    re.compile(r"(?<![\d.,'’])(?<!\d\s)[$€£]?\s?['’]?000['’]?s?\b(?![.,]?\d)"),  # the scale of a table
)
_WRITTEN = "|".join(sorted(SMALL_WORDS, key=len, reverse=True))
_WORDS = re.compile(
    rf"\b(?P<word>(?a:(?:{_WRITTEN})(?:[ -](?:and )?(?:hundred|{_WRITTEN}))*))\b"
    r"(?!\s+and\s+a\s+half|[\s-](?:quarter|third|fifth|hal[fv]|decimal))"
    rf"(?:\s(?P<scale>(?a:thousand|million|billion|trillion))s?\b)?(?P<percent>\s?{PERCENT})?(?:\s(?P<after>{AFTER}))?",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:these|those|the|both|all|any|other|following|each|every|no|or|which|this|that)\s+\Z", re.I
)
_RANGE = re.compile(r"\s?(?:[-–—]|to|and)\s?")
_BETWEEN = re.compile(r"\bbetween\s+\Z", re.IGNORECASE)


@lru_cache(maxsize=4096)
def parse_numbers(text: str) -> tuple[Number, ...]:
    """Every number that a text states, in order.

    Not read: list markers, references ("Note 12", "Form 10-K", "[3]"), links, digits inside names ("COVID-19"), and
    number words that count nothing definite ("one", "these two").
    """
    mask = SpanMask(len(text))
    for pattern in _NO_NUMBERS:
        for match in pattern.finditer(text):
            mask.reserve(*match.span())
    calendar = [number for number in dates(text) if mask.reserve(number.start, number.end)]
    digits = [number for number in amounts(text) if mask.reserve(number.start, number.end)]
    words = [number for number in _written(text) if mask.reserve(number.start, number.end)]
    numbers = sorted([*calendar, *digits, *words], key=lambda number: number.start)
    return tuple(_under_headings(_ranges(text, numbers), Headings(text)))


def _written(text: str) -> Iterator[Number]:
    for match in _WORDS.finditer(text):
        value, definite = written_out(match["word"]), match["scale"] or match["percent"] or match["after"]
        before = text[max(0, match.start() - 12) : match.start()]
        if not definite and (value <= 1 or _POINTING.search(before)):
            continue
        stated = scale(match["scale"]) if match["scale"] else None
        factor = stated or ONE
        kind: Kind = "percent" if match["percent"] else "number"
        unit = CURRENCIES.get(match["after"].lower().split()[-1]) if match["after"] else None
        yield Number(match.group(), match.start(), match.end(), kind, value * factor, factor, unit, stated)


def _ranges(text: str, numbers: Sequence[Number]) -> Iterator[Number]:
    """In "5–7%" and "between 3 and 4 million" the second end tells the unit and scale of the first."""
    for position, number in enumerate(numbers):
        following = numbers[position + 1] if position + 1 < len(numbers) else None
        if following is None or number.kind != "number" or number.scale is not None or following.dates:
            yield number
            continue
        between = _RANGE.fullmatch(text, number.end, following.start)
        listed = between is not None and "and" in between.group()
        if between is None or (listed and not _BETWEEN.search(text[max(0, number.start - 12) : number.start])):
            yield number
        elif following.kind == "percent" and number.unit is None:
            yield replace(number, kind="percent")
        elif following.scale is not None:
            yield replace(number, implied=following.scale, unit=number.unit or following.unit)
        else:
            yield replace(number, unit=number.unit or following.unit)


def _under_headings(numbers: Iterable[Number], headings: Headings) -> Iterator[Number]:
    for number in numbers:
        in_words = not any(map(str.isdigit, number.text))
        if number.dates or number.kind != "number" or number.scale is not None or in_words:
            yield number
            continue
        implied = number.implied or headings.scale_at(number.start)
        yield number.under(implied, in_percent=headings.percent_at(number.start))
