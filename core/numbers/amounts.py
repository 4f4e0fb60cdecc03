"""Amounts, percentages, ratios and plain numbers in digits, with the signs, units and scale words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from hcat.core.numbers.number import ONE, CalendarDate, Hedge, Kind, Number
from hcat.core.numbers.separators import DIGITS, SPACED, is_continental, read_digits
from hcat.core.numbers.words import CURRENCIES, scale

_CODES = (
    "USD|EUR|GBP|JPY|CHF|CAD|AUD|INR|CNY|RMB|SEK|NOK|DKK|NZD|HKD|SGD|MXN|BRL|ZAR|PLN|CZK|HUF|RON|TRY|KRW|THB|AED|ILS"
)
_NAMES = r"dollars?|US-Dollars?|euros?|pounds?|Pfund|yen|(?:Swiss\s)?francs|(?:Schweizer\s)?Franken"
_BEFORE = rf"(?:US\$|U\.S\.\$|(?:CA|AU|NZ|HK|MX|[ACRS])\$|[$€£¥₹₺₩₪]|\b(?:{_CODES}))"
AFTER = rf"(?:[€£¥₺₩₪](?!\s?\d)|zł|(?:{_CODES}|{_NAMES})\b)"
PERCENT = r"(?:%|per\s?cent\b|pct\b|Prozent\b)"

_NUMBER = re.compile(
    rf"(?=[\d.])(?:(?:(?<=[€$£])|(?<=[€$£] )|(?<=EUR ))(?<!\d ){SPACED}|(?<![\d.,]){SPACED}(?=\s?{AFTER})|{DIGITS})"
)
_DIGIT = re.compile(r"\d")
_LEFT = re.compile(
    rf"(?P<open>\(\s?)?(?P<sign>(?<![\w%)\]])[-−–])?(?P<currency>{_BEFORE})?"
    r"(?P<gap>\s{0,3})(?P<inner>\()?(?P<minus>(?<![\w%)\]])[-−])?\Z"
)
_RIGHT = re.compile(
    rf"(?P<close>\s?\))?(?:\s{{0,2}}(?P<points>percentage\s+points?\b|pp\b|ppts?\b|%-?\s?points?\b|Prozentpunkte?n?\b)|"
    rf"\s{{0,2}}(?P<percent>{PERCENT})|\s?(?P<basis>basis\s+points?\b|bps?\b)|"
    r"[\s-]{0,2}(?P<scale>(?a:(?:thousand|million|billion|trillion|lakh|crore)s?\b|(?:Tausend|Millionen|Milliarden?)\b|"
    r"(?:tsd|mio|mrd|mln|mn|mm|bn|tn)\b\.?))|"
    r"\s?(?P<kilo>(?-i:[Tk]))(?=(?-i:EUR|USD|CHF|GBP)\b|€)|(?P<letter>(?a:[kKMBmbtT]))(?![\w/-])|"
    r"\s?[×x*]\s?10(?:\s?\^\s?(?P<power>-?\d{1,2})|(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))|\s?(?P<times>(?-i:x)(?![\w(])(?!\s*\d)|times\b)|(?P<colon>:\d+(?:\.\d+)?)(?![\w:]))?"
    rf"(?:\s?(?P<after>{AFTER})(?:\s(?P<late>(?a:thousand|million|billion))\b)?|\s(?P<cents>cents?\b))?(?P<end>\s?\))?",
    re.IGNORECASE,
)
_PART_OF_A_NAME = re.compile(r"(?:[A-Za-z_#@&]|[A-Za-z][’'-]|\d[.,/:]?|[A-Za-z][./])\Z")
_ATTACHED = re.compile(r"[\w)]\(\Z")
"""The text before the number of a paragraph, such as 401(a)(17), or of a footnote."""
_GOES_ON = re.compile(r"[A-Za-z_@]|\([a-z]{1,3}\)|[-‑][A-Z]\b|[.,/]\d|:\d\d\b")
_REFERENCE = re.compile(
    r"\b(?:items?|notes?|sections?|sec\.|figures?|fig\.|tables?|pages?|pp?\.|chapters?|exhibits?|forms?|steps?|parts?|"
    r"articles?|appendix|schedules?|asc|asu|ifrs|ias|no\.|paragraphs?|rules?|levels?|version|v\.|"
    r"s&p|russell)\s*\(?\Z|§\s?\Z",
    re.IGNORECASE,
)
_LINE_START = re.compile(r"(?:^|\n)[ \t]*[\[(]?\Z")
_SENTENCE_START, _SENTENCE_AFTER = re.compile(r"[.:;!?]\s+\Z"), re.compile(r"[.)]\s+[A-Z]")
_MARKED = re.compile(r"\.[ \t]+\S|[)\]][ \t]+[^\W\d]")
_UNITS = (
    "points",
    "percent",
    "basis",
    "scale",
    "letter",
    "kilo",
    "power",
    "raised",
    "times",
    "colon",
    "after",
    "cents",
)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_AFTER_OPERATOR = re.compile(r"(?:[×*÷^+/][\s(]?|\bx\s|\)\s?[-−–]\s?|\b(?:multipl|divid)[a-z]+\s(?:it\s)?by\s)\Z")
_BEFORE_OPERATOR = re.compile(r"\s?[×*÷^/]|\s?\+\s?[\d($€£]|[\s-]decimal")
_MORE = re.compile(r"\+(?=\s|-|\Z)")
_HEDGES = re.compile(
    r"(?:(?P<about>\b(?:about|around|approximately|approx\.|roughly|circa|ca\.|some)|[~≈])|"
    r"(?P<over>\b(?:over|above|more\s+than|at\s+least|exceed(?:s|ed|ing)))|"
    r"(?P<under>\b(?:under|below|less\s+than|fewer\s+than|nearly|almost)))\s*\Z",
    re.IGNORECASE,
)
_OPERATION_BEFORE = re.compile(r"[*×÷^/+−]\Z|\s[-–x]\Z")
_OPERATION_AFTER = re.compile(r"[*×÷^/+=]|[-–−]\s")
_CELLS = re.compile(r"(?:\d[\d.,]*|[$€£%()|\s—–-]|\bx\b)*")
"""The rest of a line of a statement after a number: further numbers."""
_GOVERNED = re.compile(r"(?:\b(?:is|was|were|are|be|of|at|to|by|from|totall?ed|totall?ing)|[:=])\Z", re.IGNORECASE)
"""The text before a number that is itself the value: "an effective rate of (0.6%)", "Dividends: (389)"."""
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|may|can|must|would|should|costs?|pays?|applies|increased|decreased|rose|fell|"
    r"grew|declined|includes?|represents?|you|we|our|your)\b",
    re.IGNORECASE,
)
_WORD_AT_END = re.compile(r"[^\W\d_][^\w\s]{0,2}\Z")
_SIGNS = (".", "~", "≈", "§")
_LONGEST = 30
"""The most characters of a number: anything longer is a key or a hash."""

_NEAR = 30
"""The number of characters before a number that are searched for references and hedges."""


def amounts(text: str) -> Iterator[Number]:
    """The numbers in digits, without list markers, references, and digits within names."""
    if _DIGIT.search(text) is None:
        return
    continental, read_to = is_continental(text), 0
    for match in _NUMBER.finditer(text):
        # The rest of the amount before, as in "5 EUR (99 EUR for two)", is not read again.
        left = _LEFT.search(text, max(read_to, match.start() - 12), match.start())
        right = _RIGHT.match(text, match.end())
        if left is None or right is None or not _is_standalone(text, match, left, right):
            continue
        number = _read(text, match, left, right, continental=continental)
        read_to = max(read_to, number.end)
        yield number


def _is_standalone(text: str, match: re.Match[str], left: re.Match[str], right: re.Match[str]) -> bool:
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
    if right["close"] and len(match.group()) <= 3 and _ATTACHED.search(text, max(0, first - 2), first):
        return False
    before = text[max(0, first - _NEAR) : first]
    return not (_is_reference(match, before) or _is_list_marker(text, match, before) or _is_operand(text, match))


def _is_reference(match: re.Match[str], before: str) -> bool:
    short = len(match.group()) <= 4 and "," not in match.group() and not _is_year(match.group())
    return short and _worded(before.rstrip().removesuffix("(")) and _REFERENCE.search(before) is not None


def _worded(before: str) -> bool:
    """Whether the text ends in a word, its abbreviation or a sign, so that word patterns need not be tried on each
    figure."""
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
    if not short:
        return False
    at_line = _LINE_START.search(before) and _MARKED.match(text, match.end())
    return bool(at_line or (_SENTENCE_START.search(before) and _SENTENCE_AFTER.match(text, match.end())))


def _has_unit(right: re.Match[str]) -> bool:
    return right.start() < right.end() and any(right.group(*_UNITS))


def _read(text: str, match: re.Match[str], left: re.Match[str], right: re.Match[str], *, continental: bool) -> Number:
    read = read_digits(match.group(), continental=continental)
    unit = _currency(left["currency"] or right["after"])
    if left["currency"] and right["after"] and _currency(right["after"]) != unit:  # "USD 5 EUR 4.60"
        right = _without_unit_after(text, match, right)
    scaling = _scaling(right, unit)
    kind, factor = _kind(right)
    if scaling is None and not right["cents"] and kind == "number" and unit is None and _is_year(match.group()):
        year = CalendarDate(int(match.group()))
        return Number(match.group(), match.start(), match.end(), "date", read.value, dates=(year,))
    value = read.value / Decimal(right["colon"][1:]) if right["colon"] and Decimal(right["colon"][1:]) else read.value
    factor *= (scaling or ONE) * (Decimal("0.01") if right["cents"] else ONE)
    # A sign with a gap before the number is a dash, a bullet or a subtraction.
    signed = left["sign"] and (left["currency"] or not left["gap"])
    negative = signed or left["minus"] or _in_accounting_parentheses(text, match, left, right)
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
        hedge="over" if _MORE.match(text, end) else _hedge(text[max(0, start - _NEAR) : start]),
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
    if right["kilo"]:
        return scale("thousand")
    if right["power"] or right["raised"]:
        return _power(right["power"] or right["raised"].translate(_RAISED))
    letter = right["letter"]
    if letter and (unit is not None or letter in "kKMB"):  # 5 m are metres, $5m are millions
        return scale(letter)
    return None


def _power(exponent: str) -> Decimal | None:
    return ONE.scaleb(int(exponent)) if exponent.lstrip("-").isdigit() else None


def _currency(symbol: str | None) -> str | None:
    return None if symbol is None else CURRENCIES.get(symbol.lower().split()[-1])


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits.isdigit() and 1900 <= int(digits) <= 2100


def _without_unit_after(text: str, match: re.Match[str], right: re.Match[str]) -> re.Match[str]:
    shorter = _RIGHT.match(text, match.end(), right.start("after"))
    return right if shorter is None else shorter


def _in_accounting_parentheses(text: str, match: re.Match[str], left: re.Match[str], right: re.Match[str]) -> bool:
    """Whether parentheses make the number negative, as they only do in financial statements."""
    if not ((left["open"] or left["inner"]) and (right["close"] or right["end"])):
        return False
    digits = match.group()
    opened = left.start("open" if left["open"] else "currency" if left["currency"] else "inner")
    before, after = text[:opened].rpartition("\n")[2].rstrip(), text[right.end() :].partition("\n")[0].strip()
    if _OPERATION_BEFORE.search(before) or _OPERATION_AFTER.match(after):
        return False
    if (left["inner"] and left["currency"]) or (right["close"] and _has_unit(right)):
        return True  # $(95) million, (0.6)%
    if right["after"] or right["cents"] or (left["currency"] or "").isalpha():
        return False
    if not (left["currency"] or not digits.isdigit() or len(digits) > 1 or right["percent"]):
        return False
    if _GOVERNED.search(before):
        return True
    if before and (right["scale"] or right["letter"]):  # the same amount on another scale
        return False
    if _SENTENCE.search(before) or not _CELLS.fullmatch(after):
        return False
    if _WORD_AT_END.search(before) is None:
        return True
    return not right["percent"] and (left["currency"] is not None or not digits.isdigit() or len(digits) > 2)


def _extent(
    match: re.Match[str], left: re.Match[str], right: re.Match[str], *, scaling: Decimal | None
) -> tuple[int, int]:
    """The span from the sign or currency to the unit, with parentheses that contain the number alone."""
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
