"""The records of a CSV text, one after another, with their lines; after a fault it continues at the next valid record.

A quote that is never closed, or closed in a later row, would put all rows in between into one cell. If that record
can't be read, only its first line is dropped: the lines after it are read again, each as a record of its own if it has
the cells of the header. If it can be read, `like_rows` counts its lines that look like rows."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Quoting = Literal["doubled", "backslash", "none"]
"""The form of a quote within a cell.

Doubled (RFC 4180), after a backslash (MySQL, Spark), or unchanged, in files in which quotes do not enclose cells."""
MOST_TOGETHER = 200
"""The most lines of a record among lines with unclosed quotes."""
LEAST_LIKE_ROWS, LEAST_SHARE = 3, 0.8
"""The number of lines within a record with the cells of a row, and their share, from which it is remarked on."""
LEAST_OF_PAIRS = 10
"""The same in a table of two columns: one comma in a line of text is common."""
NOT_CLOSED = "a quote that is opened and not closed"
_OPENS = re.compile(r'(?:^|[,;\t])\s*"')
_ESCAPED = re.compile(r'(?<!\\)((?:\\\\)*)\\"')


class Dialect(NamedTuple):
    """The separator of cells, and the form of quotes within them."""

    delimiter: str
    quoting: Quoting = "doubled"


@dataclass(frozen=True, slots=True)
class Record:
    """The cells of a record, or the fault of its `text`; `lines` of the file that it occupies."""

    cells: list[str]
    lines: int
    like_rows: int = 0
    text: str = ""
    fault: str = ""


class Records:
    """The records of these lines. Once `width` is set, a record is expected to have so many cells."""

    def __init__(self, lines: Iterable[str], dialect: Dialect) -> None:
        self.dialect = dialect
        self.width: int | None = None
        self._lines = _Lines(_unescaped(lines) if dialect.quoting == "backslash" else lines)
        self._reader = self._reader_of(self._lines)
        self._suspect = 0

    def __iter__(self) -> Iterator[Record]:
        while (record := self._next()) is not None:
            if record.cells or record.fault:
                yield record

    def _next(self) -> Record | None:
        if self._suspect:
            return self._next_suspect()
        self._lines.read.clear()
        try:
            cells = next(self._reader)
        except StopIteration:
            return None
        except csv.Error as error:
            return self._gone_wrong(str(error))
        n, like = len(self._lines.read), 0
        if n > 1 and self.width is not None:
            like = self._like_rows(self._lines.read[1:])
            if like and len(cells) != self.width:
                return self._gone_wrong(f"{len(cells)} cells")
        return Record(cells, n, like)

    def _gone_wrong(self, fault: str) -> Record:
        """Drop the first line, and read those after it again."""
        first, *others = self._lines.read
        self._lines.put_back(others)
        fault = NOT_CLOSED if others else fault
        self._suspect = len(others) if self.width is not None else 0
        if self.width is None:
            return Record([], 1, text=first, fault=fault)
        cells = self._alone(first)
        if cells is not None:
            return Record(cells, 1)
        return self._with_remains(first, fault)

    def _with_remains(self, first: str, fault: str) -> Record:
        """The record that can't be read: its first line, and those after it that are no record either."""
        lines = [first]
        while coming := self._lines.peek(1):
            is_record = self._read_suspect() is not None if self._suspect else not self._is_remains(coming[0])
            if is_record:
                break
            lines.append(self._lines.take())
            self._suspect = max(self._suspect - 1, 0)
        return Record([], len(lines), text="".join(lines), fault=fault)

    def _is_remains(self, line: str) -> bool:
        """Whether a line right after one that can't be read closes a quote without opening one."""
        return line.count('"') % 2 == 1 and not _OPENS.search(line) and self.dialect.quoting != "none"

    def _next_suspect(self) -> Record | None:
        found = self._read_suspect()
        if found is None:
            first = self._lines.take()
            self._suspect -= 1
            return self._with_remains(first, NOT_CLOSED)
        cells, n = found
        for _ in range(n):
            self._lines.take()
        self._suspect = max(self._suspect - n, 0)
        return Record(cells, n)

    def _read_suspect(self) -> tuple[list[str], int] | None:
        """The record that begins with the next line, and its lines, without consuming them.

        It is that line alone, or several none of which looks like a row."""
        coming = self._lines.peek(1)
        if not coming:
            self._suspect = 0
            return [], 0
        if not coming[0].strip():
            return [], 1
        alone = self._alone(coming[0])
        if alone is not None:
            return alone, 1
        ahead = _Lines(self._lines.peek(MOST_TOGETHER))
        try:
            cells = next(self._reader_of(ahead))
        except (csv.Error, StopIteration):
            return None
        return (cells, len(ahead.read)) if len(cells) == self.width and not self._like_rows(ahead.read[1:]) else None

    def _like_rows(self, lines: list[str]) -> int:
        """The number of a record's further lines with the cells of a row, if these are too many to be chance."""
        width = self.width or 0
        inner = [line for line in lines[:-1] if line.strip()]
        least = LEAST_OF_PAIRS if width == 2 else LEAST_LIKE_ROWS
        if width < 2 or len(inner) < least:
            return 0
        alike = sum(line.count(self.dialect.delimiter) + 1 >= width and self._alone(line) is not None for line in inner)
        return alike if alike >= max(least, LEAST_SHARE * len(inner)) else 0

    def _alone(self, line: str) -> list[str] | None:
        """The cells of a line that is a row by itself; None if it is not.

        In tab-separated text a stray quote is an ordinary character."""
        try:
            cells = next(self._reader_of([line]), [])
        except csv.Error:
            cells = []
        if line.count('"') % 2 and self.dialect.quoting != "none":
            cells = []  # the end of a cell that began before
        if len(cells) != self.width and self.dialect.delimiter == "\t":
            cells = line.rstrip("\r\n").split("\t")
        return cells if len(cells) == self.width else None

    def _reader_of(self, lines: Iterable[str]) -> Iterator[list[str]]:
        if self.dialect.quoting == "none":
            return csv.reader(lines, delimiter=self.dialect.delimiter, quoting=csv.QUOTE_NONE, strict=True)
        return csv.reader(lines, delimiter=self.dialect.delimiter, strict=True)


class _Lines:
    """Lines that can be put back; `read` are those that were read since it was cleared."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._coming = iter(lines)
        self._back: deque[str] = deque()
        self.read: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._back.popleft() if self._back else next(self._coming)
        self.read.append(line)
        return line

    def take(self) -> str:
        return self._back.popleft() if self._back else next(self._coming)

    def put_back(self, lines: list[str]) -> None:
        self._back.extendleft(reversed(lines))

    def peek(self, most: int) -> list[str]:
        """The next lines, which are not consumed."""
        while len(self._back) < most and (line := next(self._coming, None)) is not None:
            self._back.append(line)
        return [self._back[index] for index in range(min(most, len(self._back)))]


def _unescaped(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield _ESCAPED.sub(r'\1""', line) if '\\"' in line else line
