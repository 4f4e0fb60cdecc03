"""Columns of a file mapped by hand: which field of a sample each becomes, and what happens to the others.

A mapping is column → field of a run file, or one of `USES`. Columns that it does not name are read as if there were
no mapping: under a native name as that field, else as a dimension or metadata by their cells.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import FileFormatError, LimitError
from core.importers.extras import Use, choose_uses
from core.importers.formats.format import Format
from core.importers.formats.native import FIELDS, NATIVE, read
from core.importers.limits import Limits
from core.importers.problems import describe
from core.importers.reading.cells import CellError, as_identifier, as_level
from core.importers.reading.content import read_bytes, read_table, shown_name
from core.importers.reading.contexts import NO_CONTEXTS, as_document_or_documents
from core.importers.reading.row_reader import RowReader
from core.importers.reading.structures import as_grades, as_identifiers
from core.importers.reading.table import Row, Table, check_names
from core.importers.recognition import check_present, recognise, rename_columns
from core.importers.suggestion import suggest_mapping
from core.records.hashing import sha256_of_json
from core.types import JsonValue, Sample

DIMENSION, KEPT, LEFT_OUT = "dimension", "kept", "left out"
USES = (DIMENSION, KEPT, LEFT_OUT)
"""What happens to a column that is not a field: samples are sliced by it, it becomes metadata, or it is not read."""

REQUIRED = NATIVE.required
SHOWN_ROWS = 5


@dataclass(frozen=True, slots=True)
class FileColumns:
    """A file's columns, the format that they are recognised as (None = unknown), and its first rows unchanged.

    `dimensions` are the columns whose cells samples could be sliced by.
    """

    columns: tuple[str, ...]
    format: Format | None
    first_rows: tuple[Mapping[str, JsonValue], ...]
    dimensions: tuple[str, ...] = ()

    @property
    def suggestion(self) -> dict[str, str]:
        """Field → the column that it probably is, where its name says so."""
        if self.format is None:
            return {field: name for name, field in suggest_mapping(self.columns).items() if field is not None}
        fields = self.format.known_fields(self.columns)
        return {field: name for name, field in reversed(fields.items()) if field in FIELDS}


def read_columns(source: bytes | Path, *, filename: str, limits: Limits | None = None) -> FileColumns:
    """The columns of a file in any format. Raises FileFormatError or LimitError where no rows can be read."""
    limits = limits or Limits.from_settings()
    try:
        table = read_table(read_bytes(source, limits), limits, is_record=_may_be_record)
        return columns_in(table)
    except (FileFormatError, LimitError) as error:
        raise type(error)(f"{shown_name(filename)}: {error}") from None


def columns_in(table: Table) -> FileColumns:
    """The columns of a table. FileFormatError for a name that no column can have."""
    check_names(table.columns)
    filled = [{name: cell for name, cell in row.cells.items() if cell is not None} for row in table.rows]
    uses = choose_uses(table.columns, filled)
    return FileColumns(
        table.columns,
        recognise(table.columns),
        first_rows=tuple(row.cells for row in table.rows[:SHOWN_ROWS]),
        dimensions=tuple(name for name, use in uses.items() if use == "dimension"),
    )


def fingerprint(columns: Collection[str]) -> str:
    """The same for files with the same columns, in any order."""
    return sha256_of_json(sorted(columns))


def apply_mapping(table: Table, mapping: Mapping[str, str]) -> Table:
    """The table with mapped columns under their native names, and without those left out.

    Raises FileFormatError on a column that is not there, a name that is neither a field nor a use, or two columns of
    one field.
    """
    names = {column: name for column, name in mapping.items() if name not in USES}
    check_present(mapping, table.columns)
    dropped = {column for column, name in mapping.items() if name == LEFT_OUT}
    if dropped:
        rows = tuple(Row(row.number, {k: v for k, v in row.cells.items() if k not in dropped}) for row in table.rows)
        table = replace(table, columns=tuple(name for name in table.columns if name not in dropped), rows=rows)
    return rename_columns(table, names) if names else table


def chosen_uses(mapping: Mapping[str, str]) -> dict[str, Use]:
    """What the mapping says about columns that are not fields."""
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
    """As a native row, but with contexts and relevant ids in the forms that other tools write."""
    contexts, metadata = row.structure("contexts", as_document_or_documents, NO_CONTEXTS)
    relevant = row.structure("relevant_ids", as_grades_or_identifiers, {})
    sample = read(row.without("contexts", "relevant_ids"))
    return replace(sample, contexts=contexts, relevant_ids=relevant, metadata={**metadata, **sample.metadata})


MAPPED = replace(NATIVE, title="columns mapped by hand", read=read_mapped)


def as_grades_or_identifiers(value: JsonValue) -> dict[str, int]:
    """Passage ids with their grades; a list of ids, or a single one, means grade 1 for each."""
    if isinstance(value, dict):
        return as_grades(value)
    if isinstance(value, list):
        return dict.fromkeys(as_identifiers(value), 1)
    try:
        return {as_identifier(value): 1}
    except CellError:
        raise CellError('ids with grades, such as {"p1": 2}, or a list of ids', describe(value)) from None


def check_levels(row: RowReader, columns: Sequence[str]) -> None:
    """Report every cell that can't be a level of the dimension that a user made of its column."""
    for column in columns:
        row.value(column, as_level, "")


def _may_be_record(fields: Collection[str]) -> bool:
    if recognise(fields) is not None:
        return True
    return set(REQUIRED) <= set(suggest_mapping(tuple(fields)).values())
