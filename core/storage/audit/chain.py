"""Adding rows to the audit log, in the transaction that they are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import Connection, Table, desc, select, text

from hcat.core.records.audit import FIRST, AuditEntry, digests_of, named_rows
from hcat.core.storage.audit.digests import Key, Values, all_rows, digest_of, key_text, row_digest
from hcat.core.storage.audit.touched_rows import TouchedRows
from hcat.core.storage.tables.audit import AuditRow
from hcat.core.storage.tables.row import Row

LOCK = 7_304_228_102  # any fixed number: transactions that write to the same PostgreSQL database wait on it
NOT_LOGGED = frozenset({"job.beat"})
"""A heartbeat says only that a job goes on, and how far it is: every few seconds, of no use to anybody later."""
NOT_DIGESTED = frozenset({"audit", "job"})
"""Tables whose rows no digest can be compared with later: the log itself, and jobs, which heartbeats change."""


def lock(connection: Connection) -> None:
    """One transaction at a time adds rows, so that the chain never forks. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})


def log_write(
    connection: Connection, touched: TouchedRows, *, actor: str, role: str, action: str, at: datetime
) -> None:
    """Add one row on what a transaction touched. The caller holds the lock."""
    before = {place: values for place, values in touched.before.items() if values is not None}
    after = touched.now()
    left = {(table, str(key_text(key))): row_digest(table, values) for (table, key), values in after.items()}
    subject = named_rows([(table, key_text(key)) for table, key in touched.before])
    _append(
        connection,
        AuditEntry(
            sequence=0,
            at=at,
            actor=actor,
            role=role,
            action=action,
            project=_project(connection, before | after),
            subject=subject,
            before=digest_of(row_digest(table, values) for (table, _), values in before.items()),
            after=digest_of(left.values()),
            digests=_each(subject, left),
        ),
    )


def log_schema(connection: Connection, revision: str, *, at: datetime) -> None:
    """Say that the log begins, or that the schema changed, and give the digest of each table that has rows."""
    lock(connection)
    action = "log.begin" if _head(connection)[0] == 0 else "schema.change"
    blank = AuditEntry(sequence=0, at=at, actor="hcat", action=action)
    _append(connection, replace(blank, subject=f"schema {revision}"))
    for table in Row.metadata.sorted_tables:
        if table.name in NOT_DIGESTED:
            continue
        rows = {key_text(key): row_digest(table.name, values) for key, values in all_rows(connection, table)}
        if rows:
            subject = named_rows([(table.name, key) for key in rows])
            each = _each(subject, {(table.name, str(key)): digest for key, digest in rows.items()})
            _append(connection, replace(blank, subject=subject, after=digest_of(rows.values()), digests=each))


def _append(connection: Connection, entry: AuditEntry) -> None:
    sequence, previous = _head(connection)
    placed = replace(entry, sequence=sequence + 1, previous=previous)
    connection.execute(_log().insert(), asdict(replace(placed, hash=placed.own_hash())))


def _head(connection: Connection) -> tuple[int, str]:
    newest = select(_log().c.sequence, _log().c.hash).order_by(desc(_log().c.sequence)).limit(1)
    row = connection.execute(newest).first()
    return (0, FIRST) if row is None else (row[0], row[1])


def _each(subject: str, digests: dict[tuple[str, str], bytes]) -> str:
    return digests_of(subject, {place: digest.hex() for place, digest in digests.items()})


def _project(connection: Connection, rows: dict[tuple[str, Key], Values]) -> str:
    """The name of the project that the rows belong to; empty where they belong to none, or to several."""
    names = {_owner(connection, _table(table), values) for table, values in _one_a_table(rows)} - {""}
    return names.pop() if len(names) == 1 else ""


def _one_a_table(rows: dict[tuple[str, Key], Values]) -> Iterable[tuple[str, Values]]:
    return {table: values for (table, _), values in rows.items()}.items()


def _owner(connection: Connection, table: Table, values: Values) -> str:
    """The name of the project of a row: its own, or that of a row that it refers to."""
    if table.name == "project":
        return str(values["name"])
    if table.name == "housekeeping":
        return str(values["project"])
    references = [(key.parent.name, key.column.table) for key in table.foreign_keys]
    for column, owner in sorted(references, key=lambda reference: (reference[1].name != "project", reference[0])):
        if owner is table or values[column] is None:
            continue
        row = connection.execute(select(owner).where(owner.c.id == values[column])).mappings().first()
        name = "" if row is None else _owner(connection, owner, {str(part): row[part] for part in row})
        if name:
            return name
    return ""


def _log() -> Table:
    return _table(str(AuditRow.__tablename__))


def _table(name: str) -> Table:
    return Row.metadata.tables[name]
