"""One connection pool to the workspace's database, brought to the newest schema when it is opened."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool
from sqlmodel import Session

from hcat.core.display.addresses import without_secrets
from hcat.core.errors import MissingExtraError, StorageError
from hcat.core.storage.audit.chain import log_schema
from hcat.core.storage.audit.guards import make_guards
from hcat.core.storage.revisions import MIGRATIONS, newest_revision, why_not_read
from hcat.core.storage.sqlite_copies import copy_database, empty_log, is_no_database, opened_to_read
from hcat.core.storage.tables.row import Row
from hcat.core.storage.write import Write

if TYPE_CHECKING:
    from alembic.config import Config

BUSY_SECONDS = 30
RESTORE = "restore a copy of it (`hcat restore FILE`), or point HCAT_DATABASE_URL at another database"
MIGRATION_LOCK = 7_304_228_101  # any fixed number: processes that migrate the same PostgreSQL database wait on it


class Database:
    """Sessions on one database. One that reads sees one consistent state; one that writes commits as a whole or not."""

    def __init__(self, url: str) -> None:
        self.url = _parsed(url)
        self._engine = _engine(self.url)
        # On SQLite a transaction that reads first and writes later can lose its place; a writer takes the lock at once.
        self._writer = self._engine.execution_options(hcat_writes=True)
        with _translated(self.url):
            self._check()
            self._migrate()

    def close(self) -> None:
        """Drop the pooled connections; the last one of all processes writes the log into the database's file."""
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that only reads."""
        with _translated(self.url), Session(self._engine) as session:
            yield session

    def write(self, *, actor: str, action: str, at: datetime, role: str = "") -> Write:
        """A change by somebody: the only way to a session that commits."""
        return Write(actor, action, at, self._begin, role)

    def overwrite_deleted(self, table: str) -> None:
        """Remove deleted and overwritten content of the table from the database's own files. On SQLite the log goes
        into the file and is emptied; on PostgreSQL the table is rewritten. Copies in the file system and elsewhere are
        not affected. ConflictError where others read from an old state for too long."""
        with _translated(self.url):
            if self.url.get_backend_name() == "sqlite":
                empty_log(Path(str(self.url.database)))
            else:
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.exec_driver_sql(f"VACUUM FULL {table}")

    @contextmanager
    def _begin(self) -> Iterator[Session]:
        with _translated(self.url), Session(self._writer) as session, session.begin():
            yield session

    def _check(self) -> None:
        if self.url.get_backend_name() != "sqlite":
            return
        with self._engine.connect() as connection:
            result = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if result != "ok":
            raise StorageError(f"the workspace's database {_shown(self.url)} is damaged ({result}): {RESTORE}")

    def _migrate(self) -> None:
        with self._engine.connect() as connection:
            if _current_revision(connection, self.url) == newest_revision():
                return
        from alembic import command  # takes long to import, and most stores are new enough

        with self._writer.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            current = _current_revision(connection, self.url)
            if current != newest_revision():
                configuration = _configuration()
                configuration.attributes["connection"] = connection
                if current is None:
                    Row.metadata.create_all(connection, checkfirst=False)
                    make_guards(connection)
                    command.stamp(configuration, "head")
                else:
                    self._copy(current)
                    command.upgrade(configuration, "head")
                log_schema(connection, newest_revision(), at=datetime.now(UTC))

    def _copy(self, revision: str) -> None:
        """Copy the file before its schema is changed, once for each schema."""
        copy = _schema_copy(self.url, revision)
        if copy is not None and not copy.exists():
            copy_database(Path(str(self.url.database)), copy)


def schema_copy(url: str, revision: str) -> Path | None:
    """Path of the copy of an embedded database of this schema, made before it is changed; None for one on a server."""
    return _schema_copy(_parsed(url), revision)


def _schema_copy(url: URL, revision: str) -> Path | None:
    path = Path(str(url.database))
    return path.with_name(f"{path.name}.schema-{revision}") if url.get_backend_name() == "sqlite" else None


def schema_of(url: str, *, seconds: int = 5) -> str | None:
    """The schema of a database, which is only read; None where there is none yet.

    StorageError where it can't be read within about so many seconds, is damaged, or was written by a newer hcat.
    """
    place = _parsed(url)
    engine = _reading_engine(place, seconds)
    if engine is None:
        return None
    with _translated(place), engine.connect() as connection:
        return _current_revision(connection, place)


def _reading_engine(url: URL, seconds: int) -> Engine | None:
    """Connections that are not kept and can't make a file; None where the file has nothing in it or is not there."""
    if url.get_backend_name() != "sqlite":
        limits = {"connect_timeout": seconds, "options": f"-c statement_timeout={seconds * 1000}"}
        return _server_engine(url, poolclass=NullPool, connect_args=limits)
    path = Path(url.database or "")
    if not path.is_file() or path.stat().st_size == 0:
        return None
    if is_no_database(path):
        raise StorageError(f"{_shown(url)} is not a database, or was overwritten: {RESTORE}")
    return create_engine("sqlite://", creator=lambda: opened_to_read(path, seconds), poolclass=NullPool)


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
        if any(word in parsed.drivername for word in ("aio", "async")):
            raise ArgumentError("the driver is asynchronous")
        return parsed.set(drivername="postgresql+psycopg") if parsed.drivername == "postgresql" else parsed
    except (ArgumentError, ValueError) as error:
        raise StorageError("HCAT_DATABASE_URL is not a database URL: write one like sqlite:////path/hcat.db") from error


def _shown(url: URL) -> str:
    """Name of an embedded database for messages; one on a server is not named: whoever sees a page may read this."""
    if url.get_backend_name() != "sqlite":
        return "on its server"
    return without_secrets(url.render_as_string(hide_password=True))


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return _server_engine(url)
    if url.host or not url.database or url.database == ":memory:":
        raise StorageError(f"{_shown(url)} names no file: write HCAT_DATABASE_URL like sqlite:////path/hcat.db")
    _prepare_file(Path(url.database), url)
    try:
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    except (ValueError, TypeError) as error:  # of the part behind the ? of the address
        raise StorageError(f"{_shown(url)} has an option that can't be used: {_one_line(error)}") from None
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _server_engine(url: URL, **options: Any) -> Engine:
    try:
        return create_engine(url, pool_pre_ping=True, **options)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise MissingExtraError(
            f"no driver for a {url.get_backend_name()} database: install one (pip install psycopg) "
            "or unset HCAT_DATABASE_URL to use the embedded store"
        ) from error


def _prepare_file(path: Path, url: URL) -> None:
    """A file and a folder that only their owner reads, where there are none yet."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_no_database(path):
            raise StorageError(f"{_shown(url)} is not a database, or was overwritten: {RESTORE}")
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StorageError(f"can't make the workspace folder {path.parent}: {error.strerror}") from error


def _prepare_sqlite(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:  # noqa: ARG001
    connection.isolation_level = None  # `_begin_sqlite` opens each transaction
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA secure_delete = ON")
    _enter_wal(connection)
    cursor.close()


def _enter_wal(connection: DBAPIConnection) -> None:
    # SQLite does not wait on its busy timeout when two fresh connections turn the log on at the same moment.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("hcat_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _translated(url: URL) -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        if url.get_backend_name() != "sqlite":
            raise StorageError(_server_fault(error)) from error
        hint = f": {RESTORE}" if "malformed" in str(error.orig) or "not a database" in str(error.orig) else ""
        raise StorageError(
            f"the workspace's database {_shown(url)} can't be used: {_one_line(error.orig)}{hint}"
        ) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise StorageError(_damaged(url, error)) from error
    except ValueError as error:
        if not str(error).startswith(_BROKEN_DATES):
            raise
        raise StorageError(_damaged(url, error)) from error


RAISED = "P0001"
"""The SQLSTATE of what a trigger of ours raises, in words of ours."""
_FAULTS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    ((), ("failed to resolve", "translate host name", "name or service"), "its host is not known"),
    (("57P",), ("starting up", "shutting down", "in recovery"), "it is starting or stopping"),
    (("57014",), ("timeout", "timed out"), "it does not answer in time"),
    (("53",), ("too many", "connection slots"), "it has no room or no connection left"),
    (("28",), ("authentication", "no password", "pg_hba", "role "), "it refuses the account or its password"),
    (("3D",), ("fatal:  database ", "fatal: database "), "it has no database of that name"),
    ((), ("ssl", "certificate"), "no encrypted connection comes about"),
    (("42501",), (), "the account lacks a right there"),
    (("25006",), (), "it takes no changes now"),
    (("40",), (), "others changed the same rows: try again"),
    (("08",), ("refused", "no such file", "closed", "connection is bad", "lost"), "it does not answer"),
)
"""Causes of errors on a server, by the beginning of its SQLSTATE or else by words of its message; the first match
counts."""


def _server_fault(error: DBAPIError) -> str:
    """One line on a fault of a server, without its own text, which names host, account and path."""
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if state == RAISED:
        refusal = getattr(getattr(error.orig, "diag", None), "message_primary", None) or "a rule of its tables"
        return f"the workspace's database refuses that: {refusal}"
    told = str(error.orig).lower()
    found = [
        what
        for states, words, what in _FAULTS
        if (state.startswith(states) if state and states else not state and any(word in told for word in words))
    ]
    what = found[0] if found else f"it refuses a statement ({state or type(error.orig).__name__})"
    return f"the workspace's database server can't be used: {what}. HCAT_DATABASE_URL names it, and its log says more"


_BROKEN_DATES = ("Invalid isoformat string", "Couldn't parse", "Invalid datetime")


def _damaged(url: URL, error: Exception) -> str:
    return f"the workspace's database {_shown(url)} is damaged ({_one_line(error)}): {RESTORE}"


def _one_line(error: object) -> str:
    return without_secrets(" ".join(str(error).split()))


def _current_revision(connection: Connection, url: URL) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    versions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if len(versions) > 1:
        raise StorageError(f"the database {_shown(url)} says twice which schema it has: {RESTORE}")
    current: str | None = versions[0] if versions else None
    refusal = "" if current is None else why_not_read(current)
    if refusal:
        raise StorageError(f"the database {_shown(url)} {refusal}, or point HCAT_DATABASE_URL at another database")
    return current


def _configuration() -> Config:
    from alembic.config import Config

    configuration = Config()
    configuration.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return configuration
