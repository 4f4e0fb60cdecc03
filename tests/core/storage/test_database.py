from __future__ import annotations

import importlib.util
import subprocess
import sys
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import Session, select

from hcat.core.errors import MissingExtraError, StorageError
from hcat.core.storage import database as database_module
from hcat.core.storage.database import Database, schema_of
from hcat.core.storage.revisions import newest_revision
from hcat.core.storage.tables.labelling import LabelRow
from hcat.core.storage.tables.projects import ProjectRow, RunRow
from hcat.core.storage.tables.row import Row

pytestmark = pytest.mark.usefixtures("schema_made_by_each_step")

ROOT = Path(__file__).parents[3]


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'deep' / 'hcat.db'}"


def test_migrations_make_exactly_the_tables(tmp_path: Path):
    Database(url(tmp_path)).close()
    with create_engine(url(tmp_path)).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Row.metadata) == []


def test_a_missing_column_would_be_noticed(tmp_path: Path):
    Database(url(tmp_path)).close()
    with create_engine(url(tmp_path)).begin() as connection:
        connection.execute(text("ALTER TABLE finding DROP COLUMN comment"))
        assert compare_metadata(MigrationContext.configure(connection), Row.metadata) != []


def test_tables_are_valid_for_postgresql():
    statements = [str(CreateTable(table).compile(dialect=postgresql.dialect())) for table in Row.metadata.sorted_tables]
    assert sum("TIMESTAMP WITH TIME ZONE" in statement for statement in statements) == len(statements)
    first = next(index for index in LabelRow.metadata.tables["label"].indexes if index.name == "uq_label_first")
    assert str(CreateIndex(first).compile(dialect=postgresql.dialect())).endswith("WHERE supersedes IS NULL")


def test_connections_are_set_up(tmp_path: Path):
    database = Database(url(tmp_path))
    with database.read() as session:
        found = {name: session.connection().exec_driver_sql(f"PRAGMA {name}").scalar() for name in PRAGMAS}
    assert found == PRAGMAS


PRAGMAS = {"foreign_keys": 1, "journal_mode": "wal", "busy_timeout": 30_000, "synchronous": 2}  # 2 is FULL


def writing(database: Database) -> AbstractContextManager[Session]:
    return database.write(actor="tests", action="test", at=datetime.now(UTC)).transaction()


def test_foreign_keys_hold(tmp_path: Path):
    database = Database(url(tmp_path))
    orphan = RunRow(project_id=99, name="r", content_hash="h", artifact="a", n=1, filename="f", format="jsonl")
    with pytest.raises(IntegrityError, match="FOREIGN KEY"), writing(database) as session:
        session.add(orphan)


def test_times_come_back_in_utc(tmp_path: Path):
    database = Database(url(tmp_path))
    noon_in_tokyo = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=9)))
    with writing(database) as session:
        session.add(ProjectRow(name="p", created_at=noon_in_tokyo))
    with database.read() as session:
        found = session.exec(select(ProjectRow)).one().created_at
    assert found == noon_in_tokyo
    assert found.tzinfo == UTC
    assert found.hour == 3  # 12:00 in Tokyo is 03:00 UTC


def test_a_naive_time_is_refused(tmp_path: Path):
    database = Database(url(tmp_path))
    with pytest.raises(StatementError, match="needs its zone"), writing(database) as session:
        session.add(ProjectRow(name="p", created_at=datetime(2026, 3, 1)))


def test_a_failed_write_leaves_nothing(tmp_path: Path):
    database = Database(url(tmp_path))
    with pytest.raises(KeyError), writing(database) as session:
        session.add(ProjectRow(name="p"))
        session.flush()
        raise KeyError
    with database.read() as session:
        assert session.exec(select(ProjectRow)).all() == []


def test_processes_that_open_a_fresh_store_at_once_all_succeed(tmp_path: Path):
    script = (
        "import sys; from hcat.core.storage.database import Database; sys.stdin.readline();"
        "Database(sys.argv[1]).close(); print('open')"
    )
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", script, url(tmp_path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in starting:  # all have been told to go before any answer is read
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=300) for process in starting]
    assert [out.strip() for out, _ in answers] == ["open"] * 4, answers
    with create_engine(url(tmp_path)).connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).all() == [(newest_revision(),)]


def test_opening_does_not_depend_on_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Database(url(tmp_path)).close()
    assert (tmp_path / "deep" / "hcat.db").exists()


def test_a_database_of_a_newer_hcat_is_refused(tmp_path: Path):
    Database(url(tmp_path)).close()
    with create_engine(url(tmp_path)).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match=r"newer hcat \(schema 9999\): upgrade hcat"):
        Database(url(tmp_path))


def test_a_file_that_is_no_database_is_named(tmp_path: Path):
    (tmp_path / "hcat.db").write_bytes(b"not a database, certainly not one of SQLite's" * 100)
    with pytest.raises(StorageError, match=r"hcat\.db is not a database, or was overwritten"):
        Database(f"sqlite:///{tmp_path / 'hcat.db'}")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "deep").write_text("a file in the way")
    with pytest.raises(StorageError, match="can't make the workspace folder"):
        Database(url(tmp_path))


def test_a_wrong_url_is_refused():
    with pytest.raises(StorageError, match="not a database URL"):
        Database("hcat.db")


def test_a_database_without_driver_says_what_to_install():
    with pytest.raises(MissingExtraError, match="no driver for a nosuchthing database"):
        Database("nosuchthing://host/db")


@pytest.mark.parametrize("memory", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused_since_jobs_could_not_see_it(memory: str):
    with pytest.raises(StorageError, match="names no file"):
        Database(memory)


def test_postgresql_means_its_present_driver():
    if importlib.util.find_spec("psycopg"):
        pytest.skip("psycopg is installed: nothing is missing")
    with pytest.raises(MissingExtraError, match="pip install psycopg"):
        Database("postgresql://localhost/hcat")


def test_a_password_is_not_shown():
    with pytest.raises(StorageError) as caught:
        Database("sqlite://user:secret@host/hcat.db")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://u:SECRETPW@127.0.0.1:notaport/x",
        "postgresql://[::1/x?password=SECRETPW",
        "sqlite+aiosqlite:///x.db",
    ],
)
def test_an_address_that_is_none_is_told_without_its_password(place: str):
    with pytest.raises((StorageError, MissingExtraError)) as refused:
        Database(place)
    assert "SECRETPW" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_password_behind_the_question_mark_is_hidden():
    with pytest.raises((StorageError, MissingExtraError)) as refused:
        Database("postgresql://127.0.0.1:9/x?user=u&password=SECRETPW")
    assert "SECRETPW" not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("state", "said", "told"),
    [
        (
            None,
            'connection failed: connection to server at "10.0.0.7", port 5432 failed: Connection refused\n\tIs …?',
            "answer",
        ),
        (
            None,
            'connection is bad: connection to server on socket "/srv/pg/.s.PGSQL.5432" failed: No such file',
            "answer",
        ),
        (None, "failed to resolve host 'db.bank.example': [Errno -2] Name or service not known", "host is not known"),
        (None, 'FATAL:  password authentication failed for user "validator"', "refuses the account"),
        (None, 'FATAL:  role "validator" does not exist', "refuses the account"),
        (None, 'FATAL:  database "secret_project" does not exist', "no database of that name"),
        (None, "FATAL:  the database system is starting up", "starting or stopping"),
        (None, "connection timeout expired", "in time"),
        (None, "FATAL:  sorry, too many clients already", "no connection left"),
        ("42501", "permission denied for table labels", "lacks a right"),
        ("57014", "canceling statement due to statement timeout", "in time"),
        ("53100", 'could not extend file "base/5/7": No space left on device', "no room"),
        ("40001", "could not serialize access", "try again"),
        ("XX000", 'could not open file "/srv/pg/base/1"', "XX000"),
    ],
)
def test_a_fault_of_a_server_names_neither_account_nor_path(
    state: str | None, said: str, told: str, monkeypatch: pytest.MonkeyPatch
):
    class FaultError(Exception):
        sqlstate = state

    def fails(*_: object, **__: object) -> None:
        raise OperationalError("SELECT 1", None, FaultError(said))

    monkeypatch.setattr(database_module.Engine, "connect", fails)
    with pytest.raises(StorageError) as refused:
        schema_of("postgresql://validator:SECRETPW@db.bank.example/secret_project")
    line = str(refused.value)
    assert told in line and "\n" not in line
    assert not any(
        part in line for part in ("validator", "bank.example", "secret_project", "/srv", "10.0.0.7", "SECRETPW")
    )


def test_two_schemas_at_once_are_told(tmp_path: Path):
    Database(url(tmp_path)).close()
    with create_engine(url(tmp_path)).begin() as connection:
        connection.execute(text("INSERT INTO alembic_version VALUES ('0001')"))
    with pytest.raises(StorageError, match="says twice"):
        Database(url(tmp_path))


def test_a_row_that_is_damaged_is_told(tmp_path: Path):
    database = Database(url(tmp_path))
    with writing(database) as session:
        session.add(ProjectRow(name="p", created_at=datetime.now(UTC)))
    with create_engine(url(tmp_path)).begin() as connection:
        connection.execute(text("UPDATE project SET created_at = 'never'"))
    with pytest.raises(StorageError, match="damaged"), database.read() as session:
        session.exec(select(ProjectRow)).one()
