"""Renaming, archiving and deleting: the rows that go with an item, what keeps it, and the log of what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Table, delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.records.housekeeping import Contents, HousekeepingAction, HousekeepingEntry, Item, ItemKind
from hcat.core.storage.database import Database
from hcat.core.storage.stores.item_rows import (
    FILES,
    TABLES,
    Artifact,
    Ids,
    ItemRow,
    contents,
    files,
    jobs_of,
    rows_with,
)
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.queues import queue_record
from hcat.core.storage.stores.text_keys import drop_rings
from hcat.core.storage.tables.corpora import CorpusRow
from hcat.core.storage.tables.labelling import QueueRow
from hcat.core.storage.tables.projects import (
    CriterionRow,
    HousekeepingRow,
    ProjectRow,
    RunRow,
)
from hcat.core.storage.tables.row import Row
from hcat.core.storage.tables.test_sets import TestSetRow
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class HousekeepingStore:
    """Renaming, archiving and deleting of items in one database."""

    database: Database

    def items(self, project_id: int | None = None) -> list[Item]:
        """All projects, or a project's runs, criteria, queues, corpora and test sets, archived too, oldest first."""
        with self.database.read() as session:
            if project_id is None:
                return [_item(session, "project", row) for row in session.exec(select_rows(ProjectRow))]
            runs = select_rows(RunRow).where(RunRow.project_id == project_id).order_by(col(RunRow.id))
            criteria = select_rows(CriterionRow).where(CriterionRow.project_id == project_id)
            test_sets = select_rows(TestSetRow).where(TestSetRow.project_id == project_id)
            corpora = select_rows(CorpusRow).where(CorpusRow.project_id == project_id)
            queues = select_rows(QueueRow).join(RunRow, col(RunRow.id) == col(QueueRow.run_id))
            return [
                *(_item(session, "run", run) for run in session.exec(runs)),
                *(_item(session, "criterion", row) for row in session.exec(criteria.order_by(col(CriterionRow.id)))),
                *(
                    _item(session, "queue", queue)
                    for queue in session.exec(queues.where(RunRow.project_id == project_id).order_by(col(QueueRow.id)))
                ),
                *(_item(session, "corpus", row) for row in session.exec(corpora.order_by(col(CorpusRow.id)))),
                *(_item(session, "test set", row) for row in session.exec(test_sets.order_by(col(TestSetRow.id)))),
            ]

    def contents(self, item: Item) -> Contents:
        """Counts of the rows that are deleted with the item and of those that depend on it, and of its jobs under
        way."""
        with self.database.read() as session:
            return contents(session, item)

    def rename(self, write: Write, item: Item, name: str, *, actor: str) -> Item:
        """The item by its new name. ConflictError when that is taken."""
        try:
            with write.transaction() as session:
                row = _row(session, item)
                if isinstance(row, QueueRow):
                    raise ConflictError(f"{item.name!r} can't be renamed: a queue is named by how it draws")
                row.name = name
                session.add(row)
                session.add(_entry(write, item, "rename", actor=actor, new_name=name))
                session.flush()
                return _item(session, item.kind, row)
        except IntegrityError as error:
            raise ConflictError(f"there is already a {item.kind} {name!r}: choose another name") from error

    def archive(self, write: Write, item: Item, *, actor: str, restore: bool = False) -> Item:
        """The item, left out of lists from now on; or in them again."""
        with write.transaction() as session:
            row = _row(session, item)
            if (row.archived_at is None) == restore:
                return _item(session, item.kind, row)
            row.archived_at = None if restore else write.at
            session.add(row)
            session.add(_entry(write, item, "restore" if restore else "archive", actor=actor))
            session.flush()
            return _item(session, item.kind, row)

    def delete(self, write: Write, item: Item, seen: Contents, *, actor: str, reason: str) -> list[Artifact]:
        """Delete the item and all that goes with it, at once or not at all; the files that nothing refers to any more.

        ConflictError where it holds something else than was `seen`, since nobody agreed to lose that.
        """
        with write.transaction() as session:
            _row(session, item)
            if contents(session, item) != seen:
                raise ConflictError(f"{item.kind} {item.name!r} changed meanwhile: look at what it holds, then decide")
            entry = _entry(write, item, "delete", actor=actor, reason=reason, contents=seen.gone)
            session.add(entry)
            session.flush()  # from here on the database lets its labels go
            rows = rows_with(item)
            own = {artifact for table, ids in rows.items() for artifact in files(session, table, ids)}
            rings = _rings(session, rows)
            for job in jobs_of(session, item):
                session.delete(job)
            session.flush()
            for table, ids in reversed(rows.items()):
                session.execute(delete(table).where(table.c.id.in_(ids)))
            entry.finished_at = write.at
            session.flush()
            gone = own - _files(session)
            drop_rings(session, rings | {artifact for _, artifact in gone})
            return sorted(gone)

    def files(self) -> list[Artifact]:
        """Every file that a row refers to."""
        with self.database.read() as session:
            return sorted(_files(session))

    def log(self) -> list[HousekeepingEntry]:
        """Everything that was ever renamed, archived, restored or deleted, oldest first."""
        with self.database.read() as session:
            rows = session.exec(select_rows(HousekeepingRow).order_by(col(HousekeepingRow.id)))
            return [_logged(row) for row in rows]


def _rings(session: Session, rows: Mapping[Table, Ids]) -> set[str]:
    """The key rings of the runs among these rows."""
    ids = rows.get(Row.metadata.tables["run"])
    named = () if ids is None else session.exec(select_rows(RunRow.key_ring).where(col(RunRow.id).in_(ids)))
    return {ring for ring in named if ring is not None}


def _files(session: Session) -> set[Artifact]:
    return {file for table in FILES for file in files(session, Row.metadata.tables[table])}


def last_entry(session: Session) -> int:
    """The newest line of the log: names and rows that somebody keeps are out of date where it is another."""
    return session.execute(select(func.max(col(HousekeepingRow.id)))).scalar() or 0


def _row(session: Session, item: Item) -> ItemRow:
    row = cast("ItemRow | None", session.get(TABLES[item.kind], item.id))
    if row is None:
        raise NotFoundError(f"there is no {item.kind} {item.name!r} any more")
    return row


def _item(session: Session, kind: ItemKind, row: ItemRow) -> Item:
    if isinstance(row, ProjectRow):
        return Item(kind, known_id(row.id), known_id(row.id), row.name, row.name, "", row.archived_at)
    if isinstance(row, QueueRow):
        run = session.get_one(RunRow, row.run_id)
        queue = queue_record(session, row)
        project = session.get_one(ProjectRow, run.project_id)
        of = f"{run.name}, {queue.criterion}"
        return Item(kind, queue.id, run.project_id, project.name, queue.name, of, row.archived_at)
    project = session.get_one(ProjectRow, row.project_id)
    return Item(kind, known_id(row.id), row.project_id, project.name, row.name, "", row.archived_at)


def _entry(
    write: Write,
    item: Item,
    action: HousekeepingAction,
    *,
    actor: str,
    new_name: str | None = None,
    reason: str = "",
    contents: Mapping[str, int] | None = None,
) -> HousekeepingRow:
    name = f"{item.name} ({item.of})" if item.of else item.name
    return HousekeepingRow(
        action=action,
        kind=item.kind,
        item_id=item.id,
        project=item.project,
        name=name,
        new_name=new_name,
        actor=actor,
        reason=reason,
        contents=dict(contents or {}),
        at=write.at,
        finished_at=None if action == "delete" else write.at,
    )


def _logged(row: HousekeepingRow) -> HousekeepingEntry:
    return HousekeepingEntry(
        id=known_id(row.id),
        action=cast("HousekeepingAction", row.action),
        kind=cast("ItemKind", row.kind),
        project=row.project,
        name=row.name,
        new_name=row.new_name,
        actor=row.actor,
        reason=row.reason,
        contents={name: cast("int", n) for name, n in row.contents.items()},
        at=row.at,
    )
