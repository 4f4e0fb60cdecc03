"""The schema of a database as people see it: tables, the columns that they would ask for, and references of rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "date"]

_SUBJECTS = ("name", "title", "full name", "label")
_CODES = frozenset({"id", "code", "key", "uuid", "guid", "hash", "url", "password", "rowid"})
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PEOPLE = {"people": "person", "staff": "member of staff"}
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"))


@dataclass(frozen=True, slots=True)
class Column:
    """A column that people would ask for: neither key nor code. `distinct` counts its different values."""

    name: str
    kind: Kind
    distinct: int

    def phrase(self, table: str) -> str:
        """Its name in words, without the table's own name as prefix."""
        named, of_table = words(self.name), words(table)
        if named[: len(of_table)] == of_table and len(named) > len(of_table):
            named = named[len(of_table) :]
        if self.kind == "date" and named[-1] in ("on", "at"):  # "opened on" is no noun
            named = [*named[:-1], "date"]
        return " ".join(named)


@dataclass(frozen=True, slots=True)
class Reference:
    """A row's reference to a row of another table, over one or more columns."""

    columns: tuple[str, ...]
    table: str
    their_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `subject` is the column by which people name a row; None if there is none."""

    name: str
    columns: tuple[Column, ...]
    subject: str | None
    references: tuple[Reference, ...]
    rows: int

    @property
    def noun(self) -> str:
        """A noun for one row: "client" for Clients."""
        return singular(" ".join(words(self.name)))

    def asked(self) -> Iterator[Column]:
        """The columns that can be asked for if a row is named."""
        return (column for column in self.columns if column.name != self.subject)


@dataclass(frozen=True, slots=True)
class Schema:
    tables: tuple[Table, ...]

    def table(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)

    def referring(self, name: str) -> Iterator[tuple[Table, Reference]]:
        """The tables whose rows refer to this one's."""
        return (
            (table, reference) for table in self.tables for reference in table.references if reference.table == name
        )


def words(name: str) -> list[str]:
    """The words of a name in snake case, camel case or with spaces, in lower case."""
    return [word.lower() for word in _WORDS.findall(name)]


def is_code(name: str) -> bool:
    """Whether a column is called a key or a code, which people don't ask for."""
    return not words(name) or words(name)[-1] in _CODES


def is_name(name: str, table: str) -> bool:
    """Whether a column of a table is called its name."""
    return Column(name, "text", 0).phrase(table) in _SUBJECTS


def singular(noun: str) -> str:
    """The singular of a noun: "company" for "companies". By the endings alone."""
    head, _, last = noun.rpartition(" ")
    last = _PEOPLE.get(last, last)
    for plural, one in _ENDINGS:
        if last.endswith(plural):
            last = last.removesuffix(plural) + one
            break
    else:
        if last.endswith("s") and not last.endswith(("ss", "us", "is")):
            last = last[:-1]
    return f"{head} {last}".strip()


def plural(noun: str) -> str:
    """The plural of a noun: "companies" for "company"."""
    if noun.endswith("person"):
        return f"{noun.removesuffix('person')}people"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
