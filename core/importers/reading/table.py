"""A file as rows of cells, before the columns are given a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.errors import FileFormatError, LimitError
from core.importers.limits import Limits
from core.importers.problems import BadRow, Problem, describe
from core.records.file_limits import SPLIT_OR_RAISE
from core.types import JsonValue

Kind = Literal["csv", "json", "jsonl", "parquet"]

_UNNAMED = re.compile(r"|Unnamed: \d+|__index_level_\d+__")
"""Columns that pandas makes of an index when it writes or reads a table; they say nothing about a sample."""


@dataclass(frozen=True, slots=True)
class Row:
    """One data row. A cell without a value (empty in CSV, null, NaN) is None."""

    number: int
    cells: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that could not be cut into cells."""

    bad: BadRow
    problem: Problem


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file. In a CSV file every cell is text, so that numbers and lists have to be read out of it."""

    kind: Kind
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    unreadable: tuple[Unreadable, ...] = ()

    @property
    def is_textual(self) -> bool:
        return self.kind == "csv"


def unreadable(number: int, record: dict[str, JsonValue] | str, *, expected: str, found: str) -> Unreadable:
    """A row that could not be cut into cells, with what could be read of it."""
    return Unreadable(BadRow(number, record), Problem(number, None, expected, found))


def make_table(kind: Kind, rows: Iterable[Row], broken: Iterable[Unreadable] = ()) -> Table:
    """A table whose columns are those of all rows, in order of appearance, without a written-out pandas index."""
    table_rows = tuple(rows)
    names = dict.fromkeys(name for row in table_rows for name in row.cells)
    columns = tuple(name for name in names if not is_unnamed(name))
    if len(columns) < len(names):
        table_rows = tuple(
            Row(row.number, {k: v for k, v in row.cells.items() if not is_unnamed(k)}) for row in table_rows
        )
    return Table(kind, columns, table_rows, tuple(broken))


def is_unnamed(column: str) -> bool:
    """Whether a column is only the index of a table, or has no name at all."""
    return _UNNAMED.fullmatch(column) is not None


def check_columns(columns: Iterable[str]) -> None:
    """Raise FileFormatError where two columns share a name, since one would hide the other."""
    seen: set[str] = set()
    for name in columns:
        if name in seen and not is_unnamed(name):
            raise FileFormatError(f"two columns are called {describe(name)}: give each column a name of its own")
        seen.add(name)


def check_names(columns: Iterable[str]) -> None:
    """Raise FileFormatError where the name of a column is no proper Unicode, which nothing could show."""
    for name in columns:
        if not name.isascii() and name.encode("utf-8", "replace").decode() != name:
            raise FileFormatError(f"the name of a column, {describe(name)}, is no proper Unicode: rename it")


def check_column_count(count: int, limits: Limits) -> None:
    """Raise LimitError where a file has more columns than anybody could map."""
    if count > limits.max_columns:
        raise LimitError(f"more than {limits.max_columns:,} columns: leave out those that say nothing about a sample")


def check_value_count(count: int, limits: Limits) -> None:
    """Raise LimitError where a file holds more cells and items of lists than memory bears."""
    if count > limits.max_values:
        raise LimitError(f"more than {limits.max_values:,} cells and items of lists: {SPLIT_OR_RAISE}")


def check_row_count(count: int, limits: Limits) -> None:
    """Raise LimitError where a file has more rows than hcat accepts."""
    if count > limits.max_rows:
        raise LimitError(f"more than {limits.max_rows:,} rows: split the file, or raise HCAT_MAX_ROWS")
