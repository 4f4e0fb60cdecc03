"""Files that are read row by row, so that the memory does not depend on their length: JSON Lines, CSV and Parquet."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.content import decode, looks_like_json
from hcat.core.importers.reading.delimited import read_rows
from hcat.core.importers.reading.excel import is_workbook
from hcat.core.importers.reading.json_records import read_line
from hcat.core.importers.reading.parquet import MARK, NOT_WHOLE, SMALLEST
from hcat.core.importers.reading.separate_process import program_command
from hcat.core.importers.reading.table import Kind, Row, Unreadable, clean_row
from hcat.core.records.file_limits import check_values
from hcat.core.settings import IMPORTED_FROM, plain_environment
from hcat.core.types import JsonValue

START_BYTES = 200_000
"""The number of bytes of a file by which its kind is recognised."""
_BROKEN_OFF = "it is broken"


@dataclass(frozen=True, slots=True)
class RowStream:
    """A file that is read row by row, each time from its beginning."""

    path: Path
    kind: Kind
    limits: Limits

    def rows(self, left_out: Collection[str] = ()) -> Iterator[Row | Unreadable]:
        """Its rows, for Parquet without the columns `left_out`.

        FileFormatError or LimitError if the rest of the file can't be read."""
        return map(_clean, _READERS[self.kind](self, _Seen(), left_out))

    def first(self, most: int) -> FirstRows:
        """Its first rows, and the estimated number of rows."""
        seen = _Seen()
        rows = list(islice(map(_clean, _READERS[self.kind](self, seen, ())), most))
        if len(rows) < most or seen.rows is not None:
            return FirstRows(rows, len(rows) if seen.rows is None else seen.rows)
        return FirstRows(rows, max(round(len(rows) * self.path.stat().st_size / seen.bytes), len(rows)))


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The first rows of a file, with the estimated number in all."""

    rows: list[Row | Unreadable]
    of: int


@dataclass(slots=True)
class _Seen:
    """The number of bytes that were read, and the number of rows in all, if the file states it."""

    bytes: int = 0
    rows: int | None = None


def row_stream(path: Path, limits: Limits) -> RowStream | None:
    """The file, to be read row by row; None if that is impossible: JSON that is not JSON Lines, a workbook, no
    table."""
    with path.open("rb") as file:
        start = file.read(START_BYTES)
        size = file.seek(0, 2)
    if size > limits.max_bytes:
        raise LimitError(
            f"{size / 1e6:,.1f} MB, and at most {limits.max_file_mb:g} MB are read: split the file, or raise the limit "
            "(--max-file-mb, or HCAT_MAX_FILE_MB)"
        )
    kind = _kind(start, whole=size <= START_BYTES)
    return None if kind is None else RowStream(path, kind, limits)


def _kind(start: bytes, *, whole: bool) -> Kind | None:
    if start.startswith(MARK):
        return "parquet"
    if is_workbook(start) or start[:2] in (b"PK", b"\x1f\x8b") or start[:4] in (b"%PDF", b"\xd0\xcf\x11\xe0"):
        return None
    if not whole and b"\n" not in start:
        return None
    text = decode(start if whole else _whole_lines(start))
    if not looks_like_json(text):
        return "csv"
    lines = [line for line in text.split("\n") if line.strip()]
    # A JSON document whose first line is whole has nothing behind it.
    return "jsonl" if len(lines) > 1 and isinstance(read_line(1, lines[0]), Row) else None


def _clean(row: Row | Unreadable) -> Row | Unreadable:
    return clean_row(row) if isinstance(row, Row) else row


def _json_lines(stream: RowStream, seen: _Seen, _: Collection[str]) -> Iterator[Row | Unreadable]:
    limits = stream.limits
    with _text(stream.path, seen, newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                check_values(line, most=limits.max_values, advice="split its row")
                yield read_line(number, line.removesuffix("\n"))


def _csv(stream: RowStream, seen: _Seen, _: Collection[str]) -> Iterator[Row | Unreadable]:
    with stream.path.open("rb") as file:
        start = decode(_whole_lines(file.read(START_BYTES)))
    with _text(stream.path, seen, newline="") as lines:
        yield from read_rows(lines, start, stream.limits).rows


def _whole_lines(start: bytes) -> bytes:
    return start[: start.rfind(b"\n") + 1] if b"\n" in start else start


@contextmanager
def _text(path: Path, seen: _Seen, *, newline: str) -> Iterator[Iterator[str]]:
    with path.open(encoding="utf-8-sig", newline=newline) as file:
        yield _decoded(iter(file), seen)


def _decoded(lines: Iterator[str], seen: _Seen) -> Iterator[str]:
    """The lines; FileFormatError if one is not UTF-8."""
    try:
        for line in lines:
            seen.bytes += len(line) if line.isascii() else len(line.encode("utf-8"))
            yield line
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"the file is not UTF-8: byte 0x{error.object[error.start]:02x} (perhaps it is in Windows-1252): "
            "save it as UTF-8"
        ) from None


def _parquet(stream: RowStream, seen: _Seen, left_out: Collection[str]) -> Iterator[Row | Unreadable]:
    path = stream.path
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(size - len(MARK), 0))
        if size < SMALLEST or file.read() != MARK:
            raise FileFormatError(NOT_WHOLE)
    given = [json.dumps(sorted(left_out)), str(path.resolve())]
    command = program_command("hcat.core.importers.reading.parquet_process", stream.limits, given)
    number = 0
    with subprocess.Popen(  # noqa: S603  our own module, without a shell
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=IMPORTED_FROM, env=plain_environment()
    ) as process:
        try:
            for batch in _batches(process, seen):
                for record in batch:
                    number += 1
                    yield Row(number, record)
        finally:
            process.kill()


def _batches(process: subprocess.Popen[bytes], seen: _Seen) -> Iterator[list[dict[str, JsonValue]]]:
    for line in process.stdout or ():
        answer = json.loads(line)
        if isinstance(answer, list) and answer:
            yield answer
        elif isinstance(answer, list):
            return
        elif "rows" in answer:
            seen.rows = int(answer["rows"])
        elif "limit" in answer:
            raise LimitError(str(answer["limit"]))
        else:
            raise FileFormatError(f"the Parquet file can't be read: {answer['broken']}")
    raise FileFormatError(f"the Parquet file can't be read: {_BROKEN_OFF}")


_READERS: dict[Kind, Callable[[RowStream, _Seen, Collection[str]], Iterator[Row | Unreadable]]] = {
    "jsonl": _json_lines,
    "csv": _csv,
    "parquet": _parquet,
}
