"""A file as rows of cells, before the columns are interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.limits import Limits
from hcat.core.importers.problems import BadRow, Problem, describe
from hcat.core.legible import clean_name
from hcat.core.records.file_limits import SPLIT_OR_RAISE
from hcat.core.types import JsonValue

Kind = Literal["csv", "json", "jsonl", "parquet"]

_UNNAMED = re.compile(r"|Unnamed: \d+|__index_level_\d+__")
"""Columns that pandas makes of an index when it writes or reads a table; they say nothing about a sample."""


@dataclass(frozen=True, slots=True)
class Row:
    """One data row. A cell without a value (empty in CSV, null, NaN) is None.

    `lines` of the file that it occupies (0 for a file without lines), and how many of them look like rows
    themselves."""

    number: int
    cells: dict[str, JsonValue]
    lines: int = 0
    like_rows: int = 0


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that could not be cut into cells."""

    bad: BadRow
    problem: Problem
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file. In a CSV file every cell is text, so that numbers and lists have to be parsed.

    `above` are the lines of a CSV file up to its header."""

    kind: Kind
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    unreadable: tuple[Unreadable, ...] = ()
    above: int = 0

    @property
    def is_textual(self) -> bool:
        return self.kind == "csv"


def unreadable(
    number: int, record: dict[str, JsonValue] | str, *, expected: str, found: str, lines: int = 0
) -> Unreadable:
    """A row that could not be cut into cells, with its readable part."""
    return Unreadable(BadRow(number, record), Problem(number, None, expected, found), lines)


def make_table(kind: Kind, rows: Iterable[Row], broken: Iterable[Unreadable] = ()) -> Table:
    """A table whose columns are those of all rows, in order of appearance, without a written-out pandas index."""
    table_rows = tuple(map(clean_row, rows))
    names = dict.fromkeys(name for row in table_rows for name in row.cells)
    columns = tuple(name for name in names if not is_unnamed(name))
    if len(columns) < len(names):
        table_rows = tuple(
            replace(row, cells={k: v for k, v in row.cells.items() if not is_unnamed(k)}) for row in table_rows
        )
    return Table(kind, columns, table_rows, tuple(broken))


def clean_row(row: Row) -> Row:
    """The row with visible column names, without outer blanks and invisible characters."""
    names = {name: cleaned for name in row.cells if (cleaned := _clean(name)) != name}
    if not names or not set(names.values()).isdisjoint(row.cells) or len(set(names.values())) < len(names):
        return row
    return replace(row, cells={names.get(name, name): cell for name, cell in row.cells.items()})


@lru_cache(maxsize=4096)
def _clean(name: str) -> str:
    return clean_name(name)


def is_unnamed(column: str) -> bool:
    """Whether a column is only the index of a table, or has no name at all."""
    return _UNNAMED.fullmatch(column) is not None


def check_columns(columns: Iterable[str]) -> None:
    """Raise FileFormatError if two columns share a name, since one would hide the other."""
    seen: set[str] = set()
    for name in columns:
        if name in seen and not is_unnamed(name):
            raise FileFormatError(f"two columns are called {describe(name)}: give each column a name of its own")
        seen.add(name)


def check_names(columns: Iterable[str]) -> None:
    """Raise FileFormatError if the name of a column is not valid Unicode, which nothing could show."""
    for name in columns:
        if not name.isascii() and name.encode("utf-8", "replace").decode() != name:
            raise FileFormatError(f"the name of a column, {describe(name)}, is no proper Unicode: rename it")


def check_column_count(count: int, limits: Limits) -> None:
    """Raise LimitError if a file has too many columns to map."""
    if count > limits.max_columns:
        raise LimitError(f"more than {limits.max_columns:,} columns: leave out those that say nothing about a sample")


def check_value_count(count: int, limits: Limits) -> None:
    """Raise LimitError if a file has more cells and items of lists than fit in memory."""
    if count > limits.max_values:
        raise LimitError(f"more than {limits.max_values:,} cells and items of lists: {SPLIT_OR_RAISE}")


def check_row_count(count: int, limits: Limits) -> None:
    """Raise LimitError if a file has more rows than hcat accepts."""
    if count > limits.max_rows:
        raise LimitError(f"more than {limits.max_rows:,} rows: split the file, or raise HCAT_MAX_ROWS")
