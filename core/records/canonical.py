"""JSON in the one form that RFC 8785 (JSON Canonicalization Scheme) gives each value: same value, same bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal

from hcat.core.types import JsonValue

MOST_EXACT = 2**53 - 1
"""Whole numbers beyond this are not exact in JSON's double precision, and are refused."""

Json = JsonValue | Sequence["Json"] | Mapping[str, "Json"]


def canonical_json(value: Json) -> bytes:
    """The value in RFC 8785's form: keys sorted by their UTF-16 units, no spaces, numbers as ECMAScript writes them.

    ValueError for what has no such form: NaN, infinite numbers, whole numbers beyond 2^53 − 1, halves of surrogate
    pairs.
    """
    return _text(value).encode("utf-8")


def _text(value: Json) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        if abs(value) > MOST_EXACT:
            raise ValueError(f"{value} is too long a whole number for canonical JSON: write it as text")
        return str(value)
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{_text(value[key])}" for key in keys) + "}"
    return "[" + ",".join(map(_text, value)) + "]"


def number_text(value: float) -> str:
    """The shortest decimal that reads back as this double, as ECMAScript's Number::toString writes it."""
    if not math.isfinite(value):
        raise ValueError(f"{value} has no canonical JSON form")
    if value == 0:
        return "0"
    sign, digits_of, exponent = Decimal(repr(value)).normalize().as_tuple()
    digits, minus = "".join(map(str, digits_of)), "-" if sign else ""
    point = len(digits) + int(exponent)  # where the decimal point stands, counted from the first digit
    if len(digits) <= point <= 21:
        return minus + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{minus}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{digits}"
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{minus}{mantissa}e{point - 1:+d}"
