"""Parsers of cells with a list or an object, as in `cells`; an error names the place in the cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hcat.core.importers.problems import describe
from hcat.core.importers.reading.cells import CellError, as_identifier, as_level, as_number, as_text, as_whole
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import JsonValue, Variant

T = TypeVar("T")


def as_list(value: JsonValue) -> list[JsonValue]:
    """A list."""
    if not isinstance(value, list):
        raise CellError('a list, such as ["first", "second"]', describe(value))
    return value


def as_object(value: JsonValue) -> dict[str, JsonValue]:
    """An object with named fields."""
    if not isinstance(value, dict):
        raise CellError('an object, such as {"name": "value"}', describe(value))
    return value


def as_metadata(value: JsonValue) -> dict[str, JsonValue]:
    """An object; anything else is its one field `metadata`."""
    return value if isinstance(value, dict) else {"metadata": value}


def as_texts(value: JsonValue) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(within(f"[{index}]", as_text, item) for index, item in enumerate(as_list(value)))


def as_identifiers(value: JsonValue) -> tuple[str, ...]:
    """A list of names."""
    return tuple(within(f"[{index}]", as_identifier, item) for index, item in enumerate(as_list(value)))


def as_levels(value: JsonValue) -> dict[str, str]:
    """Dimensions with their levels; a dimension that is null is left out."""
    fields = as_object(value)
    return {name: within(f".{name}", as_level, level) for name, level in fields.items() if level is not None}


def as_grades(value: JsonValue) -> dict[str, int]:
    """Passage ids with their relevance grades; one that is null is left out, since columns of objects fill gaps with
    it."""
    fields = as_object(value)
    return {
        as_identifier(name) if name else name: within(f".{name}", as_whole, grade)
        for name, grade in fields.items()
        if grade is not None
    }


def as_grades_or_identifiers(value: JsonValue) -> dict[str, int]:
    """Passage ids with their grades; a list of ids, or a single one, means grade 1 for each."""
    if isinstance(value, dict):
        return as_grades(value)
    if isinstance(value, list):
        return dict.fromkeys(as_identifiers(value), 1)
    try:
        return {as_identifier(value): 1}
    except CellError:
        raise CellError('ids with grades, such as {"p1": 2}, or a list of ids', describe(value)) from None


def as_one_or_more_texts(value: JsonValue) -> tuple[str, ...]:
    """A list of texts, or a single one."""
    return (value,) if isinstance(value, str) else as_texts(value)


def as_variant(value: JsonValue) -> Variant:
    """The change of a test case: an object with `family`, `of` and, if known, `strength`."""
    fields = as_object(value)
    strength = fields.get("strength")
    return Variant(
        family=within(".family", as_text, fields.get("family")),
        of=within(".of", as_identifier, fields.get("of")),
        strength=None if strength is None else within(".strength", as_number, strength),
    )


def passage_id(text: str) -> str:
    """An id for a passage without one, from its text: equal texts are one passage."""
    return sha256_of_text(text)[:16]


def within(path: str, parse: Callable[[JsonValue], T], value: JsonValue) -> T:
    """The result of `parse` on a part of a cell; an error says which part."""
    try:
        return parse(value)
    except CellError as error:
        raise CellError(error.expected, error.found, path=path + error.path) from None
