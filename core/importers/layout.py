"""The mapping of a file's columns to fields of samples: by its format, by hand, by paths, or by column names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hcat.core.errors import FileFormatError
from hcat.core.importers.extras import Use
from hcat.core.importers.formats.continuous_eval import CONTINUOUS_EVAL
from hcat.core.importers.formats.deepeval import DEEPEVAL
from hcat.core.importers.formats.format import Format
from hcat.core.importers.formats.native import FIELDS, NATIVE
from hcat.core.importers.formats.ragas import RAGAS
from hcat.core.importers.formats.ragas_01 import RAGAS_01
from hcat.core.importers.mapping import (
    DIMENSION,
    KEPT,
    LEFT_OUT,
    MAPPED,
    REQUIRED,
    TABLE,
    USES,
    chosen_uses,
    names_fields,
)
from hcat.core.importers.reading.paths import CellPath, cell_path, first_values, paths_in
from hcat.core.importers.reading.table import Row
from hcat.core.importers.recognition import choose_format, found_columns, quoted, recognise
from hcat.core.importers.suggestion import suggest_mapping
from hcat.core.types import JsonValue

_FLAT = (NATIVE, RAGAS, RAGAS_01, DEEPEVAL, CONTINUOUS_EVAL)
"""Formats with a text or a list per column, of which people often use some columns and rename others."""
COMPLETED = ("id", "contexts", "reference", "reference_contexts", "relevant_ids", "trial", "test_case")
"""Fields for columns with a usual name, if nothing else maps to them and the cells fit."""
NESTED = frozenset(
    {
        *(
            "inputs",
            "outputs",
            "reference_outputs",
            "reference",
            "input",
            "output",
            "expected",
            "record",
            "item",
            "data",
        ),
        *("sample", "example", "request", "result", "test_case", "trace"),
    }
)
"""Columns whose objects tools also write as one column per field: `inputs.question`."""

Cells = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Layout:
    """The use of each column.

    `fields` are the sample fields of columns or paths; `unknown` are the other columns that are read, `uses` their
    stated uses, and `guessed` the columns that were only recognised by name."""

    columns: tuple[str, ...]
    format: Format
    fields: Mapping[str, str]
    unknown: tuple[str, ...]
    uses: Mapping[str, Use] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    guessed: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    paths: Mapping[str, CellPath] = field(default_factory=dict)
    nested: frozenset[str] = frozenset()

    def row(self, row: Row) -> Row:
        """The row under the names that the format knows."""
        if not (self.names or self.paths or self.nested or self.left_out):
            return row
        cells = {path: each.value(row.cells) for path, each in self.paths.items()}
        flat = flattened(row.cells, self.nested) if self.nested else row.cells
        cells |= {name: cell for name, cell in flat.items() if name not in self.left_out}
        return replace(row, cells={self.names.get(name, name): cell for name, cell in cells.items()})

    def record(self, row: Row) -> dict[str, JsonValue]:
        """The row as it is in the file, without the columns to leave out."""
        return {name: cell for name, cell in row.cells.items() if name not in self.left_out}

    @property
    def texts(self) -> dict[str, str]:
        """The columns that become texts of a sample, by their names in a row, with their names in the file."""
        return {self.names.get(name, name): name for name, field_name in self.fields.items() if field_name in TEXTS}


TEXTS = frozenset({"query", "answer", "reference", "contexts", "reference_contexts"})
"""The fields of a sample that are texts."""


def layout_of(columns: Sequence[str], rows: Sequence[Cells], name: str | None, mapping: Mapping[str, str]) -> Layout:
    """The layout of a file with these columns, from some or all of its rows.

    Raises FileFormatError if a column or path of the mapping does not exist, a name in it is neither a field nor a use,
    two columns would be one field, or the columns are not those of the named format, or of any."""
    paths = _paths(columns, rows, mapping)
    left_out = frozenset(column for column, use in mapping.items() if use == LEFT_OUT)
    there = [column for column in columns if column not in left_out]
    if name is None and names_fields(mapping):
        return _by_hand(columns, rows, mapping, there, left_out, paths)
    found = _known(there, rows, name)
    if found is None:
        return _by_names(columns, rows, mapping, there, left_out, name)
    known, nested = found
    read = _columns_read(there, rows, nested)
    names = _completed({}, read, rows, known) if known in _FLAT else {}
    return _layout(columns, known, read, names, mapping, left_out, nested=nested, guessed=tuple(names))


def _known(columns: Sequence[str], rows: Sequence[Cells], name: str | None) -> tuple[Format, frozenset[str]] | None:
    """The format, and the columns with objects whose fields it knows as columns; None if there is none."""
    nested = _nested(columns, rows)
    read = _columns_read(columns, rows, nested)
    if name is not None:
        return (
            (choose_format(read, name), nested) if nested and _fits(read, name) else (choose_format(columns, name), _NO)
        )
    flat, within = recognise(columns), recognise(read) if nested else None
    if flat is None and within is not None:
        return within, nested
    return None if flat is None else (flat, _NO)


def _fits(columns: Collection[str], name: str) -> bool:
    try:
        choose_format(columns, name)
    except FileFormatError:
        return False
    return True


_NO: frozenset[str] = frozenset()


def _by_hand(
    columns: Sequence[str],
    rows: Sequence[Cells],
    mapping: Mapping[str, str],
    there: Sequence[str],
    left_out: frozenset[str],
    paths: Mapping[str, CellPath],
) -> Layout:
    names = {column: name for column, name in mapping.items() if name not in USES}
    unknown = [name for name in names.values() if name not in FIELDS]
    if unknown:
        raise FileFormatError(f"{quoted(unknown)} is not a column of a run file: choose one of {', '.join(FIELDS)}")
    read = [*paths, *there]
    whole = {**names, **_completed(names, [name for name in there if name not in mapping], rows, MAPPED)}
    after = [whole.get(column, column) for column in read]
    doubled = sorted({name for name in after if after.count(name) > 1})
    if doubled:
        raise FileFormatError(f"two columns would be called {quoted(doubled)}: map only one of them")
    missing = [field_name for field_name in REQUIRED if field_name not in after]
    if missing:
        choose_format(after, NATIVE.name)  # says what is missing
    guessed = tuple(name for name in whole if name not in names)
    return _layout(columns, MAPPED, read, whole, mapping, left_out, paths=paths, guessed=guessed)


def _by_names(
    columns: Sequence[str],
    rows: Sequence[Cells],
    mapping: Mapping[str, str],
    there: Sequence[str],
    left_out: frozenset[str],
    name: str | None,
) -> Layout:
    """The layout of a table whose columns are named like fields."""
    for nested in (_NO, _nested(there, rows)):
        read = _columns_read(there, rows, nested)
        flat = [flattened(cells, nested) for cells in rows] if nested else rows
        free = [column for column in read if mapping.get(column) not in (DIMENSION, KEPT)]
        names = {column: field_name for column, field_name in suggest_mapping(free, flat).items() if field_name}
        if "id" in free and "id" not in names and "test_case" not in names.values():
            names["id"] = "test_case"  # one that comes again: several answers to one question
        if name is None and set(REQUIRED) <= set(names.values()):
            return _layout(columns, TABLE, read, names, mapping, left_out, nested=nested, guessed=tuple(names))
    choose_format(there, name)
    raise AssertionError("a format that fits was not found before")


def _layout(
    columns: Sequence[str],
    known: Format,
    read: Sequence[str],
    names: Mapping[str, str],
    mapping: Mapping[str, str],
    left_out: frozenset[str],
    *,
    guessed: tuple[str, ...] = (),
    paths: Mapping[str, CellPath] | None = None,
    nested: frozenset[str] = _NO,
) -> Layout:
    after = {names.get(column, column): column for column in read}
    fields = {after[name]: field_name for name, field_name in known.known_fields(list(after)).items()}
    unknown = tuple(name for name, column in after.items() if column not in fields)
    uses = {column: use for column, use in chosen_uses(mapping).items() if column in unknown}
    renamed = {column: name for column, name in names.items() if column != name}
    found_paths = paths or {}
    return Layout(tuple(columns), known, fields, unknown, uses, left_out, guessed, renamed, found_paths, nested)


def _completed(
    names: Mapping[str, str], columns: Sequence[str], rows: Sequence[Cells], known: Format
) -> dict[str, str]:
    """Columns with usual names for fields without a column, with the format's names of these fields."""
    own = known.known_fields(columns)
    there = {*names.values(), *own.values()}
    free = [name for name in columns if name not in own]
    called = {field_name: column.split("|")[0] for column, field_name in reversed(tuple(known.fields.items()))}
    wanted = [name for name in COMPLETED if name not in there and name in called]
    suggested = suggest_mapping(free, rows, fields=wanted)
    return {column: called[field_name] for column, field_name in suggested.items() if field_name is not None}


def _paths(columns: Sequence[str], rows: Sequence[Cells], mapping: Mapping[str, str]) -> dict[str, CellPath]:
    found: dict[str, CellPath] = {}
    for text in mapping:
        if text in columns:
            continue
        path = cell_path(text, columns)
        if path is None or (rows and first_values(path, rows) is None):
            within = [each for cells in rows[:1] for each in paths_in(cells)]
            also = f" Within them: {', '.join(within)}." if within else ""
            raise FileFormatError(f"no column is called {quoted([text])}. {found_columns(columns)}{also}")
        found[text] = path
    return found


def _nested(columns: Sequence[str], rows: Sequence[Cells]) -> frozenset[str]:
    """The columns of objects that tools also write as one column per field."""
    return frozenset(
        column
        for column in columns
        if column in NESTED
        and (cells := [row[column] for row in rows if row.get(column) is not None])
        and all(isinstance(cell, dict) for cell in cells)
    )


def _columns_read(columns: Sequence[str], rows: Sequence[Cells], nested: frozenset[str]) -> list[str]:
    if not nested:
        return list(columns)
    kept = [name for name in columns if name not in nested]
    return list(
        dict.fromkeys([*kept, *(name for row in rows for name in flattened(row, nested) if name not in columns)])
    )


def flattened(cells: Cells, nested: frozenset[str]) -> dict[str, JsonValue]:
    """The cells with one for each field of the nested objects, as `inputs.question`."""
    flat: dict[str, JsonValue] = {}
    for name, cell in cells.items():
        if name in nested and isinstance(cell, dict):
            flat.update({f"{name}.{inner}": value for inner, value in cell.items()})
        elif name not in nested or cell is not None:
            flat[name] = cell
    return flat
