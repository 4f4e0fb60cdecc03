"""Every write adds one row to the audit log, which the database itself neither changes nor deletes."""

from __future__ import annotations

import base64
import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import create_engine, insert, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, delete

from hcat.core.errors import FileFormatError
from hcat.core.records.audit import AuditEntry, first_fault, named_rows, rows_of
from hcat.core.records.checkpoint import Checkpoint, checkpoint_of, fault_against, opened, sealed
from hcat.core.records.signing import SigningKey
from hcat.core.storage.audit.guards import APPEND_ONLY
from hcat.core.storage.database import Database
from hcat.core.storage.stores.audit import AuditFilter, AuditLog
from hcat.core.storage.tables.projects import CriterionRow, ProjectRow
from hcat.core.storage.write import Write

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    yield opened
    opened.close()


def write(database: Database, action: str = "test", *, actor: str = "ann", at: datetime = NOON) -> Write:
    return database.write(actor=actor, action=action, at=at)


def add_project(database: Database, name: str = "bank", **signed: str) -> int:
    with write(database, **signed).transaction() as session:
        row = ProjectRow(name=name)
        session.add(row)
        session.flush()
        assert row.id is not None
        return row.id


def newest(database: Database) -> AuditEntry:
    return AuditLog(database).entries(newest=1)[0]


def test_the_log_begins_with_the_schema(database: Database) -> None:
    (first,) = AuditLog(database).entries()
    assert (first.sequence, first.actor, first.action, first.previous) == (1, "hcat", "log.begin", "0" * 64)
    assert first_fault([first]) is None


def test_a_row_says_who_did_what_to_what(database: Database) -> None:
    project = add_project(database, action="project.create")
    entry = newest(database)
    assert entry == replace(
        entry, sequence=2, at=NOON, actor="ann", action="project.create", project="bank", subject=f"project {project}"
    )
    assert entry.before == ""
    assert len(entry.after) == 64


def test_the_digest_before_is_the_digest_after_the_last_write(database: Database) -> None:
    add_project(database)
    created = newest(database)
    with write(database).transaction() as session:
        session.execute(update(ProjectRow).where(col(ProjectRow.name) == "bank").values(description="d"))
    changed = newest(database)
    assert changed.before == created.after != changed.after
    with write(database).transaction() as session:
        session.get_one(ProjectRow, 1).description = ""
    back = newest(database)
    assert (back.before, back.after) == (changed.after, created.after)
    with write(database).transaction() as session:
        session.execute(delete(ProjectRow).where(col(ProjectRow.name) == "bank"))
    gone = newest(database)
    assert (gone.before, gone.after, gone.project) == (created.after, "", "bank")
    assert AuditLog(database).changed_past_the_log() is None


def test_rows_of_an_insert_are_found(database: Database) -> None:
    add_project(database)
    with write(database).transaction() as session:
        rows = [{"name": name, "description": "", "created_at": NOON} for name in ("a", "b")]
        session.execute(insert(ProjectRow), rows)
    assert newest(database).subject == "project 2-3"


def test_the_project_is_found_over_references(database: Database) -> None:
    project = add_project(database)
    with write(database).transaction() as session:
        session.add(CriterionRow(project_id=project, name="c", levels=["fail", "pass"], passing=1))
    assert (newest(database).project, newest(database).subject) == ("bank", "criterion 1")


def test_no_text_reaches_the_log(database: Database) -> None:
    with write(database).transaction() as session:
        session.add(ProjectRow(name="bank", description="a secret thing"))
    assert "secret" not in repr(AuditLog(database).entries())


def test_what_changes_nothing_or_fails_adds_no_row(database: Database) -> None:
    with write(database).transaction() as session:
        session.execute(update(ProjectRow).where(col(ProjectRow.name) == "none").values(description="d"))
    with pytest.raises(KeyError), write(database).transaction() as session:
        session.add(ProjectRow(name="bank"))
        session.flush()
        raise KeyError
    with write(database, "job.beat").transaction() as session:
        session.add(ProjectRow(name="a heartbeat is no event"))
    assert len(AuditLog(database).entries()) == 1


def test_rows_are_chosen(database: Database) -> None:
    for number, actor in enumerate(("ann", "ben", "ann")):
        with write(database, f"do.{number}", actor=actor, at=NOON + timedelta(hours=number)).transaction() as session:
            session.add(ProjectRow(name=f"p{number}"))
    log = AuditLog(database)
    chosen = lambda **parts: [entry.action for entry in log.entries(AuditFilter(**parts))]  # noqa: E731
    assert chosen(actor="ann") == ["do.0", "do.2"]
    assert chosen(action="do.1") == chosen(project="p1") == ["do.1"]
    hour = timedelta(hours=1)
    assert chosen(since=NOON + hour, until=NOON + 2 * hour) == ["do.1"]
    assert log.count(AuditFilter(actor="ann")) == 2
    assert log.names()["actor"] == ["ann", "ben", "hcat"]
    assert [entry.action for entry in log.entries(newest=2)] == ["do.1", "do.2"]


TAMPERING = {
    "UPDATE audit SET actor = 'eve' WHERE sequence = 2": "append-only",
    "DELETE FROM audit WHERE sequence = 2": "append-only",
}
SQLITE_TAMPERING = {
    "INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE sequence = 2": "append-only",
    "UPDATE OR REPLACE audit SET sequence = 1 WHERE sequence = 2": "append-only",
}
POSTGRESQL_TAMPERING = {"TRUNCATE audit": "append-only"}


def test_the_database_refuses_to_change_the_log(database: Database, database_url: str) -> None:
    add_project(database)
    own = SQLITE_TAMPERING if database_url.startswith("sqlite") else POSTGRESQL_TAMPERING
    for statement, reason in (TAMPERING | own).items():
        with pytest.raises(DBAPIError, match=reason), create_engine(database.url).begin() as connection:
            connection.execute(text(statement))
    assert first_fault(AuditLog(database).entries()) is None


def test_the_role_of_the_application_has_no_right_to_change_the_log(postgresql: str) -> None:
    """It owns the database and made the table, and is no superuser."""
    name = f"hcat_{uuid.uuid4().hex}"
    server = create_engine(postgresql.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE ROLE {name} LOGIN"))
        connection.execute(text(f"CREATE DATABASE {name} OWNER {name}"))
    own = server.url.set(username=name, database=name)
    database = Database(own.render_as_string(hide_password=False))
    add_project(database)
    for statement in (*TAMPERING, "TRUNCATE audit"):
        with pytest.raises(DBAPIError, match="permission denied for table audit"), database._engine.begin() as session:
            session.execute(text(statement))
    assert first_fault(AuditLog(database).entries()) is None
    assert AuditLog(database).count() == 2
    database.close()


WRITER = """
import sys
from datetime import UTC, datetime
from hcat.core.storage.audit.guards import APPEND_ONLY
from hcat.core.storage.database import Database
from hcat.core.storage.tables.projects import ProjectRow
database, own = Database(sys.argv[1]), sys.argv[2]
for number in range(int(sys.argv[3])):
    with database.write(actor=own, action="test", at=datetime.now(UTC)).transaction() as session:
        session.add(ProjectRow(name=f"{own}-{number}"))
        print(number, flush=True)
"""


def started(url: str, name: str, n: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, url, name, str(n)], stdout=subprocess.PIPE)


def test_writers_at_once_and_killed_ones_never_fork_the_chain(database: Database, database_url: str) -> None:
    writers = [started(database_url, f"w{number}", 30) for number in range(3)]
    killed = [started(database_url, f"k{number}", 10_000) for number in range(3)]
    for process in killed:
        assert process.stdout is not None
        for _ in range(5):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert [process.wait(120) for process in writers] == [0, 0, 0]
    log, deadline = AuditLog(database), time.monotonic() + 30
    with database.read() as session:
        names = {row[0] for row in session.execute(text("SELECT name FROM project"))}
    while log.count() != 1 + len(names) and time.monotonic() < deadline:  # a server notices a killed client late
        with database.read() as session:
            names = {row[0] for row in session.execute(text("SELECT name FROM project"))}
    entries = log.entries()
    assert first_fault(entries) is None
    assert len(entries) == 1 + len(names)  # a change and its row are both there, or neither
    assert {entry.project for entry in entries[1:]} == names >= {f"w{w}-{n}" for w in range(3) for n in range(30)}
    assert log.changed_past_the_log() is None


def chain(n: int) -> list[AuditEntry]:
    entries: list[AuditEntry] = []
    for number in range(1, n + 1):
        previous = entries[-1].hash if entries else "0" * 64
        blank = AuditEntry(
            sequence=number, at=NOON + timedelta(seconds=number), actor="ann", action="test", previous=previous,
            subject=f"label {number}", after=f"{number:064x}",
        )  # fmt: skip
        entries.append(replace(blank, hash=blank.own_hash()))
    return entries


def tampered(entries: list[AuditEntry], how: random.Random) -> tuple[list[AuditEntry], int]:
    """A log with one change, and the first row that is not what it was."""
    place = how.randrange(len(entries) - 1)
    kind = how.choice(["changed", "rehashed", "dropped", "swapped", "doubled", "renumbered"])
    entry, rest = entries[place], entries[place + 1 :]
    part = how.choice(["actor", "role", "action", "project", "subject", "before", "after", "digests", "previous", "at"])
    other = replace(entry, **{part: NOON if part == "at" else "eve"})
    if kind == "changed":
        return [*entries[:place], other, *rest], place + 1
    if kind == "rehashed":  # the row fits itself; the one after it tells
        first = place + 1 if part == "previous" else place + 2
        return [*entries[:place], replace(other, hash=other.own_hash()), *rest], first
    if kind == "dropped":
        return [*entries[:place], *rest], place + 1
    if kind == "swapped":
        return [*entries[:place], rest[0], entry, *rest[1:]], place + 1
    if kind == "doubled":
        return [*entries[: place + 1], entry, *rest], place + 2
    return [*entries[:place], *(replace(one, sequence=one.sequence - 1) for one in rest)], place + 1


def test_random_changes_of_the_log_are_all_found_and_named() -> None:
    how, entries = random.Random(17), chain(60)
    assert first_fault(entries) is None
    for _ in range(500):
        other, first = tampered(entries, how)
        fault = first_fault(other)
        assert fault is not None
        assert fault.sequence == first
        assert str(first) in fault.reason


def rewritten(entries: list[AuditEntry], place: int) -> list[AuditEntry]:
    """The log with one row changed and every hash from there computed anew: a whole chain again."""
    made = entries[:place]
    for entry in [replace(entries[place], actor="eve"), *entries[place + 1 :]]:
        linked = replace(entry, previous=made[-1].hash if made else "0" * 64)
        made.append(replace(linked, hash=linked.own_hash()))
    assert first_fault(made) is None
    return made


def changed_file(content: bytes, how: random.Random, other: SigningKey) -> bytes:
    """A checkpoint's file that says something else, or that somebody else signed."""
    envelope = json.loads(content)
    (signature,) = envelope["signatures"]
    part = how.choice(["payload", "signature", "signer", "another key"])
    if part == "another key":
        return sealed(Checkpoint(how.randrange(1, 60), "f" * 64, NOON.isoformat()), other)
    if part == "signer":
        signature["keyid"] = other.public.fingerprint
    else:
        holder, name = (envelope, "payload") if part == "payload" else (signature, "sig")
        raw = bytearray(base64.b64decode(holder[name]))
        raw[how.randrange(len(raw))] ^= 1 << how.randrange(8)
        holder[name] = base64.b64encode(bytes(raw)).decode()
    return json.dumps(envelope).encode()


def test_random_changes_before_a_checkpoint_and_of_its_file_are_all_found() -> None:
    """A cut end, or a log that was written anew, leaves the chain whole: only a checkpoint can tell."""
    how, entries, key, other = random.Random(23), chain(60), *(SigningKey(Ed25519PrivateKey.generate()) for _ in "ab")
    for number in range(500):
        count = how.randrange(2, 60)
        kept = sealed(checkpoint_of(entries[:count], NOON), key)
        stated = opened(kept, key.public, name="kept.json")
        assert fault_against(stated, entries) is None
        if number % 3 == 0:
            with pytest.raises(FileFormatError, match=r"was changed after|another key|is no checkpoint"):
                opened(changed_file(kept, how, other), key.public, name="kept.json")
            continue
        place = how.randrange(count)
        fault = fault_against(stated, entries[:place] if number % 3 == 1 else rewritten(entries, place))
        assert fault is not None
        assert fault.sequence == (place + 1 if number % 3 == 1 else count)
        assert str(fault.sequence) in fault.reason


def test_rows_are_named_in_ranges_and_read_back() -> None:
    keys = [("label", 9), ("label", 7), ("claim", 3), ("label", 8), ("label", 12), ("member", "a, 1-2@bank")]
    said = named_rows(keys)
    assert said == "claim 3, label 7-9, label 12, member a%2C 1%2D2@bank"
    assert set(rows_of(said)) == {(table, str(key)) for table, key in keys}
    assert list(rows_of("")) == []


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE project SET name = 'eve' WHERE id = 1", "project 1 is not what row 2"),
        ("DELETE FROM project WHERE id = 1", "project 1 is not what row 2"),
        (
            "INSERT INTO project (id, name, description, created_at) "
            "VALUES (7, 'eve', '', '2026-03-01 12:00:00.000000+00:00')",
            "project 7 was added past the log",
        ),
    ],
)
def test_a_change_past_the_log_is_named(database: Database, statement: str, reason: str) -> None:
    add_project(database)
    add_project(database, "shop")
    engine = create_engine(database.url)
    with suppress(DBAPIError), engine.begin() as connection:
        connection.execute(text(statement))
    fault = AuditLog(database).changed_past_the_log()
    assert fault is not None
    assert fault.reason.startswith(reason)


def test_a_row_is_compared_where_others_of_its_write_were_touched_again(database: Database) -> None:
    with write(database).transaction() as session:
        session.add_all([ProjectRow(name="bank"), ProjectRow(name="shop")])
    with write(database).transaction() as session:
        session.get_one(ProjectRow, 1).description = "changed by the app"
    assert AuditLog(database).changed_past_the_log() is None
    with create_engine(database.url).begin() as connection:
        connection.execute(text("UPDATE project SET description = 'by hand' WHERE id = 2"))
    fault = AuditLog(database).changed_past_the_log()
    assert fault is not None
    assert (fault.sequence, fault.reason.startswith("project 2 is not what row 2")) == (2, True)


def test_a_row_of_the_log_from_before_it_held_digests_has_the_hash_that_it_had() -> None:
    entry = AuditEntry(sequence=2, at=NOON, actor="ann", action="test", subject="project 1", after="a" * 64)
    assert entry.own_hash() == "d056d77c362cbf5151c15e0afdb649cf03f7ca276e7abdf2027bb64eb88cfb13"
    assert replace(entry, digests="a" * 64).own_hash() != entry.own_hash()


def test_triggers_that_are_gone_are_named(database: Database, database_url: str) -> None:
    assert AuditLog(database).missing_guards() == []
    assert refusing(database) == set(APPEND_ONLY)
    if database_url.startswith("sqlite"):
        gone = ["audit_no_update", "label_no_delete"]
        statements = [f"DROP TRIGGER {name}" for name in gone]
    else:
        statements = ["DROP TRIGGER audit_no_row_change ON audit", "ALTER TABLE label DISABLE TRIGGER USER"]
        gone = ["audit_no_row_change", "label_append_only"]
    with create_engine(database.url).begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    assert AuditLog(database).missing_guards() == gone


def refusing(database: Database) -> set[str]:
    """The tables that have triggers of their own."""
    on_server = database.url.get_backend_name() == "postgresql"
    query = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"
    with database.read() as session:
        tables = "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger'"
        return set(session.execute(text(query if on_server else tables)).scalars())
