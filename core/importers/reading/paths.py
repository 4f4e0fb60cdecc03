"""Paths to values within a cell: `inputs.question`, `outputs.documents[].page_content`, `choices[0].message`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hcat.core.importers.reading.messages import unpacked
from hcat.core.types import JsonValue

_STEP = re.compile(r"\.?(?P<name>[^.\[\]]+)|\[(?P<place>-?\d*)\]|\.?\[(?P<quote>['\"])(?P<quoted>.+?)(?P=quote)\]")


@dataclass(frozen=True, slots=True)
class CellPath:
    """A column, and the steps from its cell inwards: the name of a field, an index of a list, or None for each item."""

    column: str
    steps: tuple[str | int | None, ...]

    def value(self, cells: Mapping[str, JsonValue]) -> JsonValue:
        """The value at the path; None if there is none. For several items a list."""
        return _follow(cells.get(self.column), self.steps)


def cell_path(text: str, columns: Collection[str]) -> CellPath | None:
    """The path that begins with one of the columns, the longest that fits; None if none does."""
    for column in sorted(columns, key=len, reverse=True):
        rest = text.removeprefix(column)
        if column and rest != text and rest[:1] in (".", "[") and (steps := _steps(rest)):
            return CellPath(column, steps)
    return None


def paths_in(cells: Mapping[str, JsonValue], *, most: int = 40) -> list[str]:
    """The paths to texts and numbers in these cells, for messages."""
    found: list[str] = []
    for column, cell in cells.items():
        _note_paths(column, unpacked(cell), found, most)
    return found[:most]


def first_values(path: CellPath, rows: Iterable[Mapping[str, JsonValue]]) -> JsonValue:
    """The first value of the path among the rows."""
    return next((value for cells in rows if (value := path.value(cells)) not in (None, [])), None)


def _steps(text: str) -> tuple[str | int | None, ...] | None:
    steps: list[str | int | None] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match["name"]:
            steps.append(match["name"])
        elif match["quoted"]:
            steps.append(match["quoted"])
        else:
            steps.append(int(match["place"]) if match["place"].lstrip("-") else None)
    return tuple(steps)


def _follow(value: JsonValue, steps: tuple[str | int | None, ...]) -> JsonValue:
    if not steps:
        return value
    value = unpacked(value)
    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        return _follow(value.get(step), rest) if isinstance(value, dict) else None
    if not isinstance(value, list):
        return None
    if step is not None:
        return _follow(value[step], rest) if -len(value) <= step < len(value) else None
    items = [_follow(item, rest) for item in value]
    if None in rest:  # lists within lists become one
        return [inner for item in items if isinstance(item, list) for inner in item]
    return [item for item in items if item is not None]


def _note_paths(path: str, value: JsonValue, found: list[str], most: int) -> None:
    if len(found) >= most:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            _note_paths(f"{path}.{name}", inner, found, most)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        _note_paths(f"{path}[]", next(item for item in value if isinstance(item, dict | list)), found, most)
    elif "." in path or "[" in path:
        found.append(path)
