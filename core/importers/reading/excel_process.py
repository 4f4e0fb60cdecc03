"""The program that reads one Excel workbook from its standard input and writes a sheet as CSV in JSON: see `excel`."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice, pairwise
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.separate_process import cap_memory
from hcat.core.importers.reading.table import check_row_count
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

XML_FACTOR = 5
"""A workbook's XML may unpack to this multiple of the accepted size of texts: each cell is wrapped in tags."""
MAX_PARTS = 2_000
MAX_COLUMNS = 2_000
FIRST_ROWS = 12
"""The number of rows of a sheet that are checked for a table."""


def main() -> None:
    """Write `{"names": […]}` or `{"csv": [text]}`, or `{"limit": message}` or `{"broken": message}`."""
    max_file_mb, max_rows, wanted, *sheet = sys.argv[1:]
    limits = Limits(max_file_mb=float(max_file_mb), max_rows=int(max_rows))
    cap_memory(limits)
    data = sys.stdin.buffer.read()
    sys.stdout.write(json.dumps(answer(data, limits, wanted=wanted, sheet=sheet[0] if sheet else None)))


def answer(data: bytes, limits: Limits, *, wanted: str, sheet: str | None) -> dict[str, JsonValue]:
    """The message that `main` writes. Every error becomes a message."""
    try:
        _check_archive(data, limits)
        book = _opened(data)
        if wanted == "names":
            return {"names": [*_data_sheets(book)]}
        return {"csv": [_csv(book, sheet, limits)]}
    except LimitError as error:
        return {"limit": str(error)}
    except FileFormatError as error:
        return {"broken": str(error)}
    except MemoryError:
        return {"limit": "the Excel file needs more memory than hcat gives to one file"}
    except (
        zipfile.BadZipFile,
        ParseError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        OSError,
    ) as error:
        return {"broken": next(iter(str(error).splitlines()), type(error).__name__)[:200]}


def _check_archive(data: bytes, limits: Limits) -> None:
    """Raise LimitError if the archive states that it unpacks to too much; it is never unpacked beyond that."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > XML_FACTOR * limits.max_bytes:
        raise LimitError(
            f"the Excel file unpacks to more than {XML_FACTOR * limits.max_file_mb:g} MB: split it, or raise "
            "HCAT_MAX_FILE_MB"
        )


def _opened(data: bytes) -> Workbook:
    from openpyxl import load_workbook

    return load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)


def _data_sheets(book: Workbook) -> list[str]:
    """The names of the sheets with cells: a chart may be a sheet too."""
    return [sheet.title for sheet in book.worksheets]


def _check_table(book: Workbook, name: str, rows: list[list[str]]) -> None:
    """Raise FileFormatError if these first rows of a sheet are no table, and others are."""
    if _is_table(rows):
        return
    others = [other for other in _data_sheets(book) if other != name and _is_table(_first_rows(book, other))]
    if others:
        named = ", ".join(f'"{other}"' for other in others[:10])
        raise FileFormatError(f'the sheet "{name}" is no table; tables are in {named}: name one with --sheet')


def _first_rows(book: Workbook, name: str) -> list[list[str]]:
    sheet = book[name]
    sheet.reset_dimensions()
    return list(islice(_filled(sheet.iter_rows(values_only=True)), FIRST_ROWS))


def _is_table(rows: list[list[str]]) -> bool:
    """Whether two consecutive rows have two cells or more."""
    several = [sum(bool(cell) for cell in row) > 1 for row in rows]
    return any(first and second for first, second in pairwise(several))


def _csv(book: Workbook, name: str | None, limits: Limits) -> str:
    names = _data_sheets(book)
    if not names or (name is not None and name not in names):
        raise FileFormatError(f'there is no sheet "{name}": there are {", ".join(names) or "none"}')
    chosen = names[0] if name is None else name
    if name is None:
        _check_table(book, chosen, _first_rows(book, chosen))
    sheet = book[chosen]
    sheet.reset_dimensions()  # which some programs state wrongly
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    for number, row in enumerate(_filled(sheet.iter_rows(values_only=True))):  # the header is row 0
        check_row_count(number, limits)
        writer.writerow(row)
        if out.tell() > limits.max_bytes:
            raise LimitError(
                f"the sheet holds more than {limits.max_file_mb:g} MB: split it, or raise HCAT_MAX_FILE_MB"
            )
    return out.getvalue()


def _filled(rows: Iterable[tuple[object, ...]]) -> Iterator[list[str]]:
    """The rows with a cell; the first with several determines the number of columns."""
    width = 1
    for cells in rows:
        texts = [_text(cell) for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        if not texts:
            continue
        if max(len(texts), width) > MAX_COLUMNS:
            raise LimitError(f"the sheet has more than {MAX_COLUMNS:,} columns")
        width = width if width > 1 else len(texts)
        yield texts + [""] * (width - len(texts))


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value.total_seconds())
    text = str(value)
    return "" if text in _ERRORS else _unescaped(text)


def _unescaped(text: str) -> str:
    """The text with the format's _xHHHH_ escapes decoded (ECMA-376, ST_Xstring), and line feeds as ends."""
    if _CODE.search(text) is not None:
        units = _CODE.sub(lambda code: chr(int(code[1], 16)), text)
        text = units.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")


_CODE = re.compile("_x([0-9A-Fa-f]{4})_")
_ERRORS = frozenset({"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA"})


if __name__ == "__main__":
    main()
