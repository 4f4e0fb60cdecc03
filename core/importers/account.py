"""An account of each column and each line of a file, so that nothing is lost silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from hcat.core.importers.extras import Use
from hcat.core.importers.layout import Layout
from hcat.core.importers.problems import Remark
from hcat.core.importers.reading.table import Row, Unreadable
from hcat.core.importers.suggestion import suggest_mapping

NAMED_LIKE = frozenset({"query", "answer", "contexts", "reference", "reference_contexts", "relevant_ids"})
"""Fields whose usual names a column should not have without being used."""

ColumnUse = Literal["field", "dimension", "metadata", "left out"]


@dataclass(frozen=True, slots=True)
class ColumnAccount:
    """The use of a column, or of a path into one: a `field` of a sample if it is one.

    `by_name`: its name alone says so. `like` is the field that it is named like though it is not used as one. `unread`
    counts the rows in which its cell could not be stored or read, and was left out."""

    column: str
    use: ColumnUse
    field: str | None = None
    by_name: bool = False
    like: str | None = None
    unread: int = 0


@dataclass
class LineCount:
    """The lines of a file: up to and with the header, in its rows, and in rows that can't be read."""

    above: int = 0
    in_rows: int = 0
    in_bad_rows: int = 0
    longest: int = 0
    longest_row: int = 0

    def add(self, row: Row | Unreadable) -> None:
        """Add the lines of one more row."""
        number = row.number if isinstance(row, Row) else row.bad.row
        if isinstance(row, Row):
            self.in_rows += row.lines
        else:
            self.in_bad_rows += row.lines
        if row.lines > self.longest:
            self.longest, self.longest_row = row.lines, number

    @property
    def read(self) -> int:
        """All lines that were read except blank ones between rows; 0 for a file without lines."""
        rows = self.in_rows + self.in_bad_rows
        return rows + self.above if rows else 0


@dataclass(frozen=True, slots=True)
class Account:
    """The columns in their order; the lines; and the changes of cells, with the number of rows."""

    columns: tuple[ColumnAccount, ...] = ()
    lines: LineCount = field(default_factory=LineCount)
    remarks: Mapping[Remark, int] = field(default_factory=dict)


def account_of(layout: Layout, uses: Mapping[str, Use], lines: LineCount, remarks: Mapping[Remark, int]) -> Account:
    """The account of a file that was read by this layout, with these uses of its further columns."""
    names = [*layout.paths, *_columns(layout)]
    columns = tuple(_column(name, layout, uses, remarks) for name in names)
    return Account(columns, lines, {each: n for each, n in remarks.items() if each[0] != "unreadable"})


def counted_remarks(rows: Iterable[Iterable[Remark]]) -> dict[Remark, int]:
    """The number of rows with each remark."""
    return dict(Counter(remark for remarks in rows for remark in remarks))


def _columns(layout: Layout) -> list[str]:
    known = [*layout.fields, *layout.unknown]
    inner = {name: [each for each in known if each.startswith(f"{name}.")] for name in layout.nested}
    return [each for name in layout.columns for each in inner.get(name, [name])]


def _column(name: str, layout: Layout, uses: Mapping[str, Use], remarks: Mapping[Remark, int]) -> ColumnAccount:
    unread = remarks.get(("unreadable", layout.names.get(name, name)), 0)
    if name in layout.fields:
        return ColumnAccount(name, "field", layout.fields[name], name in layout.guessed, None, unread)
    like = suggest_mapping([name])[name]
    like = like if like in NAMED_LIKE and not any(path.column == name for path in layout.paths.values()) else None
    if name in layout.left_out:
        return ColumnAccount(name, "left out")
    return ColumnAccount(name, uses.get(name, "metadata"), None, like=like, unread=unread)
