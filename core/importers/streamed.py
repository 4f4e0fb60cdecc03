"""A run file of any length as samples, a row at a time: checked, and kept on disk until it is stored."""

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

from core.errors import FileFormatError, LimitError
from core.importers.extras import LevelsSeen, Use, add_extras
from core.importers.formats.format import Format
from core.importers.formats.native import NATIVE
from core.importers.limits import Limits
from core.importers.mapping import (
    MAPPED,
    USES,
    FileColumns,
    apply_mapping,
    check_levels,
    chosen_uses,
    columns_in,
    names_fields,
)
from core.importers.preview import MAX_BAD_ROWS, Preview, holds_number, named, text_columns
from core.importers.problems import BadRow, Problem, describe
from core.importers.reading.content import shown_name
from core.importers.reading.row_reader import RowReader
from core.importers.reading.row_stream import RowStream, row_stream
from core.importers.reading.table import Row, Table, Unreadable, check_column_count, check_row_count, is_unnamed
from core.importers.recognition import choose_format
from core.types import JsonValue, Sample

STREAMED_BYTES = 20_000_000
"""A file from this size on is read row by row, where that can be."""
HEAD = 1_000
"""Of so many first rows the preview shows samples and cells."""
FIRST_ROWS = 8_192
"""The columns of so many rows are those of the file, unless a later row has others: then it is read again."""
BATCH = 512
MOST_PROBLEMS = 10_000

_Draft = tuple[Sample, Mapping[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class StreamedRun:
    """What a file contains. `preview` is of its first rows, but for `problems` (the first 10,000), `bad_rows`, `rows`,
    `columns` and the uses of columns, which are of all of them; `n` are the good rows.

    `several` are the ids that some trials share.
    """

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
        """Give back the room that the rows take on the disk."""
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
) -> Iterator[StreamedRun | None]:
    """As `preview.read_run`, with a group of rows in memory at a time; None where the file is not read row by row.

    What is kept on the disk is gone at the end. FileFormatError or LimitError where nothing can be read at all.
    """
    limits = limits or Limits.from_settings()
    with TemporaryFile() as kept:
        try:
            stream = row_stream(path, limits)
            found = None if stream is None else read_stream(stream, format, mapping or {}, kept)
        except (FileFormatError, LimitError) as error:
            raise type(error)(f"{shown_name(filename)}: {error}") from None
        yield found


def columns_of(stream: RowStream) -> tuple[str, ...]:
    """The columns of the first rows."""
    return _names(islice(stream.rows(), FIRST_ROWS))


def file_columns(stream: RowStream) -> FileColumns:
    """The same with what they are recognised as, by the first rows."""
    rows = [row for row in islice(stream.rows(), FIRST_ROWS) if isinstance(row, Row)]
    return columns_in(Table(stream.kind, _names(rows), tuple(rows)))


def _names(rows: Iterable[Row | Unreadable]) -> tuple[str, ...]:
    names = dict.fromkeys(name for row in rows if isinstance(row, Row) for name in row.cells)
    return tuple(name for name in names if not is_unnamed(name))


def read_stream(stream: RowStream, name: str | None, mapping: Mapping[str, str], kept: IO[bytes]) -> StreamedRun:
    """The file's rows, read and checked one after another as the format of this name, or as that which fits; the good
    ones are kept in an open file."""
    columns = columns_of(stream)
    if not columns and next(stream.rows(), None) is None:
        raise FileFormatError("the file has no rows: a table has a header (query, answer, …) and a row a sample")
    try:
        return _Reading(stream, name, mapping, columns).run(kept)
    except _OtherColumns:
        columns = _names(stream.rows())
        kept.seek(0)
        kept.truncate()
        return _Reading(stream, name, mapping, columns).run(kept)


class _OtherColumns(Exception):
    """A row has a column that none of the first rows had."""


class _Reading:
    """One pass over a file with these columns."""

    def __init__(
        self, stream: RowStream, name: str | None, mapping: Mapping[str, str], columns: tuple[str, ...]
    ) -> None:
        self.stream, self.columns, self.textual = stream, columns, stream.kind == "csv"
        self.renamed = {column: field for column, field in mapping.items() if field not in USES}
        table = Table(stream.kind, columns, ())
        table = apply_mapping(table, mapping) if mapping else table
        check_column_count(len(columns), stream.limits)
        by_hand = name is None and names_fields(mapping)
        chosen = choose_format(table.columns, NATIVE.name if by_hand else name)
        self.format: Format = MAPPED if by_hand else chosen
        self.known, self.read = set(columns), set(table.columns)
        self.fields = self.format.known_fields(table.columns)
        self.unknown = tuple(column for column in table.columns if column not in self.fields)
        self.others = frozenset(self.unknown)
        self.mapped_uses: dict[str, Use] = {c: use for c, use in chosen_uses(mapping).items() if c in self.others}
        self.sliced = tuple(column for column, use in self.mapped_uses.items() if use == "dimension")
        self.levels, self.texts = LevelsSeen(self.unknown), text_columns(self.fields)
        self.problems: list[Problem] = []
        self.bad_rows: list[BadRow] = []
        self.rows = self.n = self.n_problems = 0
        self.trials: dict[int, dict[str, int]] = {}
        self.several: set[str] = set()
        self.as_text: Counter[str] = Counter()
        self.head: list[Mapping[str, JsonValue]] = []

    def run(self, kept: IO[bytes]) -> StreamedRun:
        """Read the file, and keep its good rows."""
        drafts = self._drafts()
        while batch := list(islice(drafts, BATCH)):
            kept.write(pickle.dumps(batch, protocol=pickle.HIGHEST_PROTOCOL))
        kept.flush()
        uses = {**self.levels.uses(), **self.mapped_uses}
        ids = frozenset[str]().union(*self.trials.values())
        preview = self._preview(uses)
        found = StreamedRun(preview, self.n, self.n_problems, frozenset(self.several), ids, kept)
        return replace(found, preview=replace(preview, samples=tuple(islice(found.samples(), HEAD))))

    def _drafts(self) -> Iterator[_Draft]:
        """The good rows; the others are noted."""
        for row in self.stream.rows():
            self.rows += 1
            check_row_count(self.rows, self.stream.limits)
            if isinstance(row, Unreadable):
                self._note([row.problem], row.bad)
                continue
            named_row = self._named(row)
            draft = self._draft(named_row)
            if draft is not None:
                self.n += 1
                yield draft

    def _named(self, row: Row) -> Row:
        """The row under native names."""
        if not self.known.issuperset(row.cells):
            if any(name not in self.known and not is_unnamed(name) for name in row.cells):
                raise _OtherColumns
            row = Row(row.number, {name: cell for name, cell in row.cells.items() if not is_unnamed(name)})
        if not self.renamed and len(self.read) == len(self.known):
            return row
        cells = {self.renamed.get(name, name): cell for name, cell in row.cells.items()}
        return Row(row.number, {name: cell for name, cell in cells.items() if name in self.read})

    def _draft(self, row: Row) -> _Draft | None:
        reader = RowReader(row, limits=self.stream.limits, textual=self.textual)
        sample = self.format.read(reader)
        check_levels(reader, self.sliced)
        problems = [*reader.problems] or [*self._repeated(row, sample)]
        if problems:
            self._note(problems, BadRow(row.number, row.cells))
            return None
        extras = reader.extras(self.others)
        self.levels.add(extras)
        self.as_text.update(column for column in self.texts if holds_number(row.cells.get(column)))
        if len(self.head) < HEAD:
            self.head.append({**extras, **self.format.scores(reader)})
        return sample, extras

    def _repeated(self, row: Row, sample: Sample) -> Iterator[Problem]:
        """The first of the rows that share id and trial stays: labels can't tell them apart."""
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
            format=self.format,
            samples=(),
            problems=tuple(self.problems),
            rows=self.rows,
            columns=self.columns,
            fields=self.fields,
            extras=uses,
            bad_rows=tuple(self.bad_rows),
            named_cells=tuple(self.head),
            textual=self.textual,
            read_as_text={column: self.as_text[column] for column in self.texts if self.as_text[column]},
        )


def _batches(kept: IO[bytes]) -> Iterator[_Draft]:
    kept.seek(0)
    while True:
        try:
            batch: Iterable[_Draft] = pickle.load(kept)  # noqa: S301  a nameless file that this process wrote
        except EOFError:
            return
        yield from batch
