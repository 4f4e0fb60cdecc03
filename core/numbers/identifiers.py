"""Numbers that name something and count nothing: accounts, cards, phones, file numbers, grouped or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.numbers.number import Number

_NUMBERED = r"(?:\s?(?:number|no|nr|id|nummer)\b\.?)"
_NAMED = (
    rf"(?:(?:a/?c|account|acct|card|phone|telephone|tel|mobile|fax|hotline|call|sort\s?code|routing|konto|telefon){_NUMBERED}?|"
    r"(?:reference|customer|contract|policy|invoice|order|case|ticket|file|registration|licen[cs]e|tax|vat|kunden|"
    rf"vertrags){_NUMBERED})\.?\s?[:#]?\s{{0,2}}(?:is\s|at\s|on\s|unter\s)?"
)
_PATTERNS = (
    re.compile(r"(?<![\w.,-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![\w-])"),  # IBAN
    re.compile(r"(?<![\w.,-])[A-Z]{2} ?[A-Z0-9]{9} ?\d(?![\w-])"),  # ISIN
    re.compile(r"(?<![\w.,-])\d{4}(?P<card>[ -])\d{4}(?P=card)\d{4}(?P=card)\d{4}(?![\d-]|[.,]\d)"),
    re.compile(r"(?<![\w.,-])3\d{3}[ -]\d{6}[ -]\d{5}(?![\d-]|[.,]\d)"),  # a card of 15 digits
    re.compile(r"(?<![\w.,-])(?:\+|00)[1-9]\d{0,2}(?:[ ./-]?\(?\d{1,5}\)?){2,6}(?![\d-]|[.,]\d)"),  # a phone abroad
    re.compile(r"(?<![\w.,/-])(?:1[-. ])?\(\d{3}\)[ -]?\d{3}[ -]\d{4}(?![\d-]|[.,]\d)"),
    re.compile(r"(?<![\w.,/-])(?:1[-. ])?\d{3}[-.]\d{3}[-.]\d{4}(?![\d-]|[.,]\d)"),
    re.compile(r"(?<![\w.,/-])\(?0\d{1,5}\)?(?:[ /-]\d{2,8}){1,4}(?![\d-]|[.,]\d)"),  # a phone at home
    re.compile(r"(?<![\w.,/-])0\d*-\d+(?![\w-]|[.,]\d)"),
    re.compile(r"(?<![\w.,/-])\d{2}-\d{7}(?![\w-]|[.,]\d)|(?<![\w.,/-])\d{5}-\d{4}(?![\w-]|[.,]\d)"),
    re.compile(r"(?<![\w.,/-])\d{2}-\d{2}-\d{2}(?![\w-]|[.,]\d)|(?<![\w.,/-])\d{3}-\d{2}-\d{4}(?![\w-]|[.,]\d)"),
    re.compile(rf"\b{_NAMED}(?P<code>\d[\d -]{{3,}}\d)(?![\w-]|[.,]\d)", re.IGNORECASE),
)
_DIGITS = re.compile(r"\d")
_CARD = re.compile(r"card|karte", re.IGNORECASE)
_YEARS = re.compile(r"(?:(?:19|20)\d\d[ -])+(?:19|20)\d\d")
_LEAST_DIGITS, _MOST_DIGITS = 6, 34
_GROUPED = re.compile(r"\d[ /-]\(?\d|\d\) ?\d|[A-Z] ?\d{2}")
"""A pattern that every identifier here contains, or follows the name of."""
_HINT = re.compile(rf"{_GROUPED.pattern}|(?i:{_NAMED})\d")


def identifiers(text: str) -> Iterator[Number]:
    """The identifiers of a text. Four groups of four digits are a card if their check digit or a word before them says
    so."""
    if _HINT.search(text) is None:
        return
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span("code") if "code" in pattern.groupindex else match.span()
            if _identifies(text, start, end, is_card="card" in pattern.groupindex):
                yield Number(text[start:end], start, end, "identifier")


def _identifies(text: str, start: int, end: int, *, is_card: bool) -> bool:
    written = text[start:end]
    digits = _DIGITS.findall(written)
    if _YEARS.fullmatch(written):
        return False
    if not _LEAST_DIGITS <= len(digits) <= _MOST_DIGITS:
        return False
    if written[:2].isalpha():
        return len(digits) >= len([sign for sign in written if sign.isalpha()])
    return not is_card or _is_checked(digits) or _CARD.search(text, max(0, start - 40), start) is not None


def _is_checked(digits: list[str]) -> bool:
    """Whether the last digit is that of Luhn's formula."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
