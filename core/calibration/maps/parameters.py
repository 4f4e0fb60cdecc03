"""A map's parameters from JSON: what each method's `from_parameters` reads."""

from __future__ import annotations

from core.types import JsonValue


def number(value: JsonValue) -> float:
    """The number; TypeError on anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected a number, found {value!r}")
    return float(value)


def numbers(value: JsonValue) -> tuple[float, ...]:
    """The numbers of a list; TypeError on anything else."""
    return tuple(number(item) for item in items(value))


def items(value: JsonValue) -> list[JsonValue]:
    """The list; TypeError on anything else."""
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value
