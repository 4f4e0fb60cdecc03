"""Parses bytes into rows. The content determines the kind of a file; its name is only quoted in messages."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.delimited import read_delimited
from hcat.core.importers.reading.excel import is_workbook, sheet_csv
from hcat.core.importers.reading.json_records import IsRecord, read_json
from hcat.core.importers.reading.parquet import read_parquet
from hcat.core.importers.reading.table import Table, check_column_count

_FOREIGN_STARTS = (
    (b"PK\x03\x04", "a zip archive that holds no Excel workbook: unpack it, or export the table as CSV"),
    (b"\x1f\x8b", "compressed with gzip: unpack it first"),
    (b"%PDF", "a PDF: export the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook: save it as .xlsx, or export the sheet as CSV"),
)
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_SNIFFED_LINES = 20
_SNIFFED_NAME = 1_000
_OBJECT_START = re.compile(r'\{\s*"')
"""No CSV line starts like this: a cell with a quote in it would itself be quoted."""
_COLUMN_OF_OUTPUTS = re.compile(r"\s*\[(?!true\b|false\b|null\b)[A-Za-z][^\[\]{}\"\n]*\]")
"""A CSV header that begins with a column of outputs (`output_columns`)."""


def read_bytes(source: bytes | Path, limits: Limits) -> bytes:
    """The file's bytes. Raises LimitError if there are too many, FileFormatError if there are none."""
    try:
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        if size > limits.max_bytes:
            raise LimitError(
                f"{size / 1e6:,.1f} MB, and at most {limits.max_file_mb:g} MB are read: "
                "split the file, or raise HCAT_MAX_FILE_MB"
            )
        data = source if isinstance(source, bytes) else source.read_bytes()
    except OSError as error:
        raise FileFormatError(f"the file can't be opened: {error.strerror or error}") from None
    if not data.strip():
        raise FileFormatError("the file is empty")
    return data


def read_table(data: bytes, limits: Limits, *, is_record: IsRecord, left_out: Collection[str] = ()) -> Table:
    """The rows of a CSV, JSON, JSON Lines, Parquet or Excel file (its first sheet), recognised by content.

    `is_record` decides whether a JSON object with given fields is one record or wraps a list of records. For a Parquet
    file, columns `left_out` are not read. Raises FileFormatError (unknown, broken or not UTF-8, no rows) and
    LimitError."""
    if data.startswith(b"PAR1"):
        table = read_parquet(data, limits, left_out)
    elif is_workbook(data):
        table = read_delimited(sheet_csv(data, limits=limits), limits)
    else:
        for start, message in _FOREIGN_STARTS:
            if data.startswith(start):
                raise FileFormatError(f"the file is {message}")
        text = decode(data)
        table = read_json(text, limits, is_record=is_record) if looks_like_json(text) else read_delimited(text, limits)
    check_column_count(len(table.columns), limits)
    if not table.rows and not table.unreadable:
        raise FileFormatError("the file has no rows: a table has a header (query, answer, …) and a row a sample")
    return table


def decode(data: bytes) -> str:
    """UTF-8 text, with or without a byte-order mark. FileFormatError names the encoding, or the first wrong byte."""
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            raise FileFormatError(f"the file is in {name}: save it as UTF-8")
    start = data[:400]
    if start.count(0) * 4 > len(start):
        raise FileFormatError("the file looks like UTF-16 or is not text: save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFormatError(
            f"the file is not UTF-8: byte 0x{data[error.start]:02x} in line {line} "
            "(perhaps it is in Windows-1252): save it as UTF-8"
        ) from None


def looks_like_json(text: str) -> bool:
    """Whether the text opens like JSON, or most of its first lines do: one broken line must not hide the rest."""
    if text.lstrip()[:1] in {"{", "["}:
        return _COLUMN_OF_OUTPUTS.match(text[:_SNIFFED_NAME]) is None
    lines = [line.lstrip() for line in text[:200_000].split("\n", 3 * _SNIFFED_LINES) if line.strip()][:_SNIFFED_LINES]
    return sum(_OBJECT_START.match(line) is not None for line in lines) * 2 > len(lines)


def shown_name(filename: str) -> str:
    """The file's name as one printable line."""
    name = Path(filename.replace("\x00", "")).name or "the file"
    return "".join(letter if letter.isprintable() else "?" for letter in name[-80:])
