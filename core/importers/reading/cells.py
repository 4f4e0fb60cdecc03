"""Parsers of single values. Each returns the value or raises CellError with what was expected."""

from __future__ import annotations

import math
import re

from hcat.core.importers.limits import LIST_FACTOR, Limits
from hcat.core.importers.problems import describe
from hcat.core.legible import clean_name
from hcat.core.types import JsonValue

LARGEST_WHOLE = 2**31 - 1
LARGEST_IDENTIFIER = 10**40
"""Whole numbers are names and levels below this; longer ones can take seconds to format."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_WHOLE_TEXT = re.compile(r"[+-]?\d{1,18}(?:\.0*)?")
_FLOAT_ID = re.compile(r"(\d{1,18})\.0")
UNREAD = "hcat: unread"
"""The only field of the mark for an unread cell: a description of its content. See `parquet_process`."""


class CellError(Exception):
    """A cell with an unexpected value. `path` leads to the part of the cell, such as `[2].text`."""

    def __init__(self, expected: str, found: str, *, path: str = "") -> None:
        super().__init__(expected)
        self.expected = expected
        self.found = found
        self.path = path


def check_cell(value: JsonValue, limits: Limits, *, textual: bool = False) -> None:
    """Raise CellError if a part of the cell can't be stored: too long, too deep, not finite, not valid Unicode."""
    if isinstance(value, dict) and value.keys() == {UNREAD}:
        raise CellError("a cell that can be read as text", str(value[UNREAD]))
    pending: list[tuple[JsonValue, int]] = [(value, 0)]
    while pending:
        item, depth = pending.pop()
        if isinstance(item, str):
            _check_text(item, limits, textual=textual)
        elif isinstance(item, float) and not math.isfinite(item):
            raise CellError("finite numbers", describe(item))
        elif isinstance(item, list | dict):
            if depth == limits.max_depth:
                raise CellError(f"at most {limits.max_depth} lists within lists", "more")
            if len(item) > limits.max_items:
                raise CellError(f"at most {limits.max_items:,} items in a list", f"{len(item):,} items")
            inner = item if isinstance(item, list) else [*item, *item.values()]
            pending.extend((inner_value, depth + 1) for inner_value in inner)


def without_vectors(value: JsonValue, *, most: int) -> JsonValue:
    """The list or object with null for each list of more than `most` numbers in it: embeddings, log probabilities."""
    if isinstance(value, dict):
        return {name: _without_vector(item, most) for name, item in value.items()}
    return [_without_vector(item, most) for item in value] if isinstance(value, list) else value


def _without_vector(value: JsonValue, most: int) -> JsonValue:
    if isinstance(value, list) and len(value) > most and all(isinstance(item, int | float | None) for item in value):
        return None
    return without_vectors(value, most=most)


def _check_text(text: str, limits: Limits, *, textual: bool) -> None:
    # A list that is spelled out in a CSV cell is longer than any of its items; they are checked again one by one.
    factor = LIST_FACTOR if textual and text.lstrip()[:1] in {"[", "{"} else 1
    if len(text) > factor * limits.max_cell_characters:
        raise CellError(f"at most {limits.max_cell_characters:,} characters", f"{len(text):,} characters")
    if "\x00" in text:
        raise CellError("text without NUL characters", describe(text))
    if not text.isascii() and _SURROGATE.search(text):
        raise CellError("proper Unicode, without half surrogate pairs", describe(text))


def as_text(value: JsonValue) -> str:
    """Text, which may be empty. A number or true/false, as in answers of 0, is read as it is written."""
    if isinstance(value, str):
        return value
    try:
        return as_level(value)
    except CellError:
        raise CellError("text", describe(value)) from None


def as_filled_text(value: JsonValue) -> str:
    """Text that is not blank."""
    if (isinstance(value, str) and not value.strip()) or isinstance(value, list | dict | None):
        raise CellError("text that is not empty", describe(value))
    return as_text(value)


def as_identifier(value: JsonValue) -> str:
    """A name as text: a text without outer blanks that is not empty, or a whole number.

    Also 17.0, which is what pandas makes of 17, as a number or as text."""
    name = (clean_name(value) or value) if isinstance(value, str) else ""
    if name:
        whole = _FLOAT_ID.fullmatch(name)
        return whole[1] if whole else name
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST_IDENTIFIER:
        return str(value)
    raise CellError("a text that is not empty, or a whole number", describe(value))


def as_level(value: JsonValue) -> str:
    """A dimension's level as text: a text, a number, or true/false."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not value.is_integer():
        return repr(value)
    if isinstance(value, int | float):
        return as_identifier(value)
    raise CellError("a text, a number, or true/false", describe(value))


def as_number(value: JsonValue) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e308:
        raise CellError("a finite number", describe(value))
    return float(value)


def as_share(value: JsonValue) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise CellError("a number from 0 to 1", describe(value))
    return float(value)


def as_whole(value: JsonValue) -> int:
    """A whole number from 0; 2.0 counts as one, since pandas writes it for a column with gaps."""
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(whole, bool) or not isinstance(whole, int) or not 0 <= whole <= LARGEST_WHOLE:
        raise CellError("a whole number, 0 or more", describe(value))
    return whole


def number_in_text(value: JsonValue) -> JsonValue:
    """The number in the text of a CSV cell; any other cell unchanged."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if _WHOLE_TEXT.fullmatch(text):
        return int(text.split(".")[0])
    try:
        number = float(text) if "_" not in text else math.nan
    except ValueError:
        return value
    return number if math.isfinite(number) else value
