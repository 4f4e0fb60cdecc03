"""A database opened read-only: its schema, the values of a column, and the answers to a query."""

from __future__ import annotations

import datetime
import decimal
import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, cast

from hcat.core.capabilities.grammar.schema import Column, Kind, Reference, Schema, Table, is_code, is_name
from hcat.core.capabilities.grammar.sql_templates import SqlTemplate
from hcat.core.capabilities.grammar.sqlite_process import SqliteProcess
from hcat.core.capabilities.grammar.written_template import Place, WrittenTemplate
from hcat.core.display.addresses import without_secrets
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.settings import settings

if TYPE_CHECKING:
    import sqlalchemy as sa

    from hcat.core.capabilities.grammar.proof import ProvedSelect

Value = str | int | float
Template = SqlTemplate | WrittenTemplate

LONGEST_ANSWER = 80
"""Maximum number of characters of a value that is asked for: longer ones are texts, not answers."""

SETTINGS = "settings"
"""Name of the database of HCAT_GRAMMAR_DATABASE_URL, whose URL may contain a password."""

MOST_COMBINATIONS = 20_000
"""Maximum number of combinations of placeholder values that are tried one by one."""

LONGEST_QUERY = 20.0
"""Timeout of a statement in seconds."""


class Database:
    """A read-only connection. Values and answers are texts; numbers lose a fraction of zero, dates are in ISO
    format."""

    def __init__(self, connection: sa.Connection) -> None:
        import sqlalchemy as sa

        self._connection = connection
        self._tables = sa.MetaData()
        self._tables.reflect(connection)
        self._proved: dict[str, ProvedSelect] = {}

    def schema(self) -> Schema:
        """The tables in the order of their names, with the columns that can be asked for."""
        return Schema(tuple(self._table(table) for name, table in sorted(self._tables.tables.items())))

    def prove(self, template: WrittenTemplate) -> ProvedSelect:
        """Prove by its syntax and the database's own plan that the template may be run. Raises HcatError with the
        reason if not."""
        import sqlalchemy as sa

        from hcat.core.capabilities.grammar.proof import prove_select

        if template.sql in self._proved:
            return self._proved[template.sql]
        dialect = self._connection.dialect.name
        proved = prove_select(template, self._tables.tables, dialect=dialect)
        if dialect in ("sqlite", "postgresql", "mysql", "mariadb"):
            plan = "EXPLAIN QUERY PLAN" if dialect == "sqlite" else "EXPLAIN"
            try:
                with self._connection.begin_nested() if dialect != "sqlite" else nullcontext():
                    self._run(f"{plan} {proved.sql}", proved, [self._some_value(place) for place in proved.places])
            except sa.exc.DatabaseError as error:
                raise HcatError(f"the database refuses it: {str(error.orig).splitlines()[0]}") from None
        self._proved[template.sql] = proved
        return proved

    def combinations(self, template: Template) -> tuple[tuple[tuple[Value, ...], ...], int]:
        """The distinct value combinations that fill a template, in order, and the number of combinations of all
        columns.

        With several placeholders, only values that occur together are returned. Raises HcatError if that can't be
        determined and there are too many to try."""
        if isinstance(template, SqlTemplate):
            values = self._distinct(template.subject_table, template.subject_column)
            return tuple((value,) for value in values), len(values)
        proved = self.prove(template)
        each = [self._distinct(place.table, place.column) for place in proved.places]
        total = math.prod(map(len, each))
        if proved.combinations is not None:
            rows = self._run(proved.combinations, proved, ())
            return tuple(cast("tuple[Value, ...]", row) for row in rows if None not in row), total
        if total > MOST_COMBINATIONS:
            raise HcatError(
                f"{total:,} combinations of values can't be tried one by one: name each value in WHERE, as "
                "column = '[table.column]', joined by AND"
            )
        return tuple(itertools.product(*each)), total

    def answers(self, template: Template, *values: Value) -> tuple[str | None, ...]:
        """The DISTINCT answers, None for NULL: only a single answer that is not None makes a test case."""
        if isinstance(template, SqlTemplate):
            found = self._connection.execute(template.statement(self._tables.tables), {"value": values[0]})
            return tuple(answer_text(answer) for (answer,) in found)
        proved = self.prove(template)
        rows = self._run(proved.sql, proved, values)
        return tuple(dict.fromkeys(answer_text(answer) for (answer,) in rows))

    def written(self, template: SqlTemplate) -> WrittenTemplate:
        """A template by rule in the form that people write, for editing."""
        import sqlalchemy as sa

        place = Place(template.subject_table, template.subject_column)
        statement = template.statement(self._tables.tables, named_by=sa.literal_column(f"'{place}'"))
        sql = " ".join(str(statement.compile(self._connection)).split())
        return WrittenTemplate(sql, template.question, template.subject, origin=template.kind, name=template.id)

    def sql(self, template: Template) -> str:
        """The template as SQL of this database, with its placeholders."""
        if isinstance(template, WrittenTemplate):
            return template.sql
        return str(template.statement(self._tables.tables).compile(self._connection))

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[str | None, ...]]:
        """Some columns of a table's rows, in the order of the first."""
        import sqlalchemy as sa

        chosen = [self._tables.tables[table].c[name] for name in columns]
        for row in self._connection.execute(sa.select(*chosen).order_by(chosen[0])):
            yield tuple(answer_text(value) for value in row)

    def _distinct(self, table: str, name: str) -> tuple[Value, ...]:
        import sqlalchemy as sa

        column = self._tables.tables[table].c[name]
        found = self._connection.execute(sa.select(column).distinct().where(column.is_not(None)).order_by(column))
        return tuple(value for (value,) in found if str(value).strip())

    def _some_value(self, place: Place) -> Value:
        return next(iter(self._distinct(place.table, place.column)), "")

    def _run(self, sql: str, proved: ProvedSelect, values: Sequence[Value]) -> list[tuple[Value | None, ...]]:
        """The rows of a proved query."""
        import sqlalchemy as sa

        given = {f"p{number}": value for number, value in enumerate(values)} | dict(proved.constants)
        statement = sa.text(sql)
        wanted = {name: value for name, value in given.items() if name in statement.compile().params}
        return [tuple(row) for row in self._connection.execute(statement, wanted)]

    def _table(self, table: sa.Table) -> Table:
        import sqlalchemy as sa

        rows = int(self._connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
        keys = {column.name for column in table.primary_key}
        keys |= {column.name for key in table.foreign_key_constraints for column in key.columns}
        described = [column for column in table.c if column.name not in keys and not is_code(column.name)]
        columns = [found for column in described if (found := self._column(column)) is not None]
        named = [column for column in table.c if column.name not in keys or is_name(column.name, table.name)]
        references = tuple(
            Reference(tuple(key.column_keys), key.referred_table.name, tuple(e.column.name for e in key.elements))
            for key in table.foreign_key_constraints
        )
        return Table(table.name, tuple(columns), self._subject(table, named, columns, rows), references, rows)

    def _column(self, column: sa.Column[object]) -> Column | None:
        """The column if its values can be answers (of one kind, not all equal, and short); else None."""
        import sqlalchemy as sa

        values = self._connection.execute(sa.select(column).distinct().where(column.is_not(None))).scalars().all()
        if len(values) < 2 or any(isinstance(value, bytes) or len(str(value)) > LONGEST_ANSWER for value in values):
            return None
        return Column(column.name, _kind(values), len(values))

    def _subject(
        self, table: sa.Table, named: Sequence[sa.Column[object]], columns: Sequence[Column], rows: int
    ) -> str | None:
        """The column called a name, otherwise the text column with the most distinct values, at least half as many as
        rows."""
        for column in named:
            if is_name(column.name, table.name):
                return column.name
        texts = [column for column in columns if column.kind == "text" and 2 * column.distinct >= rows]
        return max(texts, key=lambda column: column.distinct).name if texts else None


@contextmanager
def open_database(place: str) -> Iterator[Database]:
    """Open a SQLite file, a database by its URL, or the database of the settings (`SETTINGS`), read-only.

    Raises HcatError if it can't be opened or read; a password in the URL is never shown."""
    import sqlalchemy as sa

    place = _of_settings() if place == SETTINGS else place
    try:
        url = sa.make_url(place) if "://" in place else _sqlite(Path(place))
        engine = sa.create_engine(url) if url.get_backend_name() != "sqlite" else _asked_by_process(url)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
        kind = type(error).__name__
        raise HcatError(f"the database URL can't be used ({kind}): write dialect://user@host/name") from None
    shown = without_secrets(url.render_as_string(hide_password=True)) if "://" in place else place
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


def _of_settings() -> str:
    url = settings().grammar_database_url
    if url is None:
        raise HcatError("the settings name no database: set HCAT_GRAMMAR_DATABASE_URL in the environment")
    return url.get_secret_value()


def _sqlite(path: Path) -> sa.URL:
    import sqlalchemy as sa

    if not path.is_file():
        raise FileFormatError(f"{path} is not a file: name a SQLite file, or a database URL")
    return sa.URL.create("sqlite", database=str(path))


def _asked_by_process(url: sa.URL) -> sa.Engine:
    import sqlalchemy as sa

    path = Path(str(url.database))
    return sa.create_engine("sqlite://", creator=lambda: SqliteProcess(path, lambda: LONGEST_QUERY))


def _make_read_only(connection: sa.Connection) -> None:
    """Make a server connection read-only; SQLite files are already opened so."""
    import sqlalchemy as sa

    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET TRANSACTION READ ONLY"))
        connection.execute(sa.text(f"SET LOCAL statement_timeout = {round(1000 * LONGEST_QUERY)}"))
    elif connection.dialect.name in ("mysql", "mariadb"):
        connection.execute(sa.text("SET SESSION TRANSACTION READ ONLY"))


def _kind(values: Sequence[object]) -> Kind:
    if all(isinstance(value, int | float | decimal.Decimal) for value in values):
        return "number"
    if all(isinstance(value, datetime.date) for value in values):
        return "date"
    return "text"
