"""CSV as a table, and JSON Lines as a document per line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.documents.builder import DocumentBuilder
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.delimited import sniff_delimiter

TEXT_NAMES = ("text", "content", "page_content", "body")
ID_NAMES = ("id", "_id", "document", "name")
TITLE_NAMES = ("title", "heading")


def read_csv(text: str, builder: DocumentBuilder, limits: Limits) -> None:
    """The rows of a table; the first one is its header."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=sniff_delimiter(text), strict=True):
            rows.append(row)
            _check_rows(len(rows), limits)
    except csv.Error as error:
        raise FileFormatError(f"row {len(rows) + 1} is not CSV ({error}): correct its quotes") from None
    builder.table(rows)


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A line of a JSON Lines file."""

    id: str
    title: str
    text: str


def read_json_lines(text: str, limits: Limits) -> Iterator[JsonDocument]:
    """The documents of a file with one object per line: `text` and, if known, `id` and `title`.

    FileFormatError names the first line that is wrong."""
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        _check_rows(len(seen) + 1, limits)
        document = _json_document(line, number)
        if document.id in seen:
            raise FileFormatError(f"line {number}: the id {document.id!r} occurs twice: give each line its own")
        seen.add(document.id)
        yield document


def _json_document(line: str, number: int) -> JsonDocument:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise FileFormatError(f"line {number} is not JSON: a file has one object a line") from None
    if not isinstance(row, dict):
        raise FileFormatError(f"line {number}: expected an object with a text")
    text = next((row[name] for name in TEXT_NAMES if isinstance(row.get(name), str)), None)
    if text is None:
        raise FileFormatError(f"line {number}: expected an object with one of {', '.join(TEXT_NAMES)}")
    return JsonDocument(_first(row, ID_NAMES) or str(number), _first(row, TITLE_NAMES), str(text))


def _first(row: dict[str, object], names: tuple[str, ...]) -> str:
    values = (row.get(name) for name in names)
    return next((str(value) for value in values if isinstance(value, str | int) and str(value).strip()), "")


def _check_rows(number: int, limits: Limits) -> None:
    if number > limits.max_rows:
        raise LimitError(f"it has more than {limits.max_rows:,} rows: split it, or raise HCAT_MAX_ROWS")
