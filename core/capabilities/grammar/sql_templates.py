"""Queries with one placeholder, by rule from a schema: about a named row, or a row that it refers to.

Each selects one meaningful column or a count, and names its row by a value: keys and codes are never used. The source
has a language model make them with the same rules (GRAMMAR, table 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from hcat.core.capabilities.grammar.schema import Column, Reference, Schema, Table, plural

if TYPE_CHECKING:
    import sqlalchemy as sa

TemplateKind = Literal["attribute", "reference", "count"]
"""A column of the named row; a column of a row that it refers to (one or two joins); the number of rows that refer to
it."""

MOST_JOINS = 2


@dataclass(frozen=True, slots=True)
class Join:
    """A join from one table to another over the columns of a reference; `forward` is whether it starts at the referring
    row."""

    origin: str
    reference: Reference
    target: str
    forward: bool


@dataclass(frozen=True, slots=True)
class SqlTemplate:
    """An SQL template. `question` is the requested item in words, `subject` the named row in words."""

    id: str
    kind: TemplateKind
    subject_table: str
    subject_column: str
    target_table: str
    target_column: str | None
    joins: tuple[Join, ...]
    question: str
    subject: str

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that contain the answer, starting with the named row's."""
        return tuple(dict.fromkeys((self.subject_table, *(join.target for join in self.joins))))

    def statement(
        self, tables: Mapping[str, sa.Table], *, named_by: sa.ColumnElement[object] | None = None
    ) -> sa.Select[object]:
        """SELECT DISTINCT with the bound parameter `value`, or with `named_by` in its place."""
        import sqlalchemy as sa

        source: sa.FromClause = tables[self.subject_table]
        for join in self.joins:
            source = source.join(tables[join.target], _condition(join, tables))
        value = sa.bindparam("value") if named_by is None else named_by
        named = tables[self.subject_table].c[self.subject_column] == value
        target = tables[self.target_table]
        if self.target_column is None:
            key = next(iter(target.primary_key), next(iter(target.c)))
            asked = cast("sa.ColumnElement[object]", sa.func.count(key))  # which is of int, and invariant
        else:
            asked = target.c[self.target_column]
        return sa.select(asked).select_from(source).where(named).distinct()


def sql_templates(schema: Schema) -> tuple[SqlTemplate, ...]:
    """All templates of a schema, in the order of its tables."""
    return tuple(template for table in schema.tables if table.subject for template in _of_table(schema, table))


def _of_table(schema: Schema, table: Table) -> Iterator[SqlTemplate]:
    for column in table.asked():
        yield _template(table, table, column, (), "attribute", column.phrase(table.name))
    yield from _references(schema, table, table, ())
    for other, reference in schema.referring(table.name):
        if other.name == table.name:
            continue
        back = (Join(table.name, reference, other.name, False),)
        yield _template(table, other, None, back, "count", f"number of {plural(other.noun)}")
        if other.subject is None:  # a row that only ties others together
            for column in other.columns:
                question = f"{column.phrase(other.name)} of the {other.noun}"
                yield _template(table, other, column, back, "reference", question)
            yield from _references(schema, table, other, back)


def _references(schema: Schema, named: Table, table: Table, joins: tuple[Join, ...]) -> Iterator[SqlTemplate]:
    """Templates for columns of rows that a row refers to, and of rows that these refer to."""
    if len(joins) == MOST_JOINS:
        return
    for reference in table.references:
        other = schema.table(reference.table)
        if other.name in {named.name, *(join.target for join in joins)}:
            continue
        path = (*joins, Join(table.name, reference, other.name, True))
        for column in other.columns:
            yield _template(named, other, column, path, "reference", f"{column.phrase(other.name)} of the {other.noun}")
        yield from _references(schema, named, other, path)


def _template(
    named: Table, target: Table, column: Column | None, joins: tuple[Join, ...], kind: TemplateKind, question: str
) -> SqlTemplate:
    assert named.subject is not None  # tables without one are left out
    path = [named.name, *(join.target for join in joins)]
    name = "/".join([*path, "count" if column is None else column.name])
    target_column = None if column is None else column.name
    return SqlTemplate(name, kind, named.name, named.subject, target.name, target_column, joins, question, named.noun)


def _condition(join: Join, tables: Mapping[str, sa.Table]) -> sa.ColumnElement[bool]:
    import sqlalchemy as sa

    referring, referred = (join.origin, join.target) if join.forward else (join.target, join.origin)
    pairs = zip(join.reference.columns, join.reference.their_columns, strict=True)
    return sa.and_(*(tables[referring].c[ours] == tables[referred].c[theirs] for ours, theirs in pairs))
