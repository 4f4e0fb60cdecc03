"""Columns of a file mapped by hand: the sample field of each, or another use.

A mapping is column → field of a run file, or one of `USES`. Columns that it does not name are read as without a
mapping: under a native name as that field, else as a dimension or metadata by their cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.extras import Use, choose_uses
from hcat.core.importers.formats.format import Format
from hcat.core.importers.formats.native import FIELDS, NATIVE, read
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.cells import CellError, as_level
from hcat.core.importers.reading.content import read_bytes, read_table, shown_name
from hcat.core.importers.reading.contexts import NO_CONTEXTS, Contexts
from hcat.core.importers.reading.messages import as_answer, as_logged, as_question, contexts_within, references_within
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.table import Table, check_names
from hcat.core.importers.recognition import recognise
from hcat.core.importers.suggestion import suggest_mapping
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.samples.right_answers import with_right_answers
from hcat.core.types import JsonValue, Sample

DIMENSION, KEPT, LEFT_OUT = "dimension", "kept", "left out"
USES = (DIMENSION, KEPT, LEFT_OUT)
"""The uses of a column that is not a field: a dimension, metadata, or not read."""

REQUIRED = NATIVE.required
SHOWN_ROWS = 5


@dataclass(frozen=True, slots=True)
class FileColumns:
    """A file's columns, the format that they are recognised as (None = unknown), and its first rows unchanged.

    `dimensions` are the columns whose cells samples could be sliced by, `suggested` is the probable field of each
    column, by its name and its cells."""

    columns: tuple[str, ...]
    format: Format | None
    first_rows: tuple[Mapping[str, JsonValue], ...]
    dimensions: tuple[str, ...] = ()
    suggested: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def suggestion(self) -> dict[str, str]:
        """Field → its probable column."""
        if self.format is None:
            return {name: column for column, name in self.suggested.items() if name is not None}
        fields = self.format.known_fields(self.columns)
        return {name: column for column, name in reversed(fields.items()) if name in FIELDS}


def read_columns(source: bytes | Path, *, filename: str, limits: Limits | None = None) -> FileColumns:
    """The columns of a file in any format. Raises FileFormatError or LimitError if no rows can be read."""
    limits = limits or Limits.from_settings()
    try:
        table = read_table(read_bytes(source, limits), limits, is_record=may_be_record)
        return columns_in(table)
    except (FileFormatError, LimitError) as error:
        raise type(error)(f"{shown_name(filename)}: {error}") from None


def columns_in(table: Table) -> FileColumns:
    """The columns of a table. FileFormatError for an invalid column name."""
    check_names(table.columns)
    filled = [{name: cell for name, cell in row.cells.items() if cell is not None} for row in table.rows]
    uses = choose_uses(table.columns, filled)
    return FileColumns(
        table.columns,
        recognise(table.columns),
        first_rows=tuple(row.cells for row in table.rows[:SHOWN_ROWS]),
        dimensions=tuple(name for name, use in uses.items() if use == "dimension"),
        suggested=suggest_mapping(table.columns, [row.cells for row in table.rows]),
    )


def fingerprint(columns: Collection[str]) -> str:
    """A key that is the same for files with the same columns, in any order."""
    return sha256_of_json(sorted(columns))


def chosen_uses(mapping: Mapping[str, str]) -> dict[str, Use]:
    """The uses that the mapping gives to columns that are not fields."""
    uses: dict[str, Use] = {}
    for column, name in mapping.items():
        if name == DIMENSION:
            uses[column] = "dimension"
        elif name == KEPT:
            uses[column] = "metadata"
    return uses


def names_fields(mapping: Mapping[str, str]) -> bool:
    """Whether the mapping names the field of any column, so that the file is read by the mapping alone."""
    return any(name not in USES for name in mapping.values())


def read_mapped(row: RowReader) -> Sample:
    """The sample of a native row, with question, answer and references in the forms that tools log.

    Contexts and references without a column are searched in the objects of answer and question."""
    query = as_logged(row.cell("query"))
    sample = read(row.with_cells(query=_parsed(row, "query", as_question), answer=_parsed(row, "answer", as_answer)))
    logged = (as_logged(row.cell("answer")), query)
    if "contexts" not in row:
        contexts, metadata = next((within for each in logged if (within := _contexts(each))[0]), NO_CONTEXTS)
        sample = replace(sample, contexts=contexts, metadata={**metadata, **sample.metadata})
    if "reference" not in row:
        sample = with_right_answers(sample, next(filter(None, map(_references, logged)), ()))
    return sample


def _parsed(row: RowReader, column: str, parse: Callable[[JsonValue], str | None]) -> JsonValue:
    """The text of the cell; a blank or wrong one is reported when the row is read."""
    cell = row.cell(column)
    if not isinstance(cell, list | dict) and as_logged(cell) is cell:
        return cell
    text = row.value(column, lambda logged: parse(as_logged(logged)), None)
    return "?" if text is None and row.problems else text


def _contexts(logged: JsonValue) -> Contexts:
    try:
        return contexts_within(logged)
    except CellError:
        return NO_CONTEXTS


def _references(logged: JsonValue) -> tuple[str, ...]:
    try:
        return references_within(logged)
    except CellError:
        return ()


MAPPED = replace(NATIVE, title="columns mapped by hand", read=read_mapped)
TABLE = replace(NATIVE, name="table", title="table, read by the names of its columns", read=read_mapped)


def check_levels(row: RowReader, columns: Sequence[str]) -> None:
    """Report every cell that can't be a level of the dimension that a user made of its column."""
    for column in columns:
        row.value(column, as_level, "")


def may_be_record(fields: Collection[str]) -> bool:
    """Whether an object with these fields may be a record of a run file."""
    return recognise(fields) is not None or set(REQUIRED) <= set(suggest_mapping(tuple(fields)).values())
