"""Scores within cells, by name: objects of numbers, and lists in which tools name each score and its source.

Two scores of one name are never one metric: if sources differ, each is a metric of its own ("correctness (API)"); if
one source gave a sample several, that sample is unscored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hcat.core.importers.extras import says_how_good
from hcat.core.importers.reading.cells import number_in_text
from hcat.core.importers.reading.messages import unpacked
from hcat.core.importers.suggestion import words
from hcat.core.types import JsonValue

_SOURCE = "\x1f"
"""The separator of a score's name and its source, until it is known whether the sources of that name differ."""
_RESULTS = frozenset(
    {"metrics", "results", "result", "ragas", "evals", "evaluations", "assessments", "quality", "stats"}
)
_VALUES = ("score", "value", "avg", "mean", "result")


def by_source(entries: Iterable[tuple[str, str, JsonValue]]) -> dict[str, JsonValue]:
    """One cell for each name and source of these scores: the value, or a list of several of them."""
    cells: dict[str, JsonValue] = {}
    for name, source, value in entries:
        key = f"{name}{_SOURCE}{source}"
        before = cells.get(key)
        cells[key] = value if key not in cells else [*before, value] if isinstance(before, list) else [before, value]
    return cells


def with_names(rows: Sequence[Mapping[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    """The rows with each score under its name, or its name and source if it has several sources."""
    keys = dict.fromkeys(key for row in rows for key in row)
    sources: dict[str, set[str]] = {}
    for key in keys:
        name, _, source = key.partition(_SOURCE)
        sources.setdefault(name, set()).add(source)
    shown = {key: _shown(key, sources) for key in keys}
    return [{shown[key]: cell for key, cell in row.items()} for row in rows]


def _shown(key: str, sources: Mapping[str, set[str]]) -> str:
    name, _, source = key.partition(_SOURCE)
    return name if len(sources[name]) == 1 else f"{name} ({source or 'no source'})"


def unfolded(rows: Sequence[Mapping[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    """The rows with a cell for each number in an object of scores in place of it, `"scores": {"faithfulness": 0.8}`.

    A number also has the name of the object if a column or another object has a number of its name, unless the two are
    the same in every row: then it is one score, which the tool wrote twice."""
    columns = dict.fromkeys(name for row in rows for name in row)
    named = {column for column in columns if _names_scores(column) or _holds_scores(column, rows)}
    found = [
        {column: inner for column, cell in row.items() if column in named and (inner := _numbers(cell)) is not None}
        for row in rows
    ]
    found = _once(rows, found)
    objects: dict[str, set[str]] = {}
    for each in found:
        for column, inner in each.items():
            objects.setdefault(column, set()).update(inner)
    if not objects:
        return [dict(row) for row in rows]
    plain = {name for row in rows for name in row if name not in objects}
    names = [name for inner in objects.values() for name in inner]
    doubled = {name for name in names if names.count(name) > 1 or name in plain}
    return [_unfolded(row, each, doubled) for row, each in zip(rows, found, strict=True)]


def _once(
    rows: Sequence[Mapping[str, JsonValue]], found: Sequence[Mapping[str, Mapping[str, JsonValue]]]
) -> list[dict[str, dict[str, JsonValue]]]:
    """The objects without the numbers that a column, or an object before, has under the same name in every row."""
    there: dict[str, list[JsonValue]] = {}
    twice: set[tuple[str, str]] = set()
    for column, name in dict.fromkeys(
        (column, name) for each in found for column, inner in each.items() for name in inner
    ):
        values = [each.get(column, {}).get(name) for each in found]
        others = there.setdefault(name, [_number(number_in_text(row.get(name))) for row in rows])
        if values == others:
            twice.add((column, name))
        elif all(other is None for other in others):
            there[name] = values
    return [
        {
            column: {name: value for name, value in inner.items() if (column, name) not in twice}
            for column, inner in each.items()
        }
        for each in found
    ]


def _names_scores(column: str) -> bool:
    return says_how_good(column) or bool(_RESULTS.intersection(words(column)))


def _holds_scores(column: str, rows: Sequence[Mapping[str, JsonValue]]) -> bool:
    """Whether every cell is an object of only numbers, one of which has a name of a score."""
    cells = [unpacked(cell) for row in rows if (cell := row.get(column)) is not None]
    objects = [cell for cell in cells if isinstance(cell, dict) and cell]
    return (
        bool(objects)
        and len(objects) == len(cells)
        and all(value is None or isinstance(value, int | float) for cell in objects for value in cell.values())
        and any(says_how_good(name) for cell in objects for name in cell)
    )


def _unfolded(
    row: Mapping[str, JsonValue], found: Mapping[str, Mapping[str, JsonValue]], doubled: set[str]
) -> dict[str, JsonValue]:
    cells = {name: cell for name, cell in row.items() if name not in found}
    for column, inner in found.items():
        cells.update({f"{column}.{name}" if name in doubled else name: value for name, value in inner.items()})
    return cells


def _numbers(cell: JsonValue) -> dict[str, JsonValue] | None:
    """The numbers in an object, or in the score fields of its objects; None if it is anything else."""
    fields = unpacked(cell)
    if not isinstance(fields, dict) or not fields:
        return None
    read = {name: _number(value) for name, value in fields.items()}
    numbers: dict[str, JsonValue] = {name: value for name, value in read.items() if value is not None}
    return numbers or None


def _number(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        value = next((value[name] for name in _VALUES if isinstance(value.get(name), bool | int | float)), None)
    return value if isinstance(value, bool | int | float) else None
