"""A database opened for reading alone: its schema, the values of a column, and the answers to a query."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import FileFormatError, HcatError
from core.testgen.grammar.schema import Column, Kind, Reference, Schema, Table, words

if TYPE_CHECKING:
    import sqlalchemy as sa

    from core.testgen.grammar.sql_templates import SqlTemplate

LONGEST_ANSWER = 80
"""Characters of the longest value that is asked for: more is a text, not an answer."""

_SUBJECTS = ("name", "title", "full name", "label")
_CODES = frozenset({"id", "code", "key", "uuid", "guid", "hash", "url", "password", "rowid"})


class Database:
    """A read-only connection. Values and answers are texts; numbers lose a fraction of zero, dates are ISO."""

    def __init__(self, connection: sa.Connection) -> None:
        import sqlalchemy as sa

        self._connection = connection
        self._tables = sa.MetaData()
        self._tables.reflect(connection)

    def schema(self) -> Schema:
        """The tables in the order of their names, with what can be asked for."""
        return Schema(tuple(self._table(table) for name, table in sorted(self._tables.tables.items())))

    def values(self, template: SqlTemplate) -> tuple[str | int | float, ...]:
        """The DISTINCT values that name a row of the template's subject, in order."""
        import sqlalchemy as sa

        column = self._tables.tables[template.subject_table].c[template.subject_column]
        found = self._connection.execute(sa.select(column).distinct().where(column.is_not(None)).order_by(column))
        return tuple(value for (value,) in found if str(value).strip())

    def answers(self, template: SqlTemplate, value: str | float) -> tuple[str | None, ...]:
        """The DISTINCT answers, None for NULL: only one of them, and not None, makes a test case."""
        found = self._connection.execute(template.statement(self._tables.tables), {"value": value})
        return tuple(answer_text(answer) for (answer,) in found)

    def sql(self, template: SqlTemplate) -> str:
        """The template as SQL of this database, with its placeholder."""
        return str(template.statement(self._tables.tables).compile(self._connection))

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[str | None, ...]]:
        """Some columns of a table's rows, in the order of the first."""
        import sqlalchemy as sa

        chosen = [self._tables.tables[table].c[name] for name in columns]
        for row in self._connection.execute(sa.select(*chosen).order_by(chosen[0])):
            yield tuple(answer_text(value) for value in row)

    def _table(self, table: sa.Table) -> Table:
        import sqlalchemy as sa

        rows = int(self._connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
        keys = {column.name for column in table.primary_key}
        keys |= {column.name for key in table.foreign_key_constraints for column in key.columns}
        described = [column for column in table.c if column.name not in keys and not _is_code(column.name)]
        columns = [found for column in described if (found := self._column(column)) is not None]
        named = [column for column in table.c if column.name not in keys or _is_name(column.name, table.name)]
        references = tuple(
            Reference(tuple(key.column_keys), key.referred_table.name, tuple(e.column.name for e in key.elements))
            for key in table.foreign_key_constraints
        )
        return Table(table.name, tuple(columns), self._subject(table, named, columns, rows), references, rows)

    def _column(self, column: sa.Column[object]) -> Column | None:
        """The column where its values are answers: of one kind, not all alike, and short."""
        import sqlalchemy as sa

        values = self._connection.execute(sa.select(column).distinct().where(column.is_not(None))).scalars().all()
        if len(values) < 2 or any(isinstance(value, bytes) or len(str(value)) > LONGEST_ANSWER for value in values):
            return None
        return Column(column.name, _kind(values), len(values))

    def _subject(
        self, table: sa.Table, named: Sequence[sa.Column[object]], columns: Sequence[Column], rows: int
    ) -> str | None:
        """The column called a name, else the text column with most different values, at least half as many as rows."""
        for column in named:
            if _is_name(column.name, table.name):
                return column.name
        texts = [column for column in columns if column.kind == "text" and 2 * column.distinct >= rows]
        return max(texts, key=lambda column: column.distinct).name if texts else None


@contextmanager
def open_database(place: str) -> Iterator[Database]:
    """A SQLite file, or a database by its URL, for reading alone.

    Raises HcatError where it can't be opened or read; a password in the URL is never shown.
    """
    import sqlalchemy as sa

    try:
        url = sa.make_url(place) if "://" in place else _sqlite(Path(place))
        engine = sa.create_engine(url)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
        kind = type(error).__name__
        raise HcatError(f"the database URL can't be used ({kind}): write dialect://user@host/name") from None
    shown = url.render_as_string(hide_password=True) if "://" in place else place
    try:
        with engine.connect() as connection:
            _make_read_only(connection)
            yield Database(connection)
    except sa.exc.DatabaseError as error:
        raise FileFormatError(f"{shown} can't be read as a database: {error.orig}") from None
    finally:
        engine.dispose()


def answer_text(value: object) -> str | None:
    """A value of a database as an answer: 12 for 12.0, dates in ISO without a time of zero."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, decimal.Decimal):
        value = float(value)
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    return str(value).strip()


def _sqlite(path: Path) -> sa.URL:
    import sqlalchemy as sa

    if not path.is_file():
        raise FileFormatError(f"{path} is not a file: name a SQLite file, or a database URL")
    return sa.URL.create("sqlite", database=f"file:{path.resolve()}", query={"mode": "ro", "uri": "true"})


def _make_read_only(connection: sa.Connection) -> None:
    """SQLite is opened so already; servers are told."""
    import sqlalchemy as sa

    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET TRANSACTION READ ONLY"))
    elif connection.dialect.name in ("mysql", "mariadb"):
        connection.execute(sa.text("SET SESSION TRANSACTION READ ONLY"))


def _is_code(name: str) -> bool:
    return not words(name) or words(name)[-1] in _CODES


def _is_name(name: str, table: str) -> bool:
    return Column(name, "text", 0).phrase(table) in _SUBJECTS


def _kind(values: Sequence[object]) -> Kind:
    if all(isinstance(value, int | float | decimal.Decimal) for value in values):
        return "number"
    if all(isinstance(value, datetime.date) for value in values):
        return "date"
    return "text"
