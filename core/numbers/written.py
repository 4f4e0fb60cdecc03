"""Numbers in words: counts and amounts, fractions, and ordinals (also "3rd")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from hcat.core.numbers.amounts import AFTER, PERCENT
from hcat.core.numbers.measures import measure_after
from hcat.core.numbers.number import ONE, Kind, Number
from hcat.core.numbers.words import CURRENCIES, FRACTIONS, RANKS, SMALL_WORDS, scale, written_out

_SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
_SIGNS |= {"⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅑": "1/9", "⅒": "1/10"}
SIGN = f"[{''.join(_SIGNS)}]"
_WRITTEN = "|".join(sorted(SMALL_WORDS, key=len, reverse=True))
_WORDS = re.compile(
    rf"\b(?P<word>(?a:(?:{_WRITTEN})(?:[ -](?:and )?(?:hundred|{_WRITTEN}))*))\b"
    r"(?!\s+and\s+a\s+half|[\s-](?:third|fifth|hal[fv]|decimal))"
    rf"(?:\s(?P<scale>(?a:thousand|million|billion|trillion))s?\b)?(?P<percent>\s?{PERCENT})?(?:\s(?P<after>{AFTER}))?",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:these|those|the|both|all|any|other|following|each|every|no|or|which|this|that)\s+\Z", re.I
)
_PAST = re.compile(r"\s\w+\s(?:ago|earlier|before|later|prior)\b", re.IGNORECASE)
_MIXED = re.compile(
    rf"\b(?P<whole>(?a:{_WRITTEN})|\d{{1,3}})(?:\s+and\s+a\s+(?P<half>half)|\s?(?P<sign>{SIGN}))", re.IGNORECASE
)
_PARTS = "|".join(sorted(FRACTIONS, key=len, reverse=True))
_FRACTION = re.compile(
    rf"\b(?:(?P<count>one|two|three|four|five|six|seven|eight|nine)[ -](?P<of>(?a:{_PARTS}))s?\b|"
    rf"an?\s(?P<single>(?a:{_PARTS}))(?=\sof\b)|(?P<half>(?a:half))(?=\s(?:of|the|its|their|our|all)\b))|(?P<sign>{SIGN})",
    re.IGNORECASE,
)
_OF_PERCENT = re.compile(
    rf"(?:(?<![\w.,/])(?:(?P<whole>\d{{1,3}})(?:\s|-|(?={SIGN})))?(?:(?P<sign>{SIGN})|(?P<over>\d{{1,2}})\s?[/⁄]\s?(?P<under>\d{{1,2}}))"
    rf"|\b(?:an?\s)?(?:(?P<count>one|two|three|four|five|seven)[ -])?(?P<part>(?a:{_PARTS}))s?)"
    rf"(?:\s?of)?(?:\s?an?|\s?one)?[\s-]{{0,2}}(?P<unit>{PERCENT}|(?P<points>percentage\s+points?\b|pp\b|ppts?\b)|Prozent(?P<german>punkte?)?\b)",
    re.IGNORECASE,
)
_HALF_A = re.compile(r"\bhalf\s+an?\s+(?P<unit>million|billion|trillion|hour|day|week|year|century)\b", re.IGNORECASE)
_PERIODS = re.compile(r"quarters?\Z", re.IGNORECASE)
_OF = re.compile(r"\s+of\b(?!\s+(?:fiscal|20\d\d|19\d\d|the\s+(?:fiscal\s+)?year))", re.IGNORECASE)
_DIGIT_RANK = re.compile(r"(?<![\w.,/-])(?P<rank>\d{1,3})(?:st|nd|rd|th)\b(?!\s+centur)", re.IGNORECASE)
_WORD_RANK = re.compile(
    rf"\b(?P<lead>(?:the|its|their|our|your|every|each)\s)?(?P<rank>(?a:{'|'.join(RANKS)}))\b(?P<next>\s[a-z]+)?",
    re.IGNORECASE,
)
_TELLS_NOTHING = re.compile(r"\s(?:is|was|are|and|or|one|time|place|step|sentence|context|passage|document|part)\b")
_THIRD_PARTY = re.compile(r"[\s-](?:part(?:y|ies)|person|countr)", re.IGNORECASE)


def written_numbers(text: str) -> Iterator[Number]:
    """Counts and amounts in words."""
    for match in _WORDS.finditer(text):
        value, definite = written_out(match["word"]), match["scale"] or match["percent"] or match["after"]
        before = text[max(0, match.start() - 12) : match.start()]
        measured = measure_after(text, match.end()) is not None and not _PAST.match(text, match.end())
        if not definite and not (measured and value) and (value <= 1 or _POINTING.search(before)):
            continue
        stated = scale(match["scale"]) if match["scale"] else None
        factor = stated or ONE
        kind: Kind = "percent" if match["percent"] else "number"
        unit = CURRENCIES.get(match["after"].lower().split()[-1]) if match["after"] else None
        yield Number(match.group(), match.start(), match.end(), kind, value * factor, factor, unit, stated)


def fractions_and_ordinals(text: str) -> Iterator[Number]:
    """Fractions as percentages ("two thirds" is 67%), mixed numbers, half a unit, and ranks."""
    yield from _of_percent(text)
    yield from _mixed(text)
    for match in _HALF_A.finditer(text):
        yield _half_a(match, text)
    for match in _FRACTION.finditer(text):
        share = _share(match, text)
        if share is not None:
            yield Number(match.group(), match.start(), match.end(), "percent", share * 100)
    for match in _DIGIT_RANK.finditer(text):
        yield Number(match.group(), match.start(), match.end(), "ordinal", Decimal(match["rank"]))
    for match in _WORD_RANK.finditer(text):
        if _is_rank(match, text):
            start, end = match.span("rank")
            yield Number(text[start:end], start, end, "ordinal", Decimal(RANKS[match["rank"].lower()]))


def _of_percent(text: str) -> Iterator[Number]:
    """Fractions of one per cent: "½ %", "1/4 percentage point", "half a percent", "2 1/2 percent"."""
    for match in _OF_PERCENT.finditer(text):
        under = int(match["under"] or 1)
        if match["under"] and (under < 2 or int(match["over"]) >= under):
            continue
        part = _part_of_percent(match)
        value = Decimal(match["whole"] or 0) + part
        quantum = Decimal("0.01") if part * 10 % 1 else Decimal("0.1")
        points = (match["points"] or match["german"]) is not None
        yield Number(match.group(), match.start(), match.end(), "percent", value, quantum, points=points)


def _part_of_percent(match: re.Match[str]) -> Decimal:
    if match["sign"]:
        return _fraction_of(match["sign"])
    if match["over"]:
        return Decimal(match["over"]) / Decimal(match["under"])
    return Decimal(SMALL_WORDS[match["count"].lower()] if match["count"] else 1) / FRACTIONS[match["part"].lower()]


def _fraction_of(sign: str) -> Decimal:
    over, under = _SIGNS[sign].split("/")
    return Decimal(over) / Decimal(under)


def _mixed(text: str) -> Iterator[Number]:
    for match in _MIXED.finditer(text):
        whole = Decimal(match["whole"]) if match["whole"].isdigit() else written_out(match["whole"])
        part = Decimal("0.5") if match["half"] else _fraction_of(match["sign"])
        quantum = Decimal(1).scaleb(-2 if part * 10 % 1 else -1)
        yield Number(match.group(), match.start(), match.end(), "number", whole + part, quantum)


def _half_a(match: re.Match[str], text: str) -> Number:
    start, end, unit = match.start(), match.end(), match["unit"].lower()
    if unit.endswith("illion"):
        factor = scale(unit)
        return Number(match.group(), start, end, "number", factor / 2, factor / 10, scale=factor)
    measure = measure_after(text, match.start("unit"))
    return Number(match.group(), start, end, "number", Decimal("0.5"), Decimal("0.1"), measure=measure)


def _share(match: re.Match[str], text: str) -> Decimal | None:
    if match["sign"]:
        return _fraction_of(match["sign"])
    if match["half"]:
        return Decimal("0.5")
    part = match["of"] or match["single"]
    hyphenated = "-" in match.group()
    if _PERIODS.search(match.group()) and not hyphenated and not _OF.match(text, match.end()):
        return None
    return Decimal(SMALL_WORDS[match["count"].lower()] if match["count"] else 1) / FRACTIONS[part.lower()]


def _is_rank(match: re.Match[str], text: str) -> bool:
    """Whether a word such as "third" ranks something; "first" and "second" mostly order the sentences of a text."""
    opens = match["rank"][0].isupper() and not match["lead"]  # "Third, …" or the title of a section
    if opens or _THIRD_PARTY.match(text, match.end("rank")):
        return False
    if RANKS[match["rank"].lower()] > 2:
        return True
    return bool(match["lead"] and match["next"]) and not _TELLS_NOTHING.match(match["next"])
