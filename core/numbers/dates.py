"""Dates, fiscal periods and times of day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hcat.core.numbers.number import CalendarDate, Kind, Number
from hcat.core.numbers.span_mask import SpanMask
from hcat.core.numbers.words import GERMAN_MONTHS, MONTHS, ORDINALS

_MONTH = r"(?P<month>(?a:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r"))\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_SHORT_YEAR = r"(?P<year>(?:19|20)\d\d|['’]?\d\d)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_DAY_BEFORE = rf"{_DAY}(?P<dot>\.)?"
_CLOCK = r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?"
_ORDINAL = r"(?P<ordinal>(?a:" + "|".join(ORDINALS) + r"))"
_OF = r"\s*(?:of|in|for|,)?\s*(?:the\s+)?(?:fiscal\s+(?:year\s+)?|financial\s+year\s+|fy\s?|calendar\s+(?:year\s+)?)?"
_END = r"(?![\w])(?![.,]\d)"

Reader = Callable[[re.Match[str]], tuple[CalendarDate, ...]]


def dates(text: str) -> Iterator[Number]:
    """The dates, periods and times of a text, leftmost and longest pattern first; bare years are not included."""
    mask = SpanMask(len(text))
    hints = {"8" if hint[0].isdigit() else hint for hint in _HINT.findall(text.lower())}
    for pattern, read, wanted in _PATTERNS:
        if hints.isdisjoint(wanted):
            continue
        for match in pattern.finditer(text):
            readings = read(match)
            if readings and mask.reserve(*match.span()):
                kind: Kind = "date" if readings[0].hour is None else "time"
                yield Number(match.group(), match.start(), match.end(), kind, dates=readings)


def times_of_stamps(text: str) -> Iterator[Number]:
    """The times of day of timestamps, which `dates` reads as days."""
    for match in _STAMP.finditer(text):
        start, end = match.span("time")
        moment = CalendarDate(hour=int(match["hour"]), minute=int(match["minute"]))
        yield Number(text[start:end], start, end, "time", dates=(moment,))


def _year(match: re.Match[str]) -> int | None:
    year = match.groupdict().get("year")
    if year is None:
        return None
    digits = year.lstrip("'’")
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _named(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    if match.groupdict().get("dot") and match["month"].lower() not in GERMAN_MONTHS and _opens_a_line(match):
        return ()  # "1. May" is then the first of a list
    day = match.groupdict().get("day")
    month = MONTHS[match["month"].lower()]
    return (CalendarDate(_year(match), month, None if day is None else int(day)),)


def _opens_a_line(match: re.Match[str]) -> bool:
    return not match.string[: match.start()].rpartition("\n")[2].strip(" -*")


def _numeric(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    """The dates with day and month in either order, if both are possible."""
    first, second, year = int(match["first"]), int(match["second"]), _year(match)
    pairs = dict.fromkeys([(first, second), (second, first)])
    return tuple(CalendarDate(year, month, day) for month, day in pairs if 1 <= month <= 12 and 1 <= day <= 31)


def _iso(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    month, day = int(match["month"]), int(match["day"])
    return (CalendarDate(_year(match), month, day),) if 1 <= month <= 12 and 1 <= day <= 31 else ()


def _compact(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    return (CalendarDate(_year(match), int(match["month"]), int(match["day"])),)


def _of_month(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    return (CalendarDate(_year(match), int(match["month"])),)


def _part(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    fields = match.groupdict()
    number = int(fields["number"]) if fields.get("number") else ORDINALS[fields["ordinal"].lower()]
    if (fields.get("what") or match.group()).lower().lstrip("1234").startswith(("h", "half")):
        return (CalendarDate(_year(match), half=number),) if number <= 2 else ()
    return (CalendarDate(_year(match), quarter=number),)


def _fiscal(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    return (CalendarDate(_year(match)),)


def _time(match: re.Match[str]) -> tuple[CalendarDate, ...]:
    fields = match.groupdict()
    hour, minute = int(fields["hour"]), int(fields.get("minute") or 0)
    half = (fields.get("half") or "").lower().replace(".", "")
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return (CalendarDate(hour=hour, minute=minute),) if hour < 24 and minute < 60 else ()


_HINT = re.compile(r"[^\W\d_]+|[-/.:](?=\d)|(?<!\d)\d{8}(?!\d)")
"""Runs of letters, signs before a digit, eight digits ("8"): a pattern is only tried on a text with one of its own."""

_STAMP = re.compile(rf"(?<!\d)(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?[T\s]\s?(?P<time>{_CLOCK})")
_MONTH_HINTS, _PART_HINTS = frozenset(MONTHS), frozenset({"quarter", "half"})
_FISCAL = r"(?a:fiscal)\s+(?:years?\s+)?(?:ended\s+)?|(?a:financial)\s+years?\s+"

_PATTERNS: tuple[tuple[re.Pattern[str], Reader, frozenset[str]], ...] = tuple(
    (re.compile(rf"(?<![\w.,$€£/])(?:{pattern}){_END}", re.IGNORECASE), read, frozenset(hints))
    for pattern, read, hints in (
        (rf"{_MONTH}\s+{_DAY}(?:\s*,\s*|\s+){_YEAR}", _named, _MONTH_HINTS),
        (rf"{_DAY_BEFORE}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}", _named, _MONTH_HINTS),
        (rf"{_YEAR}(?P<sign>[-/.])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?)(?:[T\s]\s?{_CLOCK})?", _iso, {"-", "/", "."}),
        (rf"{_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?:T\d{{4,6}}Z?)?", _compact, {"8"}),
        (r"(?P<first>\d\d?)[/.](?P<second>\d\d?)[/.](?P<year>(?:19|20)\d\d)", _numeric, {"/", "."}),
        (r"(?P<first>\d\d?)-(?P<second>\d\d?)-(?P<year>(?:19|20)\d\d)", _numeric, {"-"}),
        (r"(?P<first>\d\d?)(?P<sign>[/.])(?P<second>\d\d?)(?P=sign)(?P<year>\d\d)", _numeric, {"/", "."}),
        (rf"(?P<month>0?[1-9]|1[0-2])/{_YEAR}", _of_month, {"/"}),
        (rf"{_YEAR}-(?P<month>0[1-9]|1[0-2])(?!-)", _of_month, {"-"}),
        (r"(?<=\b(?:am|ab|im|zu)\s)(?P<first>\d\d?)\.(?P<second>\d\d?)\.", _numeric, {"."}),
        (r"(?<=\b(?:vom|bis|zum|den|per|dem)\s)(?P<first>\d\d?)\.(?P<second>\d\d?)\.", _numeric, {"."}),
        (rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}", _named, _MONTH_HINTS),
        (rf"{_MONTH}\s+{_DAY}(?!\s*(?:%|percent|million|billion))", _named, _MONTH_HINTS),
        (rf"{_DAY_BEFORE}\s+(?:of\s+)?{_MONTH}", _named, _MONTH_HINTS),
        (rf"q(?P<number>[1-4])(?:{_OF}|-){_SHORT_YEAR}", _part, {"q"}),
        (rf"(?:fy\s?)?{_YEAR}[\s-]?q(?P<number>[1-4])", _part, {"q"}),
        (rf"(?P<number>[1-4])q\s?{_SHORT_YEAR}", _part, {"q"}),
        (rf"(?P<what>h)(?P<number>[12]){_OF}{_SHORT_YEAR}", _part, {"h"}),
        (rf"(?P<number>[12])(?P<what>h)\s?{_SHORT_YEAR}", _part, {"h"}),
        (rf"{_ORDINAL}[\s-]+(?:fiscal\s+)?(?P<what>quarter|half){_OF}{_YEAR}", _part, _PART_HINTS),
        (r"q(?P<number>[1-4])", _part, {"q"}),
        (rf"{_ORDINAL}[\s-]+(?:fiscal\s+)?(?P<what>quarter|half)", _part, _PART_HINTS),
        (rf"(?:fy\s?|{_FISCAL}){_SHORT_YEAR}", _fiscal, {"fy", "fiscal", "financial"}),
        (r"(?P<hour>\d\d?)(?:[.:](?P<minute>[0-5]\d))?\s?uhr", _time, {"uhr"}),
        (r"(?P<hour>\d\d?):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<half>[ap]\.?m)\b\.?)?", _time, {":"}),
        (r"(?P<hour>1[0-2]|[1-9])\s?(?P<half>[ap]\.?m)\b\.?", _time, {"am", "pm", "m"}),
    )
)
