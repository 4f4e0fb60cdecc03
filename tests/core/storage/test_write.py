"""A write knows whether it changed something, which a conditional update may not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import Executable, insert, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, delete

from hcat.core.storage.database import Database
from hcat.core.storage.tables.projects import ProjectRow
from hcat.core.storage.write import Write

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    yield opened
    opened.close()


def made(database: Database) -> Write:
    return database.write(actor="ann", action="test", at=NOON)


@pytest.fixture
def project(database: Database) -> int:
    with made(database).transaction() as session:
        row = ProjectRow(name="p")
        session.add(row)
        session.flush()
        assert row.id is not None
        return row.id


STATEMENTS: dict[str, tuple[Executable, bool]] = {
    "update of one row": (update(ProjectRow).where(col(ProjectRow.name) == "p").values(description="d"), True),
    "update of no row": (update(ProjectRow).where(col(ProjectRow.name) == "q").values(description="d"), False),
    "delete of one row": (delete(ProjectRow).where(col(ProjectRow.name) == "p"), True),
    "delete of no row": (delete(ProjectRow).where(col(ProjectRow.name) == "q"), False),
    "insert": (insert(ProjectRow).values(name="q", description="", created_at=NOON), True),
    "select": (text("SELECT name FROM project"), False),
}


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("what", STATEMENTS)
def test_a_write_says_whether_it_changed_a_row(database: Database, what: str) -> None:
    statement, changes = STATEMENTS[what]
    write = made(database)
    with write.transaction() as session:
        session.execute(statement)
    assert write.changed is changes


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("name", "changes"), [("p", False), ("q", True)])
def test_an_insert_that_gives_way_changes_nothing(database: Database, name: str, changes: bool) -> None:
    write = made(database)
    with write.transaction() as session:
        of_dialect = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        values = {"name": name, "description": "", "created_at": NOON}
        session.execute(of_dialect(ProjectRow).values(**values).on_conflict_do_nothing())
    assert write.changed is changes


def test_a_row_that_is_added_last_counts(database: Database) -> None:
    """Nothing reaches the database before the end of the transaction."""
    write = made(database)
    with write.transaction() as session:
        session.add(ProjectRow(name="p"))
        assert not write.changed
    assert write.changed


def test_what_was_rolled_back_changed_nothing(database: Database) -> None:
    write = made(database)
    with pytest.raises(KeyError), write.transaction() as session:
        session.add(ProjectRow(name="p"))
        session.flush()
        raise KeyError
    assert not write.changed
    with write.transaction() as session:  # and may be tried again
        session.add(ProjectRow(name="p"))
    assert write.changed
