"""Files for a spreadsheet, and cells that it would run as a formula: escaped, and restored.

An escaped cell has one apostrophe before each place where a formula could begin; removing them restores the cell."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from numbers import Number
from typing import TYPE_CHECKING, BinaryIO, SupportsFloat, SupportsIndex

from hcat.core.errors import LimitError

if TYPE_CHECKING:
    import pandas as pd

Cell = str | float | None

MOST_CHARACTERS = 32_767
"""The most characters of a cell in Excel; a longer text ends with CUT there."""
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""The most rows and columns of a sheet in Excel."""
ROWS_AT_A_TIME = 512
CUT = " … (cut: a cell of Excel holds no more)"
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""Signs of a formula, those of full width too."""
_SKIPPED = "'*[ \"\u00a0\u3000\u200b\ufeff]*"
"""Characters that may precede a sign: apostrophes of cells that were escaped before, blanks, and removable quotes."""
_START = re.compile(f"^(?={_SKIPPED}[{_SIGNS}\\t\\r\\n])|(?<=[;\\t\\r\\n])(?={_SKIPPED}[{_SIGNS}])")
"""Places where a spreadsheet may see a formula begin.

At the start of a cell, and within it after a separator that another spreadsheet may read as the end of a cell."""
_ESCAPED = re.compile(f"^'(?={_SKIPPED}[{_SIGNS}\\t\\r\\n])|(?<=[;\\t\\r\\n])'(?={_SKIPPED}[{_SIGNS}])")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def escape_formula(cell: str) -> str:
    """The cell, with one apostrophe wherever a spreadsheet would otherwise see a formula begin. A number is
    unchanged."""
    return cell if _NUMBER.fullmatch(cell) else _START.sub("'", cell)


def unescape_formula(cell: str) -> str:
    """The inverse of `escape_formula`. Apostrophes that are not before a formula are left unchanged."""
    return _ESCAPED.sub("", cell)


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Rows as CSV: every cell quoted, texts escaped; missing numbers are empty."""
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([_written(cell) for cell in row] for row in rows)
    return out.getvalue()


def write_text_csv(rows: Iterable[Sequence[Cell]], file: BinaryIO) -> None:
    """The same in UTF-8 into an open file, some rows in memory at a time."""
    coming = iter(rows)
    while some := list(islice(coming, ROWS_AT_A_TIME)):
        file.write(csv_text(some).encode())


def as_csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    """The same in UTF-8 with a byte order mark, by which Excel recognises it."""
    out = io.BytesIO()
    write_csv(rows, out)
    return out.getvalue()


def write_csv(rows: Iterable[Sequence[Cell]], file: BinaryIO) -> None:
    """The same into an open file, row by row."""
    file.write(b"\xef\xbb\xbf")
    coming = iter(rows)
    while some := list(islice(coming, ROWS_AT_A_TIME)):
        file.write(csv_text(some).encode("utf-8", "replace"))


def table_rows(frame: pd.DataFrame, *, with_index: bool = False) -> list[list[Cell]]:
    """A head, then the rows of a table: numbers as numbers, all else as text; empty for missing values."""
    shown = frame.reset_index() if with_index else frame
    return [
        [str(name) for name in shown.columns],
        *([_cell(value) for value in row] for row in shown.itertuples(index=False, name=None)),
    ]


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, Number) and isinstance(value, SupportsFloat):
        return int(value) if isinstance(value, SupportsIndex) else _finite(float(value))
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if str(value) in {"<NA>", "NaT"} else str(value)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _written(cell: Cell) -> str | float | int:
    if isinstance(cell, str):
        return escape_formula(cell)
    return cell if cell is not None and math.isfinite(cell) else ""


def as_excel(rows: Iterable[Sequence[Cell]]) -> bytes:
    """One sheet, whose texts are never formulas or links."""
    out = io.BytesIO()
    write_excel(rows, out)
    return out.getvalue()


def check_sheet(rows: int, columns: int) -> None:
    """Raise LimitError if a sheet of Excel can't have so many rows, the head among them, or so many columns."""
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise LimitError(
            f"a sheet of Excel holds {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns, and these are {rows:,} and "
            f"{columns:,}: write .csv, .jsonl or .parquet"
        )


def write_excel(rows: Iterable[Sequence[Cell]], file: BinaryIO) -> None:
    """The same into an open file; rows are on the disk until the end, not in memory."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("samples")
    sheet.freeze_panes = "B2"
    for row in rows:
        cells: list[object] = []
        for value in row:
            cell = WriteOnlyCell(sheet, value=_fitting(value) if isinstance(value, str) else value)
            if isinstance(value, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    book.save(file)


def _fitting(text: str) -> str:
    """The text without what a workbook can't store, defused like a cell of CSV, since such files are saved as CSV
    too."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    held = str(ILLEGAL_CHARACTERS_RE.sub(" ", text)).replace("\ufffe", " ").replace("\uffff", " ")  # none of XML
    clean = escape_formula(held.encode("utf-8", "replace").decode())
    return clean if len(clean) <= MOST_CHARACTERS else clean[: MOST_CHARACTERS - len(CUT)] + CUT
