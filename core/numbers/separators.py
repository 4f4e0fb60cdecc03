"""Digits with separators in either convention: 1,234.56 and 1.234,56, also 1 234,56 and 1'234.56."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from hcat.core.language import language_of

_SPACE = "\u00a0\u2009\u202f"
DIGITS = (
    rf"(?:\d{{1,3}}(?:[{_SPACE}'’]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d{{1,3}}(?:,\d{{2,3}})*,\d{{3}}(?!\d)(?:\.\d+)?|"
    r"\d{1,3}(?:\.\d{3}){2,}(?!\d)(?:,\d+)?|\d{1,3}\.\d{3},\d+|\d+\.\d+|\d+,\d{1,2}(?!\d)|\.\d+|\d+)"
)
"""The pattern of digits as one number."""

SPACED = r"\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?"
"""Groups separated by plain spaces, which may be cells of a table: read only next to a currency."""

_CONTINENTAL = re.compile(
    r"\d\.\d{3},\d|\d(?:\.\d{3}){2,}(?!\d)|"
    r"(?<![\d.,])\d{1,3},\d{1,2}\s?(?:%|€|EUR\b|[Ee]uros?\b|CHF\b|Prozent|Mio|Mrd)|(?:€|EUR|CHF)\s?\d{1,3}(?:\.\d{3})*,\d{1,2}(?!\d)"
)
_GROUP = re.compile(r"(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,])")
"""Digits that may be thousands or decimals."""
_AFTER_EURO = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?:,-)?\s?(?:€|EUR\b|[Ee]uros?\b|CHF\b|Franken\b)")
"""Thousands of euros: nobody writes euros with three decimals, and English puts the sign before them."""
_ENGLISH = re.compile(r"\d,\d{3}\.\d|\d(?:,\d{3}){2,}(?!\d)|[$£]\s?\d{1,3}(?:,\d{3})|(?<![\d.,])\d{1,3}\.\d{1,2}\s?%")


_CONTINENTAL_LANGUAGES = frozenset({"German", "French", "Spanish", "Italian", "Portuguese", "Dutch"})


@dataclass(frozen=True, slots=True)
class Digits:
    """A value, and the place of its last digit."""

    value: Decimal
    quantum: Decimal


def is_continental(text: str) -> bool:
    """Whether the text writes 1.234,56: by its unambiguous numbers, else by thousands of euros or its language."""
    continental, english = len(_CONTINENTAL.findall(text)), len(_ENGLISH.findall(text))
    if continental or english or _GROUP.search(text) is None:
        return continental > english
    if _AFTER_EURO.search(text) is not None:
        return True
    return language_of(text) in _CONTINENTAL_LANGUAGES


def read_digits(text: str, *, continental: bool) -> Digits:
    """The value of a match of `DIGITS`. A single separator before three digits follows the text's convention."""
    plain = re.sub(rf"[{_SPACE}'’ ]", "", text)
    decimal = _decimal_sign(plain, continental)
    digits = "".join(
        "." if character == decimal else character
        for character in plain
        if character not in ",." or character == decimal
    )
    places = len(digits.partition(".")[2])
    return Digits(Decimal(digits), Decimal(1).scaleb(-places))


def _decimal_sign(plain: str, continental: bool) -> str | None:
    signs = [character for character in plain if character in ",."]
    if not signs:
        return None
    last = signs[-1]
    if len(set(signs)) == 2:
        return last
    if len(signs) > 1:
        return None
    first, _, rest = plain.partition(last)
    could_group = len(rest) == 3 and 1 <= len(first) <= 3 and first != "0"
    if not could_group:
        return last
    thousands = "." if continental else ","
    return None if last == thousands else last
