"""Wrong figures in place of right ones, which show whether an answer repeats them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hcat.core.capabilities.robustness.variants.sentence import UNITS
from hcat.core.numbers.number import Number
from hcat.core.numbers.parsing import parse_numbers

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FOLLOWING = re.compile(r"\s+(?:business |calendar |working )?([a-z]+)")
_YES_NO = re.compile(r"(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrongFigure:
    """The `right` figure of a text, as written with its unit, and `text` with a `wrong` one in its place."""

    right: str
    wrong: str
    text: str


def wrong_figure(text: str, distance: float, rng: np.random.Generator, *, of: str | None = None) -> WrongFigure | None:
    """The text with a figure changed by a share of its size, up or down; None without a figure that can be changed.

    With `of`, only a figure that this other text states too is changed, such as the answer's own."""
    wanted = None if of is None else {_digits(number) for number in _changeable(of)}
    for number in _changeable(text):
        if wanted is None or _digits(number) in wanted:
            return _replaced(text, number, distance, rng)
    return None


def opposite_verdict(text: str) -> str | None:
    """ "no" for an answer that begins with yes, and "yes" for one that begins with no."""
    match = _YES_NO.match(text.strip())
    return None if match is None else "no" if match.group(1).lower() == "yes" else "yes"


def _changeable(text: str) -> Iterator[Number]:
    for number in parse_numbers(text):
        if number.kind in {"number", "percent"} and not number.dates and _DIGITS.search(number.text):
            yield number


def _digits(number: Number) -> str:
    match = _DIGITS.search(number.text)
    return "" if match is None else match.group().replace(",", "")


def _replaced(text: str, number: Number, distance: float, rng: np.random.Generator) -> WrongFigure | None:
    match = _DIGITS.search(text, number.start, number.end)
    if match is None:
        return None
    written = match.group()
    decimals = len(written.partition(".")[2])
    value, step = float(written.replace(",", "")), 10.0**-decimals
    change = max(round(value * distance / step), 1) * step
    wrong = value + change if rng.random() < 0.5 or value - change < step else value - change
    grouped = "," in written or (wrong >= 10_000 and "," not in written and decimals == 0 and value < 10_000)
    digits = f"{wrong:,.{decimals}f}" if grouped else f"{wrong:.{decimals}f}"
    end = _end_with_unit(text, number.end)
    right = text[number.start : end]
    changed = text[: match.start()] + digits + text[match.end() :]
    return WrongFigure(right, right.replace(written, digits, 1), changed)


def _end_with_unit(text: str, end: int) -> int:
    following = _FOLLOWING.match(text, end)
    if following is None:
        return end
    unit = following.group(1)
    return following.end() if unit in UNITS or unit.removesuffix("s") in UNITS else end
