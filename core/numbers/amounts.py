"""Amounts, percentages, ratios and plain numbers in digits, with the signs, units and scale words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from core.numbers.number import ONE, CalendarDate, Hedge, Kind, Number
from core.numbers.separators import DIGITS, SPACED, is_continental, read_digits
from core.numbers.words import CURRENCIES, scale

_CODES = "USD|EUR|GBP|JPY|CHF|CAD|AUD|INR|CNY|RMB|SEK|NOK|DKK"
_NAMES = r"dollars?|euros?|pounds?|yen|(?:Swiss\s)?francs"
_BEFORE = rf"(?:US\$|U\.S\.\$|[AC]\$|[$€£¥₹]|\b(?:{_CODES}))"
AFTER = rf"(?:[€£](?!\s?\d)|(?:{_CODES}|{_NAMES})\b)"
PERCENT = r"(?:%|per\s?cent\b|pct\b)"

_NUMBER = re.compile(
    rf"(?=[\d.])(?:(?:(?<=[€$£])|(?<=[€$£] )|(?<=EUR ))(?<!\d ){SPACED}|(?<![\d.,]){SPACED}(?=\s?{AFTER})|{DIGITS})"
)
_DIGIT = re.compile(r"\d")
_LEFT = re.compile(
    rf"(?P<open>\(\s?)?(?P<sign>(?<![\w%)\]])[-−–])?(?P<currency>{_BEFORE})?"
    r"(?P<gap>\s{0,3})(?P<inner>\()?(?P<minus>[-−])?\Z"
)
_RIGHT = re.compile(
    rf"(?P<close>\s?\))?(?:\s{{0,2}}(?P<points>percentage\s+points?\b|pp\b|ppts?\b|%-?\s?points?\b)|"
    rf"\s{{0,2}}(?P<percent>{PERCENT})|\s?(?P<basis>basis\s+points?\b|bps?\b)|"
    r"[\s-]{0,2}(?P<scale>(?a:(?:thousand|million|billion|trillion|lakh|crore)s?\b|(?:mio|mrd|mln|mn|mm|bn|tn)\b\.?))|"
    r"(?P<letter>(?a:[kKMBmbtT]))(?![\w/-])|\s?(?P<times>x(?![\w(])(?!\s*\d)|times\b)|(?P<colon>:\d+(?:\.\d+)?)(?![\w:]))?"
    rf"(?:\s?(?P<after>{AFTER})(?:\s(?P<late>(?a:thousand|million|billion))\b)?|\s(?P<cents>cents?\b))?(?P<end>\s?\))?",
    re.IGNORECASE,
)
_PART_OF_A_NAME = re.compile(r"(?:[A-Za-z_#@&]|[A-Za-z][’'-]|\d[.,/:]?|[A-Za-z][./])\Z")
_GOES_ON = re.compile(r"[A-Za-z_@]|[-‑][A-Z]\b|[.,/]\d|:\d\d\b")
_REFERENCE = re.compile(
    r"\b(?:items?|notes?|sections?|sec\.|figures?|fig\.|tables?|pages?|pp?\.|chapters?|exhibits?|forms?|steps?|parts?|"
    r"articles?|appendix|schedules?|asc|asu|ifrs|ias|no\.|paragraphs?|rules?|levels?|version|v\.|"
    r"s&p|russell)\s*\(?\Z|§\s?\Z",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"[a-z] ?\Z")
_LINE_START = re.compile(r"(?:^|\n)[ \t]*[\[(]?\Z")
_MARKED = re.compile(r"\.[ \t]+\S|[)\]][ \t]+[^\W\d]")
_UNITS = ("points", "percent", "basis", "scale", "letter", "times", "colon", "after", "cents")
_AFTER_OPERATOR = re.compile(r"(?:[×*÷^+/][\s(]?|\bx\s|\)\s?[-−–]\s?|\b(?:multipl|divid)[a-z]+\s(?:it\s)?by\s)\Z")
_BEFORE_OPERATOR = re.compile(r"\s?[×*÷^+/]|[\s-]decimal")
_HEDGES = re.compile(
    r"(?:(?P<about>\b(?:about|around|approximately|approx\.|roughly|circa|ca\.|some)|[~≈])|"
    r"(?P<over>\b(?:over|above|more\s+than|at\s+least|exceed(?:s|ed|ing)))|"
    r"(?P<under>\b(?:under|below|less\s+than|fewer\s+than|nearly|almost)))\s*\Z",
    re.IGNORECASE,
)
_SIGNS = (".", "~", "≈", "§")
_LONGEST = 30
"""The most characters of a number: anything longer is a key or a hash."""

_NEAR = 30
"""Characters before a number in which references and hedges are looked for."""


def amounts(text: str) -> Iterator[Number]:
    """The numbers in digits, without list markers, references, and digits within names."""
    if _DIGIT.search(text) is None:
        return
    continental = is_continental(text)
    for match in _NUMBER.finditer(text):
        left = _LEFT.search(text[max(0, match.start() - 12) : match.start()])
        right = _RIGHT.match(text, match.end())
        if left is None or right is None or not _stands_for_itself(text, match, left, right):
            continue
        yield _read(text, match, left, right, continental=continental)


def _stands_for_itself(text: str, match: re.Match[str], left: re.Match[str], right: re.Match[str]) -> bool:
    first, last = match.span()
    if last - first > _LONGEST:
        return False
    if left["currency"] is None and _PART_OF_A_NAME.search(text, max(0, first - 2), first):
        return False
    if _GOES_ON.match(text, last) and not _has_unit(right):
        return False
    if match.group() == "3" and right["letter"] == "M" and left["currency"] is None:  # the company
        return False
    bare = left["currency"] is None and not _has_unit(right)
    if not bare:
        return True
    before = text[max(0, first - _NEAR) : first]
    return not (_is_reference(match, before) or _is_list_marker(text, match, before) or _is_operand(text, match))


def _is_reference(match: re.Match[str], before: str) -> bool:
    short = len(match.group()) <= 4 and "," not in match.group() and not _is_year(match.group())
    return short and _worded(before.rstrip().removesuffix("(")) and _REFERENCE.search(before) is not None


def _worded(before: str) -> bool:
    """Whether the text ends in a word, its abbreviation or a sign, so that word patterns need not try each figure."""
    last = before.rstrip()[-1:]
    return last.isalpha() or last in _SIGNS


def _is_operand(text: str, match: re.Match[str]) -> bool:
    """Whether the number is a constant of a formula, such as "× 100", "/ 2" or "+ 0", or counts decimals."""
    if not match.group().isdigit() or int(match.group()) > 100:
        return False
    before = text[max(0, match.start() - _NEAR) : match.start()]
    return bool(_AFTER_OPERATOR.search(before) or _BEFORE_OPERATOR.match(text, match.end()))


def _is_list_marker(text: str, match: re.Match[str], before: str) -> bool:
    short = match.group().isdigit() and len(match.group()) <= 2
    return bool(short and _LINE_START.search(before) and _MARKED.match(text, match.end()))


def _has_unit(right: re.Match[str]) -> bool:
    return right.start() < right.end() and any(right.group(*_UNITS))


def _read(text: str, match: re.Match[str], left: re.Match[str], right: re.Match[str], *, continental: bool) -> Number:
    read = read_digits(match.group(), continental=continental)
    unit = _currency(left["currency"] or right["after"])
    scaling = _scaling(right, unit)
    kind, factor = _kind(right)
    if scaling is None and not right["cents"] and kind == "number" and unit is None and _is_year(match.group()):
        year = CalendarDate(int(match.group()))
        return Number(match.group(), match.start(), match.end(), "date", read.value, dates=(year,))
    value = read.value / Decimal(right["colon"][1:]) if right["colon"] and Decimal(right["colon"][1:]) else read.value
    factor *= (scaling or ONE) * (Decimal("0.01") if right["cents"] else ONE)
    opened = match.start() - len(left.group())
    in_prose = left["currency"] is not None and _WORD_BEFORE.search(text[max(0, opened - 2) : opened]) is not None
    accounting = _in_accounting_parentheses(match.group(), left, right, unit) and (
        left["inner"] is not None or not in_prose
    )
    bullet = left["sign"] and left["gap"] and not left["currency"] and not text[:opened].rpartition("\n")[2].strip()
    negative = (left["sign"] and not bullet) or left["minus"] or accounting
    start, end = _extent(match, left, right, scaling=scaling)
    return Number(
        text=text[start:end],
        start=start,
        end=end,
        kind=kind,
        value=(-value if negative else value) * factor,
        quantum=read.quantum * factor,
        unit=unit or ("USD" if right["cents"] else None),
        scale=scaling,
        hedge=_hedge(text[max(0, start - _NEAR) : start]),
        points=right["points"] is not None,
    )


def _kind(right: re.Match[str]) -> tuple[Kind, Decimal]:
    if right["percent"] or right["points"]:
        return "percent", ONE
    if right["basis"]:
        return "percent", Decimal("0.01")
    return ("ratio", ONE) if right["times"] or right["colon"] else ("number", ONE)


def _scaling(right: re.Match[str], unit: str | None) -> Decimal | None:
    if right["scale"]:
        return scale(right["scale"].rstrip("."))
    if right["late"]:
        return scale(right["late"])
    letter = right["letter"]
    if letter and (unit is not None or letter in "kKMB"):  # 5 m are metres, $5m are millions
        return scale(letter)
    return None


def _currency(symbol: str | None) -> str | None:
    return None if symbol is None else CURRENCIES.get(symbol.lower().split()[-1])


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits.isdigit() and 1900 <= int(digits) <= 2100


def _in_accounting_parentheses(digits: str, left: re.Match[str], right: re.Match[str], unit: str | None) -> bool:
    closed = (left["open"] or left["inner"]) and (right["close"] or right["end"])
    telling = unit is not None or not digits.isdigit() or len(digits) > 1 or right["percent"]
    return bool(closed and telling)


def _extent(
    match: re.Match[str], left: re.Match[str], right: re.Match[str], *, scaling: Decimal | None
) -> tuple[int, int]:
    """From the sign or currency to the unit; with the parentheses where they hold the number alone."""
    closed = bool((left["open"] or left["inner"]) and (right["close"] or right["end"]))
    start, end = match.start(), match.end()
    if closed:
        return start - len(left.group().lstrip()), right.end()
    if left["currency"]:
        start -= len(left.group()) - len(left["open"] or "")
    elif left["minus"] or (left["sign"] and not left["gap"]):
        start -= 1
    if _has_unit(right) and not (right["letter"] and scaling is None):
        end = right.end() - len(right["end"] or "")
    return start, end


def _hedge(before: str) -> Hedge | None:
    hedge = _HEDGES.search(before) if _worded(before) else None
    if hedge is None:
        return None
    return "about" if hedge["about"] else "over" if hedge["over"] else "under"
