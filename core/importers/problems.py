"""A problem of a row, in a form that can be shown, counted and downloaded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from hcat.core.importers.reading.spreadsheet import csv_text
from hcat.core.types import JsonValue

SHOWN_CHARACTERS = 60

Remark = tuple[str, str]
"""A change of a cell, by its name in `hcat.core.wording.importing.REMARKS`, and its subject, such as a column."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The expected and the found content of a cell. `row` counts data rows from 1; in JSON Lines it is the line."""

    row: int | None
    column: str | None
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that was left out, as it is in the file: its record, or its text if it could not be parsed."""

    row: int
    record: dict[str, JsonValue] | str


def describe(value: JsonValue) -> str:
    """A cell described in a few printable characters."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        rest = "…" if len(value) > SHOWN_CHARACTERS else ""
        return _encodable(json.dumps(value[:SHOWN_CHARACTERS], ensure_ascii=False) + rest)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object with {len(value)} fields"
    # A whole number of thousands of digits can be read but not printed.
    return f"the number {value}" if isinstance(value, float) or abs(value) < 10**40 else "a very large number"


def problems_csv(problems: Iterable[Problem]) -> bytes:
    """The problems as a CSV file (UTF-8) in which a spreadsheet finds no formulas."""
    head = ("row", "column", "expected", "found")
    rows = ((problem.row, problem.column or "", problem.expected, problem.found) for problem in problems)
    return csv_text([head, *rows]).encode("utf-8", "backslashreplace")


def bad_rows_jsonl(rows: Iterable[BadRow]) -> bytes:
    """The rows that were left out, one per line, to be corrected and imported again."""
    return b"".join(_line(bad.record) + b"\n" for bad in rows)


def _line(record: dict[str, JsonValue] | str) -> bytes:
    if isinstance(record, str):
        return " ".join(record.splitlines()).encode("utf-8", "backslashreplace")
    return json.dumps(record).encode("ascii")


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
