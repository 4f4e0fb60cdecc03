"""JSON of unknown origin as values: what would crash Python's reader, or be read as infinite, is refused."""

from __future__ import annotations

import json
import math
from typing import cast

from hcat.core.types import JsonValue

DEEPEST = 100
"""The deepest nesting of lists and objects; no document of hcat has half as many levels."""
MOST_DIGITS = 40
"""The most digits of an integer, as in run files."""


def json_value(text: str | bytes) -> JsonValue:
    """The value of the text; NaN is null.

    ValueError, in a few words, if it is not JSON, is nested more than `DEEPEST` levels deep, or has a number that is
    infinite or too long."""
    try:
        value = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_constant)
    except RecursionError:
        raise _too_deep() from None
    _check_depth(value)
    return cast(JsonValue, value)


def json_object(text: str | bytes) -> dict[str, JsonValue]:
    """The object in the text. ValueError if it is another value, or as in `json_value`."""
    value = json_value(text)
    if not isinstance(value, dict):
        raise ValueError("an object was expected")
    return value


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MOST_DIGITS:
        raise ValueError(f"a whole number of more than {MOST_DIGITS} digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _constant(digits[:MOST_DIGITS])
    return number


def _constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(f"the number {name} is not finite")


def _check_depth(value: JsonValue) -> None:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for item in level
            if isinstance(item, list | dict)
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, list | dict)
        ]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> ValueError:
    return ValueError(f"it is nested too deeply: more than {DEEPEST} levels")
