"""JSON and JSON Lines: a list of records, an object with one, columns side by side, or one record per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from typing import cast

from hcat.core.errors import FileFormatError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.table import (
    Row,
    Table,
    Unreadable,
    check_row_count,
    make_table,
    unreadable,
)
from hcat.core.records.file_limits import SPLIT_OR_RAISE, check_values
from hcat.core.types import JsonValue

_TYPE_NAMES = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
}
MAX_WRAPPERS = 3
"""The number of objects around the list of records that are searched: tools add totals and settings to the list."""

IsRecord = Callable[[Collection[str]], bool]
"""Whether an object with these fields is a record itself, rather than a wrapper around records."""


def read_json(text: str, limits: Limits, *, is_record: IsRecord) -> Table:
    """The records of a JSON or JSON Lines text.

    A broken line of JSON Lines is reported and skipped; a broken JSON document is a FileFormatError. NaN is read as
    null, as pandas means it. LimitError, before anything is parsed, if it has too many values."""
    check_values(text, most=limits.max_values, advice=SPLIT_OR_RAISE)
    try:
        document = parse_json(text)
    except json.JSONDecodeError as error:
        if text.lstrip().startswith("["):
            raise FileFormatError(f"broken JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
        return _read_lines(text, limits)
    except (ValueError, RecursionError):
        if text.lstrip().startswith("["):
            raise FileFormatError("JSON with numbers too long or lists too deep to read") from None
        return _read_lines(text, limits)
    records = _records(_header_first(document, is_record), is_record)
    check_row_count(len(records), limits)
    rows = [_row(number, record) for number, record in enumerate(records, start=1)]
    broken = [row for row in rows if isinstance(row, Unreadable)]
    return make_table("json", [row for row in rows if isinstance(row, Row)], broken)


def parse_json(text: str) -> JsonValue:
    """JSON with NaN as null. Raises JSONDecodeError, ValueError (huge numbers) or RecursionError (deep nesting)."""
    return cast(JsonValue, json.loads(text, parse_constant=_constant))


def _constant(name: str) -> float | None:
    return None if name == "NaN" else float(name)


def _read_lines(text: str, limits: Limits) -> Table:
    rows: list[Row] = []
    broken: list[Unreadable] = []
    # str.splitlines would also cut at U+2028 and others, which JSON allows inside a string.
    for number, line in enumerate(limits.in_time(_lines(text)), start=1):
        if not line.strip():
            continue
        check_row_count(len(rows) + len(broken) + 1, limits)
        row = read_line(number, line)
        if isinstance(row, Row):
            rows.append(row)
        else:
            broken.append(row)
    if not rows:
        first = broken[0].problem.found if broken else "nothing"
        raise FileFormatError(f"neither JSON nor JSON Lines: no line is a JSON object (first line: {first})")
    return make_table("jsonl", rows, broken)


def read_line(number: int, line: str) -> Row | Unreadable:
    """A line of JSON Lines that is not blank."""
    try:
        return _row(number, parse_json(line), lines=1)
    except json.JSONDecodeError as error:
        fault = f"{error.msg} at column {error.colno}"
    except (ValueError, RecursionError):
        fault = "a number too long or lists too deep to read"
    return unreadable(number, line, expected="a JSON object", found=fault, lines=1)


def _lines(text: str) -> Iterator[str]:
    """The lines one at a time: a text with one emoji takes four bytes per character, and all its lines as much
    again."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _row(number: int, record: JsonValue, *, lines: int = 0) -> Row | Unreadable:
    if isinstance(record, dict):
        return Row(number, record, lines)
    return unreadable(number, json.dumps(record), expected="a JSON object", found=_type_name(record), lines=lines)


def _records(document: JsonValue, is_record: IsRecord) -> list[JsonValue]:
    """The list of records that a whole JSON document is, contains, or gives column by column."""
    if isinstance(document, list):
        return document
    if not isinstance(document, dict):
        raise FileFormatError(f"a list of records was expected, and the file is {_type_name(document)}")
    if (columns := _split(document) or _columns(document, is_record)) is not None:
        return columns
    if is_record(document):
        return [document]
    wrapped = _wrapped(document, is_record)
    if wrapped is not None:
        return wrapped
    lists = {name: value for name, value in document.items() if isinstance(value, list)}
    holding = {name: value for name, value in lists.items() if any(isinstance(item, dict) for item in value)}
    if len(holding) != 1:
        names = ", ".join(f'"{name}"' for name in holding) or "none"
        raise FileFormatError(f"one list of records was expected in the JSON object; lists of records in it: {names}")
    return next(iter(holding.values()))


def _header_first(document: JsonValue, is_record: IsRecord) -> JsonValue:
    """The records of lists of cells, the first of which names the columns; any other document unchanged."""
    if not isinstance(document, list) or not all(isinstance(row, list) for row in document) or not document:
        return document
    head, *rows = [row for row in document if isinstance(row, list)]
    if not all(isinstance(name, str) for name in head) or not is_record([str(name) for name in head]):
        raise FileFormatError("lists of cells were found, and the first does not name the columns: add their names")
    return [dict(zip(map(str, head), row, strict=False)) for row in rows]


def _wrapped(document: dict[str, JsonValue], is_record: IsRecord) -> list[JsonValue] | None:
    """The only list of records of a known format in the object, at the least depth; None if there is none."""
    level: list[JsonValue] = [document]
    for _ in range(MAX_WRAPPERS):
        inner = [value for item in level if isinstance(item, dict) for value in item.values()]
        record_lists = [value for value in inner if isinstance(value, list) and is_record(_fields(value))]
        if record_lists:
            return record_lists[0] if len(record_lists) == 1 else None
        level = inner
    return None


def _fields(items: list[JsonValue]) -> dict[str, None]:
    return dict.fromkeys(name for item in items if isinstance(item, dict) for name in item)


def _split(document: dict[str, JsonValue]) -> list[JsonValue] | None:
    """Records from `{"columns": [names], "data": [[cells]]}`, which pandas and MLflow write; else None."""
    names, data = document.get("columns"), document.get("data", document.get("rows"))
    if not (isinstance(names, list) and isinstance(data, list) and all(isinstance(name, str) for name in names)):
        return None
    rows = [row for row in data if isinstance(row, list) and len(row) == len(names)]
    if len(rows) < len(data):
        return None
    return [dict(zip(map(str, names), row, strict=True)) for row in rows]


def _columns(document: dict[str, JsonValue], is_record: IsRecord) -> list[JsonValue] | None:
    """Records from `{column: [cells]}`, `{column: {row: cell}}` or `{row: {column: cell}}`; else None.

    Data sets and pandas write such tables."""
    values = list(document.values())
    if not values or (len(values) < 2 and not _is_index(document, is_record)):
        return None
    if all(isinstance(value, list) for value in values):
        lists = [value for value in values if isinstance(value, list)]
        same = len({len(value) for value in lists}) == 1
        return [dict(zip(document, cells, strict=True)) for cells in zip(*lists, strict=True)] if same else None
    if all(isinstance(value, dict) for value in values):
        tables = [value for value in values if isinstance(value, dict)]
        keys = list(tables[0])
        same = bool(keys) and all(value.keys() == tables[0].keys() for value in tables)
        if bool(keys) and is_record(keys) and not is_record(list(document)):
            return list(values)
        if same:
            return [{name: table[key] for name, table in zip(document, tables, strict=True)} for key in keys]
    return None


def _is_index(document: dict[str, JsonValue], is_record: IsRecord) -> bool:
    return all(isinstance(value, dict) and is_record(list(value)) for value in document.values())


def _type_name(value: JsonValue) -> str:
    if value is None:
        return "null"
    return _TYPE_NAMES[type(value)]
