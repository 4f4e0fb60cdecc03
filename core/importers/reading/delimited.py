"""CSV: text separated by commas, semicolons or tabs, with a header row, which may have a title above it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from hcat.core.errors import FileFormatError
from hcat.core.importers.limits import LIST_FACTOR, Limits
from hcat.core.importers.reading.output_columns import OutputColumns, output_columns
from hcat.core.importers.reading.records import Dialect, Record, Records
from hcat.core.importers.reading.spreadsheet import unescape_formula
from hcat.core.importers.reading.table import (
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
from hcat.core.legible import clean_name
from hcat.core.types import JsonValue

DELIMITERS = (",", ";", "\t")
NOT_A_TABLE = (
    "the file is no table: it needs a header with at least two columns, such as query and answer, and a row a sample"
)
SURPLUS = "surplus_cells"
"""The key of the surplus cells in the record of a row with more cells than the header."""

HEAD_OF_SAMPLES = '"sample_id","query"'
"""The beginning of tables of samples by hcat; the escaping of their cells is reverted."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_TOO_LONG = "field larger than field limit"
_SNIFFED_CHARACTERS = 100_000
MOST_ABOVE = 9
"""The most rows with a title above the header."""


@dataclass(frozen=True, slots=True)
class Delimited:
    """The columns of a text, its rows one by one, and the number of lines above them: the header, and a title."""

    columns: tuple[str, ...]
    rows: Iterator[Row | Unreadable]
    above: int


def read_delimited(text: str, limits: Limits) -> Table:
    """The rows of a CSV text. Rows are counted as records from 1, without the header, a title and blank lines.

    An empty cell is None: CSV does not distinguish an empty text from a missing one. Raises FileFormatError on a broken
    header and LimitError on too many rows."""
    read = read_rows(_lines(text), text, limits)
    rows: list[Row] = []
    broken: list[Unreadable] = []
    for number, row in enumerate(limits.in_time(read.rows), start=1):
        check_row_count(number, limits)
        check_value_count(number * len(read.columns), limits)
        if isinstance(row, Row):
            rows.append(row)
        else:
            broken.append(row)
    return Table(
        "csv", tuple(name for name in read.columns if not is_unnamed(name)), tuple(rows), tuple(broken), read.above
    )


def read_rows(lines: Iterable[str], start: str, limits: Limits) -> Delimited:
    """The columns, and the rows of these lines one by one; `start` is the beginning of the text."""
    # One limit per process: a longer cell would take ten times its size in memory. It is a Problem of its row.
    csv.field_size_limit(LIST_FACTOR * limits.max_cell_characters + 1)
    records = Records(lines, sniff_dialect(start))
    coming = iter(records)
    header, above = _header(coming)
    is_ours = start.startswith(HEAD_OF_SAMPLES)
    columns = [clean_name(unescape_formula(name) if is_ours else name) for name in header]
    check_column_count(len(columns), limits)
    if len(columns) < 2:
        raise FileFormatError(NOT_A_TABLE)
    records.width = len(columns)
    first = list(islice(coming, 1))
    outputs = output_columns(columns, first[0].cells if first else ())
    if outputs is not None:
        return Delimited(outputs.columns, _outputs(chain(first, coming), columns, outputs), above)
    check_columns(columns)
    return Delimited(tuple(columns), _rows(chain(first, coming), columns, is_ours=is_ours), above)


def _header(records: Iterator[Record]) -> tuple[list[str], int]:
    """The cells of the header, and the lines up to it. A title above it is in the first cell of a row alone."""
    above = 0
    first: list[str] | None = None
    for record in islice(records, MOST_ABOVE + 1):
        if record.fault:
            raise FileFormatError(f"the header row can't be read: {record.fault}")
        above += record.lines
        if not _is_title(record.cells):
            return record.cells, above
        first = first or record.cells
    if first is None:
        raise FileFormatError("the header row can't be read: there is none")
    return first, above


def _is_title(cells: list[str]) -> bool:
    return bool(cells[0].strip()) and not any(cell.strip() for cell in cells[1:])


def _rows(records: Iterable[Record], columns: list[str], *, is_ours: bool) -> Iterator[Row | Unreadable]:
    for number, record in enumerate(records, start=1):
        if is_ours and not record.fault:
            record = replace(record, cells=[unescape_formula(cell) for cell in record.cells])
        yield _row(number, record, columns)


def _outputs(records: Iterable[Record], columns: list[str], outputs: OutputColumns) -> Iterator[Row | Unreadable]:
    """A row for each output of a record; the lines of the file are those of the first."""
    number = 0
    for test, record in enumerate(records):
        if record.fault or len(record.cells) != len(columns):
            number += 1
            yield _row(number, record, columns)
            continue
        for place, cells in enumerate(outputs.rows(record.cells, test)):
            number += 1
            yield Row(number, cells, 0 if place else record.lines, 0 if place else record.like_rows)


def sniff_dialect(start: str) -> Dialect:
    """The separator and quoting of the text that begins like this: those by which most of its rows can be read."""
    start = start[:_SNIFFED_CHARACTERS]
    delimiter = sniff_delimiter(start)
    usual = Dialect(delimiter)
    others = [Dialect(delimiter, "backslash")] if '\\"' in start else []
    others += [Dialect(delimiter, "none")] if delimiter == "\t" and '"' in start else []
    good, bad = _read_by(usual, start) if others else (0, 0)
    for other in others if bad else ():
        more, fewer = _read_by(other, start)
        if more > good and fewer < bad:
            usual, good, bad = other, more, fewer
    return usual


def _read_by(dialect: Dialect, start: str) -> tuple[int, int]:
    """The number of records with as many cells as the first one, and the number of lines in others or in none."""
    whole = start[: start.rfind("\n") + 1] if len(start) == _SNIFFED_CHARACTERS else start
    records = Records(_lines(whole), dialect)
    coming = iter(records)
    records.width = len(next(coming, Record([], 0)).cells)
    good = bad = 0
    for record in coming:
        is_good = not record.fault and len(record.cells) == records.width
        good, bad = good + is_good, bad + (0 if is_good else record.lines)
    return good, bad


def sniff_delimiter(text: str) -> str:
    """The separator that cuts the header into the most cells; a comma if none does.

    The header is the first row that has several, and has as many as the row after it if there is such a row."""
    start = text[:_SNIFFED_CHARACTERS]
    return max(DELIMITERS, key=lambda delimiter: _header_cells(start, delimiter))


def _header_cells(text: str, delimiter: str) -> tuple[int, int, int]:
    records = Records(_lines(text), Dialect(delimiter))
    rows = [record.cells for record in islice(records, MOST_ABOVE + 2)]
    for place, (row, following) in enumerate(zip(rows, [*rows[1:], []], strict=False)):
        if row and not _is_title(row):
            return int(len(row) == len(following)) if place else 1, -place, len(row)
    return 0, 0, len(rows[0]) if rows else 0


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends, one at a time: a text file in memory would take four bytes per character."""
    start = 0
    for end in _LINE_END.finditer(text):
        yield text[start : end.end()]
        start = end.end()
    if start < len(text):
        yield text[start:]


def _row(number: int, record: Record, columns: list[str]) -> Row | Unreadable:
    if record.fault:
        expected = "cells that are not longer" if _TOO_LONG in record.fault else "a row whose quotes are closed"
        found = record.fault if record.lines == 1 else f"{record.fault}, in {record.lines:,} lines"
        return unreadable(number, record.text, expected=expected, found=found, lines=record.lines)
    cells: dict[str, JsonValue] = {
        name: cell if cell else None for name, cell in zip(columns, record.cells, strict=False) if not is_unnamed(name)
    }
    if len(record.cells) == len(columns):
        return Row(number, cells, record.lines, record.like_rows)
    surplus: list[JsonValue] = list(record.cells[len(columns) :])
    record_cells = {**cells, SURPLUS: surplus} if surplus else cells
    return unreadable(
        number,
        record_cells,
        expected=f"{len(columns)} cells, as in the header",
        found=f"{len(record.cells)} cells",
        lines=record.lines,
    )
