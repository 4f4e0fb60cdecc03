"""A database of each kind: SQLite in a file, and a real PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests import new_stores


@pytest.fixture
def schema_made_by_each_step() -> Iterator[None]:
    """For the tests of the schema itself."""
    with new_stores.by_each_step():
        yield


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of its own for each test, on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hcat.db'}"
    return server_database(request.getfixturevalue("postgresql"))


def server_database(first: str) -> str:
    """A new, empty database of the server whose first database is at this address."""
    name = f"hcat_{uuid.uuid4().hex}"
    engine = create_engine(first.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return first.replace("/postgres?", f"/{name}?")
