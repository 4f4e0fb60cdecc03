"""CSV: text separated by commas, semicolons or tabs, with a header row."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.errors import FileFormatError
from core.importers.limits import LIST_FACTOR, Limits
from core.importers.reading.spreadsheet import unescape_formula
from core.importers.reading.table import (
    Row,
    Table,
    Unreadable,
    check_column_count,
    check_columns,
    check_row_count,
    check_value_count,
    is_unnamed,
    unreadable,
)
from core.types import JsonValue

DELIMITERS = (",", ";", "\t")
NOT_A_TABLE = (
    "the file is no table: it needs a header with at least two columns, such as query and answer, and a row a sample"
)
SURPLUS = "surplus_cells"
"""The key of the surplus cells in the record of a row that has more cells than the header."""

HEAD_OF_SAMPLES = '"sample_id","query"'
"""How tables of samples begin that hcat wrote; their cells are given back as they were before they were escaped."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_TOO_LONG = "field larger than field limit"
_SNIFFED_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class _Broken:
    text: str
    error: str


def read_delimited(text: str, limits: Limits) -> Table:
    """The rows of a CSV text. Rows are counted as records from 1, without the header and blank lines.

    An empty cell is None: CSV can't tell an empty text from a missing one.
    Raises FileFormatError on a broken header and LimitError on too many rows.
    """
    columns, read = read_rows(_lines(text), text, limits)
    rows: list[Row] = []
    broken: list[Unreadable] = []
    for number, row in enumerate(limits.in_time(read), start=1):
        check_row_count(number, limits)
        check_value_count(number * len(columns), limits)
        if isinstance(row, Row):
            rows.append(row)
        else:
            broken.append(row)
    return Table("csv", tuple(name for name in columns if not is_unnamed(name)), tuple(rows), tuple(broken))


def read_rows(lines: Iterable[str], start: str, limits: Limits) -> tuple[list[str], Iterator[Row | Unreadable]]:
    """The columns, and the rows of these lines one by one; `start` is how the text of the lines begins."""
    # One limit per process: a longer cell would take ten times its size in memory. It is a Problem of its row.
    csv.field_size_limit(LIST_FACTOR * limits.max_cell_characters + 1)
    records = _records(lines, sniff_delimiter(start))
    header = next(records, None)
    if not isinstance(header, list):
        raise FileFormatError(f"the header row can't be read: {header.error if header else 'there is none'}")
    is_ours = start.startswith(HEAD_OF_SAMPLES)
    columns = [unescape_formula(name).strip() if is_ours else name.strip() for name in header]
    check_columns(columns)
    check_column_count(len(columns), limits)
    if len(columns) < 2:
        raise FileFormatError(NOT_A_TABLE)
    return columns, _rows(records, columns, is_ours=is_ours)


def _rows(records: Iterable[list[str] | _Broken], columns: list[str], *, is_ours: bool) -> Iterator[Row | Unreadable]:
    for number, record in enumerate(records, start=1):
        if is_ours and isinstance(record, list):
            record = [unescape_formula(cell) for cell in record]
        yield _row(number, record, columns)


def sniff_delimiter(text: str) -> str:
    """The separator that cuts the first row into the most cells; a comma where none does."""
    start = text[:_SNIFFED_CHARACTERS]
    return max(DELIMITERS, key=lambda delimiter: _header_cells(start, delimiter))


def _header_cells(text: str, delimiter: str) -> int:
    first = next(_records(_lines(text), delimiter), None)
    return len(first) if isinstance(first, list) else 0


def _records(lines: Iterable[str], delimiter: str) -> Iterator[list[str] | _Broken]:
    """The records, a broken one replaced by its text with the error; blank lines are skipped."""
    consumed: list[str] = []
    reader = csv.reader(_recorded(lines, consumed), delimiter=delimiter, strict=True)
    while True:
        consumed.clear()
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield _Broken("".join(consumed), str(error))
        else:
            if record:
                yield record


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends, one at a time: a text file in memory would take four bytes a character."""
    start = 0
    for end in _LINE_END.finditer(text):
        yield text[start : end.end()]
        start = end.end()
    if start < len(text):
        yield text[start:]


def _recorded(lines: Iterable[str], consumed: list[str]) -> Iterator[str]:
    for line in lines:
        consumed.append(line)
        yield line


def _row(number: int, record: list[str] | _Broken, columns: list[str]) -> Row | Unreadable:
    if isinstance(record, _Broken):
        expected = "cells that are not longer" if _TOO_LONG in record.error else "a row whose quotes are closed"
        return unreadable(number, record.text, expected=expected, found=record.error)
    cells: dict[str, JsonValue] = {
        name: cell if cell else None for name, cell in zip(columns, record, strict=False) if not is_unnamed(name)
    }
    if len(record) == len(columns):
        return Row(number, cells)
    surplus: list[JsonValue] = list(record[len(columns) :])
    record_cells = {**cells, SURPLUS: surplus} if surplus else cells
    return unreadable(
        number, record_cells, expected=f"{len(columns)} cells, as in the header", found=f"{len(record)} cells"
    )
