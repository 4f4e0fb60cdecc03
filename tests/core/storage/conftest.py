"""A database of each kind: SQLite in a file, and a real PostgreSQL."""

from __future__ import annotations

import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from hcat.core.storage.database import Database
from hcat.core.storage.revisions import MIGRATIONS, newest_revision, revisions
from tests import new_stores


@pytest.fixture
def schema_made_by_each_step() -> Iterator[None]:
    """For the tests of the schema itself."""
    with new_stores.by_each_step():
        yield


@pytest.fixture
def make_later_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Called, it adds a step to the newest schema: "9000", which makes a table."""

    def make() -> None:
        shutil.copytree(MIGRATIONS, tmp_path / "migrations")
        step = f'revision = "9000"\ndown_revision = "{newest_revision()}"\n\nfrom alembic import op\n\n\n'
        step += 'def upgrade():\n    op.execute("CREATE TABLE later (id INTEGER)")\n'
        (tmp_path / "migrations" / "versions" / "later.py").write_text(step)
        for module in ("database", "revisions"):
            monkeypatch.setattr(f"hcat.core.storage.{module}.MIGRATIONS", tmp_path / "migrations")
        revisions.cache_clear()

    yield make
    revisions.cache_clear()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of its own for each test, on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hcat.db'}"
    empty = "schema_made_by_each_step" in request.fixturenames
    return server_database(request.getfixturevalue("postgresql"), empty=empty)


def server_database(url: str, *, empty: bool = False) -> str:
    """A new database of the server that has one at this address: without a table, or with those of the newest schema,
    which are copied."""
    first = _first(url)
    return _made(first, "template0" if empty else _with_tables(first))


def database_of(url: str, *, like: str) -> str:
    """A new database of this server as a copy of another, which nobody is connected to."""
    return _made(_first(url), str(make_url(like).database))


def _first(url: str) -> str:
    """The address of the server's first database."""
    return re.sub(r"/\w+\?", "/postgres?", url)


@cache
def _with_tables(first: str) -> str:
    url = _made(first, "template0")
    Database(url).close()
    return str(make_url(url).database)


def _made(first: str, template: str) -> str:
    name = f"hcat_{uuid.uuid4().hex}"
    engine = create_engine(first.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    engine.dispose()
    return first.replace("/postgres?", f"/{name}?")
