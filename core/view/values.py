"""The text of a value in a report, and the full precision that is stored with the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite

from hcat.core.display.messages import say
from hcat.core.display.numbers import (
    MISSING,
    format_count,
    format_difference,
    format_estimate,
    format_number,
    format_p_value,
    format_percent,
)
from hcat.core.types import Estimate
from hcat.core.view.tree import Column, Kind, Quantity, Text, Value

NUMERIC: frozenset[Kind] = frozenset({"number", "count", "percent", "p-value", "difference", "estimate", "share"})

_NUMBER_FORMATS: Mapping[Kind, Callable[[float], str]] = {
    "number": format_number,
    "count": lambda value: format_count(round(value)),
    "percent": format_percent,
    "p-value": format_p_value,
    "difference": format_difference,
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A value's text, and its exact numbers by name: "value", and for estimates "low", "high", "n" too."""

    text: str
    data: Mapping[str, str]


def show(quantity: Quantity) -> Shown:
    """The text of the quantity with its exact numbers. These are the shortest text that reads back as the same
    float."""
    value, kind = quantity.value, quantity.kind
    if value is None:
        return Shown(MISSING, {})
    if isinstance(value, Estimate):
        text = format_estimate(value, percent=kind == "share", signed=kind == "difference")
        return Shown(text, _exact_estimate(value))
    if isinstance(value, str):
        return Shown(say(value) if kind == "verdict" else value, {})
    form = _NUMBER_FORMATS.get(kind, format_number)
    return Shown(form(value) if isfinite(value) else MISSING, _exact(value=value))


def _exact_estimate(estimate: Estimate) -> dict[str, str]:
    return _exact(value=estimate.value, low=estimate.low, high=estimate.high, n=estimate.n)


def _exact(**numbers: float) -> dict[str, str]:
    return {name: repr(number) for name, number in numbers.items() if isfinite(number)}


def text_of(text: Text) -> str:
    """A text as one string, for where nothing but a string can be."""
    return "".join(show(part).text if isinstance(part, Quantity) else part for part in text)


def cell(value: Value, column: Column) -> Shown:
    """A table's value under its column."""
    return show(value if isinstance(value, Quantity) else Quantity(value, column.kind))


def verdict_word(value: Value) -> str:
    """The word of a verdict, in English, as code knows it; a dash where there is none."""
    word = value.value if isinstance(value, Quantity) else value
    return MISSING if word is None else str(word)


def breakable(text: str) -> str:
    """A number's text for a narrow column: "0.71 [0.65, 0.77], n = 83" breaks before its interval and before its n."""
    return re.sub(r" (?!\[|n = )", "\N{NO-BREAK SPACE}", text)
