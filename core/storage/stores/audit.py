"""The audit log, read; and compared with the rows that it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import Connection, Select, desc, select
from sqlmodel import Session, col, func

from hcat.core.records.audit import GONE, AuditEntry, ChainFault, rows_of
from hcat.core.storage.audit.chain import NOT_DIGESTED
from hcat.core.storage.audit.digests import all_rows, digest_of, key_text, row_digest
from hcat.core.storage.audit.guards import missing_guards
from hcat.core.storage.database import Database
from hcat.core.storage.tables.audit import AuditRow
from hcat.core.storage.tables.row import Row

PARTS = [field.name for field in fields(AuditEntry)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """The rows to read; None in a field selects all. `since` is the first moment that counts, `until` the first
    after."""

    actor: str | None = None
    action: str | None = None
    project: str | None = None
    since: datetime | None = None
    until: datetime | None = None


ALL_ROWS = AuditFilter()
ROWS = 1_000
"""Number of rows that are read at a time where all are gone through once."""


@dataclass(frozen=True)
class AuditLog:
    """The audit log of one database. Only `Write` adds to it."""

    database: Database

    def entries(self, chosen: AuditFilter = ALL_ROWS, *, newest: int | None = None) -> list[AuditEntry]:
        """The rows that the filter leaves, lowest sequence first; with `newest`, only the last so many of them."""
        query = _filtered(chosen)
        with self.database.read() as session:
            if newest is None:
                return list(_read(session, query.order_by(col(AuditRow.sequence))))
            return list(_read(session, query.order_by(desc(col(AuditRow.sequence))).limit(newest)))[::-1]

    def each(self, chosen: AuditFilter = ALL_ROWS) -> Iterator[AuditEntry]:
        """The same one after another, some in memory at a time."""
        with self.database.read() as session:
            query = _filtered(chosen).order_by(col(AuditRow.sequence))
            yield from _read(session, query.execution_options(yield_per=ROWS))

    def names(self) -> dict[str, list[str]]:
        """Every actor, action and project that the log names, in order."""
        with self.database.read() as session:
            return {
                part: sorted(session.execute(select(getattr(AuditRow, part)).distinct()).scalars())
                for part in ("actor", "action", "project")
            }

    def count(self, chosen: AuditFilter = ALL_ROWS) -> int:
        """Number of rows that match the filter."""
        with self.database.read() as session:
            return int(session.execute(select(func.count()).select_from(_filtered(chosen).subquery())).scalar_one())

    def changed_past_the_log(self) -> ChainFault | None:
        """The newest row of the log after which a row that it is about was changed, added or deleted by other ways.

        The log gives a digest of each row that a write left. It is compared where no later write touched that row. Rows
        of the log from before that give one digest of all: it is compared where none of them was touched again.
        """
        with self.database.read() as session:
            connection = session.connection()
            entries = list(_read(session, select(AuditRow).order_by(desc(col(AuditRow.sequence)))))
            return _first_difference(entries, _rows_now(connection))

    def missing_guards(self) -> list[str]:
        """The triggers that refuse changes of this log and others, where they are gone or turned off."""
        with self.database.read() as session:
            return missing_guards(session.connection())


Place = tuple[str, str]
"""A row by its table and key."""


def _first_difference(newest_first: list[AuditEntry], rows: dict[Place, bytes]) -> ChainFault | None:
    later: set[Place] = set()
    for entry in newest_first:
        places = [] if entry.subject.startswith("schema ") else list(rows_of(entry.subject))
        changed = _changed(entry, places, later, rows)
        if changed:
            return ChainFault(entry.sequence, _differs(entry, changed))
        later.update(places)
    unknown = sorted(rows.keys() - later)
    if unknown:
        table, key = unknown[0]
        return ChainFault(newest_first[0].sequence if newest_first else 0, f"{table} {key} was added past the log")
    return None


def _changed(entry: AuditEntry, places: list[Place], later: set[Place], rows: dict[Place, bytes]) -> str:
    """The first of these rows that is not what the entry says, of which no later one does; empty where all are."""
    if not entry.digests:
        whole = bool(places) and later.isdisjoint(places) and all(table not in NOT_DIGESTED for table, _ in places)
        present = digest_of(rows[place] for place in places if place in rows)
        return entry.subject if whole and present != entry.after else ""
    for place, digest in zip(places, entry.digests.split(" "), strict=True):
        if place[0] not in Row.metadata.tables:  # a later schema has its rows in another table, and a digest of each
            continue
        present = rows[place].hex() if place in rows else GONE
        if place not in later and place[0] not in NOT_DIGESTED and present != digest:
            return " ".join(place)
    return ""


def _differs(entry: AuditEntry, changed: str) -> str:
    return f"{changed} is not what row {entry.sequence} ({entry.action}) left: it was changed past the log"


def _rows_now(connection: Connection) -> dict[Place, bytes]:
    tables = [table for table in Row.metadata.sorted_tables if table.name not in NOT_DIGESTED]
    return {
        (table.name, str(key_text(key))): row_digest(table.name, values)
        for table in tables
        for key, values in all_rows(connection, table)
    }


def _filtered(chosen: AuditFilter) -> Select[AuditRow]:
    query = select(AuditRow)
    for part, value in (("actor", chosen.actor), ("action", chosen.action), ("project", chosen.project)):
        if value is not None:
            query = query.where(getattr(AuditRow, part) == value)
    if chosen.since is not None:
        query = query.where(col(AuditRow.at) >= chosen.since)
    return query if chosen.until is None else query.where(col(AuditRow.at) < chosen.until)


def _read(session: Session, query: Select[AuditRow]) -> Iterator[AuditEntry]:
    for row in session.execute(query).scalars():
        yield AuditEntry(**{part: getattr(row, part) for part in PARTS})
