"""A run file as samples for a preview before anything is stored: the good rows, and the problems of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.account import Account, LineCount, account_of, counted_remarks
from hcat.core.importers.answers import read_as_said
from hcat.core.importers.extras import Use, add_extras, choose_uses
from hcat.core.importers.formats.format import Format
from hcat.core.importers.layout import Layout, layout_of
from hcat.core.importers.limits import Limits
from hcat.core.importers.mapping import LEFT_OUT, check_levels, may_be_record, names_fields
from hcat.core.importers.problems import BadRow, Problem, Remark, describe
from hcat.core.importers.reading.content import read_bytes, read_table, shown_name
from hcat.core.importers.reading.paths import cell_path
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.table import Row, Table, Unreadable
from hcat.core.records.hashing import sha256_of_json
from hcat.core.types import JsonValue, Sample

MAX_BAD_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Preview:
    """The content of a file. `samples` are the good rows; `bad_rows` the first of the others, as they are in the file.

    `fields` is the sample field of each recognised column, `extras` the use of each unknown one. `named_cells` are
    the cells of each sample that may be another tool's scores (`scores.read_scores`); in a `textual` file numbers
    are text."""

    format: Format
    samples: tuple[Sample, ...]
    problems: tuple[Problem, ...]
    rows: int
    columns: tuple[str, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    extras: Mapping[str, Use] = field(default_factory=dict)
    bad_rows: tuple[BadRow, ...] = ()
    named_cells: tuple[Mapping[str, JsonValue], ...] = ()
    textual: bool = False
    read_as_text: Mapping[str, int] = field(default_factory=dict)
    """By column, the number of good rows with a number or true/false in the place of a text, which was read as text."""
    account: Account = field(default_factory=Account)

    @property
    def bad(self) -> int:
        """The number of rows that were left out; `bad_rows` has at most MAX_BAD_ROWS of them."""
        return self.rows - len(self.samples)


@dataclass(frozen=True, slots=True)
class _Draft:
    row: int
    record: dict[str, JsonValue]
    sample: Sample
    extras: Mapping[str, JsonValue]
    scores: Mapping[str, JsonValue]
    remarks: Sequence[Remark]


def read_run(
    source: bytes | Path,
    *,
    filename: str,
    format: str | None = None,  # noqa: A002  the word of the interface
    limits: Limits | None = None,
    mapping: Mapping[str, str] | None = None,
    leave_out_thoughts: bool = False,
) -> Preview:
    """Read a run file of any known format, recognised by its columns unless `format` names one.

    `mapping` gives the sample field of a column, or of a path into one, or another use (`mapping.USES`). Raises
    FileFormatError or LimitError if nothing can be read at all; a row that is wrong is left out and reported instead.
    With `leave_out_thoughts` answers are what follows a model's reasoning."""
    try:
        return _read(source, format, limits or Limits.from_settings(), mapping or {}, leave_out_thoughts)
    except (FileFormatError, LimitError) as error:
        raise type(error)(f"{shown_name(filename)}: {error}") from None


def _read(
    source: bytes | Path, name: str | None, limits: Limits, mapping: Mapping[str, str], leave_out_thoughts: bool
) -> Preview:
    table = read_table(
        read_bytes(source, limits),
        limits,
        is_record=lambda fields: _is_record(fields, mapping),
        left_out=[column for column, use in mapping.items() if use == LEFT_OUT],
    )
    layout = layout_of(table.columns, [row.cells for row in table.rows], name, mapping)
    problems = [item.problem for item in table.unreadable]
    bad = [item.bad for item in table.unreadable]
    reading = RowReading(layout, limits, textual=table.is_textual, leave_out_thoughts=leave_out_thoughts)
    drafts = _with_ids(_drafts(table, reading, problems, bad), problems, bad)
    uses = {**choose_uses(layout.unknown, [draft.extras for draft in drafts]), **layout.uses}
    lines = LineCount(table.above)
    for row in chain[Row | Unreadable](table.rows, table.unreadable):
        lines.add(row)
    return Preview(
        format=layout.format,
        samples=tuple(add_extras(draft.sample, draft.extras, uses) for draft in drafts),
        problems=tuple(sorted(problems, key=lambda problem: problem.row or 0)),
        rows=len(table.rows) + len(table.unreadable),
        columns=table.columns,
        fields=layout.fields,
        extras=uses,
        bad_rows=tuple(sorted(bad, key=lambda item: item.row)[:MAX_BAD_ROWS]),
        named_cells=tuple({**draft.extras, **draft.scores} for draft in drafts),
        textual=table.is_textual,
        read_as_text=_read_as_text(drafts, layout),
        account=account_of(layout, uses, lines, counted_remarks(draft.remarks for draft in drafts)),
    )


def _is_record(fields: Collection[str], mapping: Mapping[str, str]) -> bool:
    """Whether an object with these fields may be a record, by the columns and paths that were mapped, or by itself."""
    if names_fields(mapping):
        return all(column in fields or cell_path(column, fields) is not None for column in mapping)
    return may_be_record(fields)


def _read_as_text(drafts: Iterable[_Draft], layout: Layout) -> dict[str, int]:
    """The number of rows with a number or true/false in each column of texts."""
    columns = layout.texts
    counts = Counter(column for draft in drafts for column in columns if holds_number(draft.record.get(column)))
    return {name: counts[column] for column, name in columns.items() if counts[column]}


def holds_number(cell: JsonValue) -> bool:
    """Whether a cell, or its list, contains a number or true/false."""
    cells = cell if isinstance(cell, list) else [cell]
    return any(isinstance(value, int | float) for value in cells)


@dataclass(frozen=True, slots=True)
class RowReading:
    """The settings for reading each row of a file."""

    layout: Layout
    limits: Limits
    textual: bool
    leave_out_thoughts: bool = False

    def sample(self, row: Row) -> tuple[Sample, RowReader]:
        """The sample of a row under the names of its layout, and the reader that has its problems and remarks."""
        reader = RowReader(row, limits=self.limits, textual=self.textual)
        sample = self.layout.format.read(reader)
        sliced = [column for column, use in self.layout.uses.items() if use == "dimension"]
        check_levels(reader, sliced)
        if reader.problems:
            return sample, reader
        return read_as_said(sample, reader, leave_out_thoughts=self.leave_out_thoughts), reader


def _drafts(table: Table, reading: RowReading, problems: list[Problem], bad: list[BadRow]) -> list[_Draft]:
    drafts, others = [], frozenset(reading.layout.unknown)
    for row in reading.limits.in_time(table.rows):
        named_row = reading.layout.row(row)
        sample, reader = reading.sample(named_row)
        if reader.problems:
            problems.extend(reader.problems)
            bad.append(BadRow(row.number, reading.layout.record(row)))
        else:
            extras = reader.extras(others)
            scores = reading.layout.format.scores(reader)
            remarks = [*reader.remarks, *([("like rows", str(row.number))] * row.like_rows)]
            drafts.append(_Draft(row.number, named_row.cells, sample, extras, scores, remarks))
    return drafts


def _with_ids(drafts: Iterable[_Draft], problems: list[Problem], bad: list[BadRow]) -> list[_Draft]:
    """The drafts with an id each. Of rows with equal id and trial the first is used: labels can't distinguish them."""
    first: dict[tuple[str, int], int] = {}
    unique_drafts = []
    for draft in drafts:
        key = (draft.sample.id, draft.sample.trial)
        if draft.sample.id and key in first:
            repeated_id = f"{describe(key[0])}, trial {key[1]}, as in row {first[key]}"
            problems.append(Problem(draft.row, "id", "an id and trial that no other row has", repeated_id))
            bad.append(BadRow(draft.row, draft.record))
            continue
        first.setdefault(key, draft.row)
        unique_drafts.append(draft)
    used_ids = {name for name, _ in first}
    copies: Counter[str] = Counter()
    return [
        draft if draft.sample.id else replace(draft, sample=named(draft.sample, used_ids, copies))
        for draft in unique_drafts
    ]


def named(sample: Sample, used_ids: set[str], copies: Counter[str]) -> Sample:
    """The sample with an id from its content; `copies` counts those of equal content, which get a number each."""
    base = id_from_content(sample)
    name = f"{base}-{copies[base] + 1}" if copies[base] else base
    copies[base] += 1
    while name in used_ids:
        copies[base] += 1
        name = f"{base}-{copies[base]}"
    used_ids.add(name)
    return replace(sample, id=name)


def id_from_content(sample: Sample) -> str:
    """An id for a sample without one, from its query, answer, contexts and trial: the same at every import."""
    content: list[JsonValue] = [
        sample.query,
        sample.answer,
        [*(passage.text for passage in sample.contexts)],
        sample.trial,
    ]
    return sha256_of_json(content)[:16]
