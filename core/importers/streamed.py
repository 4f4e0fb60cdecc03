"""A run file of any length as samples, a row at a time: checked, and buffered on disk until it is stored."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.account import LineCount, account_of
from hcat.core.importers.extras import LevelsSeen, Use, add_extras
from hcat.core.importers.layout import layout_of
from hcat.core.importers.limits import Limits
from hcat.core.importers.mapping import FileColumns, columns_in
from hcat.core.importers.preview import MAX_BAD_ROWS, Preview, RowReading, holds_number, named
from hcat.core.importers.problems import BadRow, Problem, Remark, describe
from hcat.core.importers.reading.content import shown_name
from hcat.core.importers.reading.row_stream import RowStream, row_stream
from hcat.core.importers.reading.table import (
    Row,
    Table,
    Unreadable,
    check_column_count,
    check_row_count,
    is_unnamed,
)
from hcat.core.types import JsonValue, Sample

STREAMED_BYTES = 20_000_000
"""The size from which on a file is read row by row, if that is possible."""
HEAD = 1_000
"""The number of first rows whose samples and cells the preview shows."""
FIRST_ROWS = 8_192
"""The columns of the first rows are those of the file, unless a later row has others: then it is read again."""
BATCH = 512
MOST_PROBLEMS = 10_000

_Draft = tuple[Sample, Mapping[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class StreamedRun:
    """The content of a file.

    `preview` is of its first rows, except `problems` (the first 10,000), `bad_rows`, `rows`, `columns` and the uses of
    columns, which are of all of them; `n` are the good rows. `several` are the ids that some trials share."""

    preview: Preview
    n: int
    n_problems: int
    several: frozenset[str]
    _given_ids: frozenset[str]
    _kept: IO[bytes] = field(repr=False)

    def __len__(self) -> int:
        return self.n

    def __iter__(self) -> Iterator[Sample]:
        return self.samples()

    def close(self) -> None:
        """Release the disk space of the rows."""
        self._kept.close()

    def samples(self) -> Iterator[Sample]:
        """The samples of the good rows in order, read from the disk."""
        uses, used_ids, copies = self.preview.extras, set(self._given_ids), Counter[str]()
        for sample, extras in _batches(self._kept):
            whole = add_extras(sample, extras, uses)
            yield whole if whole.id else named(whole, used_ids, copies)


@contextmanager
def stream_run(
    path: Path,
    *,
    filename: str,
    format: str | None = None,  # noqa: A002  the word of the interface
    limits: Limits | None = None,
    mapping: Mapping[str, str] | None = None,
    leave_out_thoughts: bool = False,
) -> Iterator[StreamedRun | None]:
    """The same as `preview.read_run`, with a group of rows in memory at a time; None if the file is not read row by
    row.

    The data on the disk is deleted at the end. FileFormatError or LimitError if nothing can be read at all."""
    limits = limits or Limits.from_settings()
    with TemporaryFile() as kept:
        try:
            stream = row_stream(path, limits)
            found = None if stream is None else read_stream(stream, format, mapping or {}, kept, leave_out_thoughts)
        except (FileFormatError, LimitError) as error:
            raise type(error)(f"{shown_name(filename)}: {error}") from None
        yield found


def columns_of(stream: RowStream) -> tuple[str, ...]:
    """The columns of the first rows."""
    return _names(islice(stream.rows(), FIRST_ROWS))


def file_columns(stream: RowStream) -> FileColumns:
    """The same with the recognised format, by the first rows."""
    rows = [row for row in islice(stream.rows(), FIRST_ROWS) if isinstance(row, Row)]
    return columns_in(Table(stream.kind, _names(rows), tuple(rows)))


def _names(rows: Iterable[Row | Unreadable]) -> tuple[str, ...]:
    names = dict.fromkeys(name for row in rows if isinstance(row, Row) for name in row.cells)
    return tuple(name for name in names if not is_unnamed(name))


def read_stream(
    stream: RowStream,
    name: str | None,
    mapping: Mapping[str, str],
    kept: IO[bytes],
    leave_out_thoughts: bool = False,
) -> StreamedRun:
    """The file's rows, read and checked one by one as this format, or as the one that fits.

    The good ones are written to an open file."""
    columns = columns_of(stream)
    if not columns and next(stream.rows(), None) is None:
        raise FileFormatError("the file has no rows: a table has a header (query, answer, …) and a row a sample")
    try:
        return _Reading(stream, name, mapping, columns, leave_out_thoughts).run(kept)
    except _OtherColumns:
        columns = _names(stream.rows())
        kept.seek(0)
        kept.truncate()
        return _Reading(stream, name, mapping, columns, leave_out_thoughts).run(kept)


class _OtherColumns(Exception):
    """A row has a column that none of the first rows had."""


class _Reading:
    """One pass over a file with these columns."""

    def __init__(
        self,
        stream: RowStream,
        name: str | None,
        mapping: Mapping[str, str],
        columns: tuple[str, ...],
        leave_out_thoughts: bool,
    ) -> None:
        self.stream, self.columns = stream, columns
        check_column_count(len(columns), stream.limits)
        head = [row.cells for row in islice(stream.rows(), HEAD) if isinstance(row, Row)]
        self.layout = layout_of(columns, head, name, mapping)
        self.reading = RowReading(
            self.layout, stream.limits, textual=stream.kind == "csv", leave_out_thoughts=leave_out_thoughts
        )
        self.known, self.others = set(columns), frozenset(self.layout.unknown)
        self.levels, self.texts = LevelsSeen(self.layout.unknown), self.layout.texts
        self.lines, self.remarks = LineCount(), Counter[Remark]()
        self.problems: list[Problem] = []
        self.bad_rows: list[BadRow] = []
        self.rows = self.n = self.n_problems = 0
        self.trials: dict[int, dict[str, int]] = {}
        self.several: set[str] = set()
        self.as_text: Counter[str] = Counter()
        self.head: list[Mapping[str, JsonValue]] = []

    def run(self, kept: IO[bytes]) -> StreamedRun:
        """Read the file, and store its good rows."""
        drafts = self._drafts()
        while batch := list(islice(drafts, BATCH)):
            kept.write(pickle.dumps(batch, protocol=pickle.HIGHEST_PROTOCOL))
        kept.flush()
        uses = {**self.levels.uses(), **self.layout.uses}
        ids = frozenset[str]().union(*self.trials.values())
        preview = self._preview(uses)
        found = StreamedRun(preview, self.n, self.n_problems, frozenset(self.several), ids, kept)
        return replace(found, preview=replace(preview, samples=tuple(islice(found.samples(), HEAD))))

    def _drafts(self) -> Iterator[_Draft]:
        """The good rows; the others are recorded."""
        for row in self.stream.rows(self.layout.left_out):
            self.rows += 1
            self.lines.add(row)
            check_row_count(self.rows, self.stream.limits)
            if isinstance(row, Unreadable):
                self._note([row.problem], row.bad)
                continue
            draft = self._draft(self._known(row))
            if draft is not None:
                self.n += 1
                yield draft

    def _known(self, row: Row) -> Row:
        """The row without columns that have no name."""
        if self.known.issuperset(row.cells):
            return row
        if any(name not in self.known and not is_unnamed(name) for name in row.cells):
            raise _OtherColumns
        return replace(row, cells={name: cell for name, cell in row.cells.items() if not is_unnamed(name)})

    def _draft(self, row: Row) -> _Draft | None:
        named_row = self.layout.row(row)
        sample, reader = self.reading.sample(named_row)
        problems = [*reader.problems] or [*self._repeated(row, sample)]
        if problems:
            self._note(problems, BadRow(row.number, self.layout.record(row)))
            return None
        extras = reader.extras(self.others)
        self.levels.add(extras)
        self.remarks.update(reader.remarks)
        if row.like_rows:
            self.remarks["like rows", str(row.number)] += row.like_rows
        self.as_text.update(column for column in self.texts if holds_number(named_row.cells.get(column)))
        if len(self.head) < HEAD:
            self.head.append({**extras, **self.layout.format.scores(reader)})
        return sample, extras

    def _repeated(self, row: Row, sample: Sample) -> Iterator[Problem]:
        """Problems of rows with the id and trial of an earlier one, which is used: labels can't distinguish them."""
        if not sample.id:
            return
        trials = self.trials.setdefault(sample.trial, {})
        if sample.id in trials:
            found = f"{describe(sample.id)}, trial {sample.trial}, as in row {trials[sample.id]}"
            yield Problem(row.number, "id", "an id and trial that no other row has", found)
            return
        if any(sample.id in others for others in self.trials.values()):
            self.several.add(sample.id)
        trials[sample.id] = row.number

    def _note(self, problems: Sequence[Problem], bad: BadRow) -> None:
        self.n_problems += len(problems)
        self.problems.extend(problems[: MOST_PROBLEMS - len(self.problems)])
        if len(self.bad_rows) < MAX_BAD_ROWS:
            self.bad_rows.append(bad)

    def _preview(self, uses: Mapping[str, Use]) -> Preview:
        return Preview(
            format=self.layout.format,
            samples=(),
            problems=tuple(self.problems),
            rows=self.rows,
            columns=self.columns,
            fields=self.layout.fields,
            extras=uses,
            bad_rows=tuple(self.bad_rows),
            named_cells=tuple(self.head),
            textual=self.reading.textual,
            read_as_text={name: self.as_text[column] for column, name in self.texts.items() if self.as_text[column]},
            account=account_of(self.layout, uses, self.lines, self.remarks),
        )


def _batches(kept: IO[bytes]) -> Iterator[_Draft]:
    kept.seek(0)
    while True:
        try:
            batch: Iterable[_Draft] = pickle.load(kept)  # noqa: S301  a nameless file that this process wrote
        except EOFError:
            return
        yield from batch
