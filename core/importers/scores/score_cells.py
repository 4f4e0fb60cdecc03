"""One cell of another tool's scores: a number, or why it is none."""

from __future__ import annotations

import math
import re

from hcat.core.importers.reading.cells import number_in_text
from hcat.core.types import JsonValue, Score

EMPTY = "empty in the file"
NOT_A_NUMBER = "not a number in the file"
INFINITE = "infinite in the file"
SEVERAL = "several numbers in one cell of the file"

DECIMAL_COMMA = "written with a decimal comma: use a point"

_WORDS = {"true": 1.0, "false": 0.0}
_WITH_COMMA = re.compile(r"[+-]?\d+,\d+")
_NOT_FINITE = {"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"}
_ABSENT = {"nan", "null", "none", "n/a", "na"}


def score_cell(value: JsonValue, *, textual: bool) -> Score:
    """The cell as a score. True is 1 and false is 0; a list of one number, as Langfuse writes it, is that number.

    In a `textual` file, as CSV is, numbers and true or false are spelled out.
    """
    if textual and isinstance(value, str):
        value = _spelled_out(value.strip())
    if isinstance(value, list):
        return score_cell(value[0], textual=False) if len(value) == 1 else Score(None, SEVERAL if value else EMPTY)
    if value is None or value == "":
        return Score(None, EMPTY)
    if isinstance(value, bool):
        return Score(float(value))
    if isinstance(value, int | float):
        return _finite(value)
    is_comma = isinstance(value, str) and _WITH_COMMA.fullmatch(value) is not None
    return Score(None, DECIMAL_COMMA if is_comma else NOT_A_NUMBER)


def _spelled_out(text: str) -> JsonValue:
    lowered = text.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if lowered in _NOT_FINITE:
        return math.inf
    if lowered in _ABSENT:
        return None
    inner = text[1:-1].strip() if text.startswith("[") and text.endswith("]") else ""
    if inner and "," not in inner:
        return number_in_text(inner)
    return number_in_text(text)


def _finite(value: float) -> Score:
    try:
        number = float(value)
    except OverflowError:
        return Score(None, INFINITE)
    if math.isnan(number):
        return Score(None, EMPTY)
    return Score(number) if math.isfinite(number) else Score(None, INFINITE)
