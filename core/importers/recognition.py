"""Which format a file has, by its columns, and columns renamed by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.errors import FileFormatError
from core.importers.format import Format
from core.importers.native import NATIVE
from core.importers.ragas import RAGAS
from core.importers.ragas_01 import RAGAS_01
from core.importers.table import Row, Table

FORMATS: tuple[Format, ...] = (NATIVE, RAGAS, RAGAS_01)

_SHOWN_COLUMNS = 30


def recognise(columns: Collection[str]) -> Format | None:
    """The format that knows most of the columns among those that fit; the earlier in FORMATS on a tie."""
    fitting = [known for known in FORMATS if known.fits(columns)]
    return max(fitting, key=lambda known: len(known.recognised(columns)), default=None)


def choose_format(columns: Collection[str], name: str | None) -> Format:
    """The named format, or the recognised one. FileFormatError lists the columns found and what each format needs."""
    if name is None:
        found = recognise(columns)
        if found is None:
            raise FileFormatError(f"the columns are of no known format: {_found(columns)} {_needs(FORMATS)}")
        return found
    named = [known for known in FORMATS if known.name == name]
    if not named:
        raise FileFormatError(f'"{name}" is no known format: choose {", ".join(known.name for known in FORMATS)}')
    if any(column not in columns for column in named[0].required):
        raise FileFormatError(f"the file is not of that format: {_found(columns)} {_needs(named)}")
    return named[0]


def rename_columns(table: Table, mapping: Mapping[str, str]) -> Table:
    """The table with the file's columns (keys) under the native names (values) that a user gave them.

    Raises FileFormatError on a column that is not there, a name that is not native, or two columns of one name.
    """
    missing = [column for column in mapping if column not in table.columns]
    if missing:
        raise FileFormatError(f"no column is called {_quoted(missing)}. {_found(table.columns)}")
    unknown = [name for name in mapping.values() if name not in NATIVE.fields]
    if unknown:
        raise FileFormatError(f"{_quoted(unknown)} is no column of a run file: choose of {', '.join(NATIVE.fields)}")
    columns = tuple(mapping.get(column, column) for column in table.columns)
    doubled = sorted({name for name in columns if columns.count(name) > 1})
    if doubled:
        raise FileFormatError(f"two columns would be called {_quoted(doubled)}: map only one of them")
    rows = tuple(
        Row(row.number, {mapping.get(name, name): cell for name, cell in row.cells.items()}) for row in table.rows
    )
    return Table(table.kind, columns, rows, table.unreadable)


def _found(columns: Collection[str]) -> str:
    shown = [column[:60] for column in list(columns)[:_SHOWN_COLUMNS]]
    rest = f" and {len(columns) - _SHOWN_COLUMNS} more" if len(columns) > _SHOWN_COLUMNS else ""
    return f"found {', '.join(shown) or 'no columns'}{rest}."


def _needs(formats: Sequence[Format]) -> str:
    needs = [f"{known.name} needs {', '.join(known.required)}" for known in formats]
    return f"{'; '.join(needs)}. Rename the columns, or give a mapping to the native ones"


def _quoted(names: Collection[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
