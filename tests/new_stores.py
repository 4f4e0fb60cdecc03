"""New embedded stores as copies of one that was brought to the newest schema: the steps of each schema since the first
take longer than most tests of a store.

Stores with a schema, however old, and those on a server are brought to the newest by the steps, as in use. So are new
ones in the tests of the schema itself, which ask for `by_each_step`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hcat.core.storage.database import Database

_migrate = Database._migrate


@contextmanager
def copied() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_migrate", _copy_or_migrate)
        yield


@contextmanager
def by_each_step() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_migrate", _migrate)
        yield


def _copy_or_migrate(database: Database) -> None:
    if database.url.get_backend_name() == "sqlite":
        with database._writer.connect() as connection:
            target = connection.connection.driver_connection
            assert isinstance(target, sqlite3.Connection)
            if target.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                source = sqlite3.connect(":memory:")
                source.deserialize(_made_by_steps())
                source.backup(target)
                source.close()
    _migrate(database)


@cache
def _made_by_steps() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "hcat.db"
        with by_each_step():
            Database(f"sqlite:///{file}").close()
        connection = sqlite3.connect(file)
        connection.execute("PRAGMA journal_mode = DELETE")  # a copy in memory can have no log
        made = connection.serialize()
        connection.close()
        return made
