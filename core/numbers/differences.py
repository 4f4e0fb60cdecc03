"""Differences of two percentages that a sentence states: from 3% to 5% are 2 percentage points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from hcat.core.numbers.number import Direction, Number, Surroundings

_MOST_BETWEEN = 60
"""The most characters between two percentages that are compared."""
_FROM = re.compile(r"\bfrom\s+\S{0,3}\Z", re.IGNORECASE)
_END = re.compile(r"[.;!?]\s|\n")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def differences(text: str, numbers: Sequence[Number]) -> Iterator[Number]:
    """The differences of adjacent percentages of a sentence or row, in percentage points."""
    levels = [number for number in numbers if number.kind == "percent" and not number.points]
    for first, second in pairwise(levels):
        between = text[first.end : second.start]
        if len(between) > _MOST_BETWEEN or _END.search(between) or first.value == second.value:
            continue
        step = second.value - first.value
        yield replace(
            first,
            text=text[first.start : second.end],
            end=second.end,
            value=abs(step),
            quantum=max(first.quantum, second.quantum),
            points=True,
            derived=True,
            hedge=None,
            surroundings=Surroundings(_direction(text, first, second, rising=step > 0)),
        )


def _direction(text: str, first: Number, second: Number, *, rising: bool) -> Direction | None:
    """The direction by "from … to", or by the years after both; None if the order is unclear."""
    forwards: bool | None = None
    if re.search(r"\bto\b", text[first.end : second.start]):
        forwards = _FROM.search(text[max(0, first.start - 12) : first.start]) is not None or None
    else:
        earlier, later = _YEAR.search(text, first.end, second.start), _YEAR.match(text, _year_at(text, second.end))
        if earlier and later and earlier.group() != later.group():
            forwards = earlier.group() < later.group()
    if forwards is None:
        return None
    return "up" if rising == forwards else "down"


def _year_at(text: str, end: int) -> int:
    match = re.compile(r"\s(?:in|for)\s(?:fiscal\s)?").match(text, end)
    return match.end() if match else end
