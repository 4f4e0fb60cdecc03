"""Leases of the items of a queue. Every step is one statement that takes effect or does nothing, on SQLite and
PostgreSQL.

What may not happen is refused by unique constraints: two claims in one slot of an item, one annotator twice in an item,
two open items of one annotator in a queue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import ColumnElement, CursorResult, Insert, and_, or_
from sqlalchemy import select as sa_select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, delete, select, update

from hcat.core.errors import ConflictError
from hcat.core.labelling.leases import ActiveEntry, Lease, Offer
from hcat.core.labelling.queue import PURPOSES
from hcat.core.labelling.records import LabelRecord, QueueInfo
from hcat.core.storage.database import Database
from hcat.core.storage.stores.label_reading import LabelReader
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.tables.labelling import LabelRow, LeaseRow, QueueRow
from hcat.core.storage.tables.projects import CriterionRow, RunRow
from hcat.core.storage.write import Write

ATTEMPTS = 200
"""Each attempt that fails means that somebody else got an item: so many in a row mean something else is wrong."""

CLOCKS_APART = timedelta(hours=1)
"""So far may the clocks of two machines be apart: a lease that ends later than any could was taken by a wrong one."""

Choose = Callable[[Sequence[Lease], Sequence[ActiveEntry]], Offer | None]


@dataclass(frozen=True)
class LeaseTable:
    """The claims of one database."""

    database: Database
    reader: LabelReader = field(default_factory=LabelReader, repr=False, compare=False)

    def take(
        self, write: Write, project_id: int, queue: QueueInfo, annotator: str, *, now: datetime, choose: Choose
    ) -> Lease | None:
        """The annotator's open claim, renewed, or a new one on what `choose` offers; None where it offers nothing.

        Somebody else may be quicker: then `choose` is asked again with what holds now.
        """
        until, longest = now + timedelta(seconds=queue.rules.lease_seconds), _longest(queue)
        with self.database.read() as session:  # the first time that takes long, which no other writer should wait for
            self._held(session, project_id, queue)
        for _ in range(ATTEMPTS):
            with suppress(IntegrityError), write.transaction() as session:
                own = _own(session, queue.id, annotator)
                if own is not None and _renew(session, own.id, annotator, until):
                    if not _is_stale(session, own, queue):
                        return own
                    session.execute(delete(LeaseRow).where(col(LeaseRow.id) == own.id, _IS_OPEN))
                offer = choose(_claims(session, queue.id, now, longest), self._held(session, project_id, queue))
                if offer is None:
                    return None
                if _claim(session, queue.id, annotator, offer, now, until, longest):
                    return _own(session, queue.id, annotator)
        raise ConflictError("this queue is very busy at the moment: ask for the next item again")

    def state(
        self, project_id: int, queue: QueueInfo, *, now: datetime
    ) -> tuple[Sequence[Lease], Sequence[ActiveEntry]]:
        """The queue's claims, and the entries of anybody that hold on its run and criterion."""
        with self.database.read() as session:
            entries = self._held(session, project_id, queue)
            return _claims(session, queue.id, now, _longest(queue)), entries

    def holds(self, run_id: int, sample_id: str, annotator: str) -> bool:
        """Whether the annotator has the sample before them, in any queue of the run."""
        query = (
            select(LeaseRow.id)
            .join(QueueRow, col(QueueRow.id) == col(LeaseRow.queue_id))
            .where(
                QueueRow.run_id == run_id, LeaseRow.sample_id == sample_id, LeaseRow.annotator == annotator, _IS_OPEN
            )
        )
        with self.database.read() as session:
            return session.exec(query).first() is not None

    def project_of(self, claim_id: int) -> int | None:
        """The project that an item is labelled for; None where there is no such claim any more."""
        query = (
            select(RunRow.project_id)
            .join(QueueRow, col(QueueRow.run_id) == col(RunRow.id))
            .join(LeaseRow, col(LeaseRow.queue_id) == col(QueueRow.id))
            .where(LeaseRow.id == claim_id)
        )
        with self.database.read() as session:
            return session.exec(query).first()

    def renew(self, write: Write, claim_id: int, annotator: str, until: datetime) -> bool:
        """Hold an open item for longer. False when it is no longer the annotator's."""
        with write.transaction() as session:
            return _renew(session, claim_id, annotator, until)

    def release(self, write: Write, claim_id: int, annotator: str) -> bool:
        """Give an open item back to the others. False when it was not held, or has a label."""
        with write.transaction() as session:
            statement = delete(LeaseRow).where(
                col(LeaseRow.id) == claim_id, col(LeaseRow.annotator) == annotator, _IS_OPEN
            )
            return _changed(session, statement) == 1

    def _held(self, session: Session, project_id: int, queue: QueueInfo) -> list[LabelRecord]:
        return self.reader.current(session, project_id, criterion=queue.criterion, run_id=queue.run_id)


def close_lease(session: Session, claim_id: int, label: LabelRow) -> None:
    """Bind the claim to its label, in the label's own transaction. A skip gives the slot back to the others.

    ConflictError, and with it no label, where the claim ran out and is somebody else's by now.
    """
    mine = and_(
        col(LeaseRow.id) == claim_id,
        col(LeaseRow.annotator) == label.annotator,
        col(LeaseRow.sample_id) == label.sample_id,
        col(LeaseRow.occurrence) == label.occurrence,
    )
    slot = {"slot": None} if label.kind == "skip" else {}
    if _changed(session, update(LeaseRow).where(mine).values(label_id=label.id, **slot)) != 1:
        raise ConflictError("you held this item for too long, and somebody else took it over: take the next one")


def follow_label(session: Session, earlier: int, label: LabelRow) -> None:
    """A label that takes the place of an earlier one takes its claim too."""
    session.execute(update(LeaseRow).where(col(LeaseRow.label_id) == earlier).values(label_id=label.id))


def reopen_lease(session: Session, withdrawn: int, annotator: str, until: datetime) -> None:
    """Give the annotator the item of a withdrawn label back, in place of the one they hold now.

    A skipped item has lost its slot: its claim goes, and it is open to whoever comes next.
    """
    rows = session.exec(select(LeaseRow).where(LeaseRow.label_id == withdrawn, LeaseRow.annotator == annotator)).all()
    for row in rows:
        session.execute(
            delete(LeaseRow).where(
                col(LeaseRow.queue_id) == row.queue_id, col(LeaseRow.annotator) == annotator, _IS_OPEN
            )
        )
        this = col(LeaseRow.id) == row.id
        kind = session.exec(select(LabelRow.kind).where(LabelRow.id == withdrawn)).one()
        if kind == "skip" and row.purpose not in ("repeat", "gold"):
            session.execute(delete(LeaseRow).where(this))
        else:
            session.execute(update(LeaseRow).where(this).values(label_id=None, expires_at=until))


_IS_OPEN = col(LeaseRow.label_id).is_(None)


def _own(session: Session, queue_id: int, annotator: str) -> Lease | None:
    mine = (LeaseRow.queue_id == queue_id, LeaseRow.annotator == annotator, _IS_OPEN)
    row = session.exec(select(LeaseRow).where(*mine)).first()
    if row is None:
        return None
    return Lease(known_id(row.id), row.sample_id, annotator, row.occurrence, PURPOSES[row.purpose], row.slot)


def _longest(queue: QueueInfo) -> timedelta:
    return timedelta(seconds=queue.rules.lease_seconds) + CLOCKS_APART


def _ran_out(now: datetime, longest: timedelta) -> ColumnElement[bool]:
    return or_(col(LeaseRow.expires_at) <= now, col(LeaseRow.expires_at) > now + longest)


def _claim(
    session: Session,
    queue_id: int,
    annotator: str,
    offer: Offer,
    now: datetime,
    until: datetime,
    longest: timedelta,
) -> bool:
    if offer.takes_over is not None:
        ran_out = and_(col(LeaseRow.id) == offer.takes_over, _IS_OPEN, _ran_out(now, longest))
        statement = (
            update(LeaseRow)
            .where(ran_out)
            .values(annotator=annotator, occurrence=offer.occurrence, claimed_at=now, expires_at=until)
        )
        return _changed(session, statement) == 1
    values = {
        "queue_id": queue_id,
        "sample_id": offer.sample_id,
        "annotator": annotator,
        "occurrence": offer.occurrence,
        "purpose": offer.purpose,
        "slot": offer.slot,
        "claimed_at": now,
        "expires_at": until,
    }
    return _changed(session, _insert_if_free(session).values(**values)) == 1


def _insert_if_free(session: Session) -> sqlite.Insert | postgresql.Insert:
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(LeaseRow).on_conflict_do_nothing()
    return sqlite.insert(LeaseRow).on_conflict_do_nothing()


def _renew(session: Session, claim_id: int, annotator: str, until: datetime) -> bool:
    mine = and_(col(LeaseRow.id) == claim_id, col(LeaseRow.annotator) == annotator, _IS_OPEN)
    return _changed(session, update(LeaseRow).where(mine).values(expires_at=until)) == 1


def _is_stale(session: Session, own: Lease, queue: QueueInfo) -> bool:
    """Whether the annotator labelled the sample by another way meanwhile."""
    later = aliased(LabelRow)
    query = (
        select(LabelRow.id)
        .join(later, col(later.supersedes) == col(LabelRow.id), isouter=True)
        .join(CriterionRow, col(CriterionRow.id) == col(LabelRow.criterion_id))
        .where(
            LabelRow.run_id == queue.run_id,
            CriterionRow.name == queue.criterion,
            LabelRow.sample_id == own.sample_id,
            LabelRow.annotator == own.annotator,
            LabelRow.source == "person",
            LabelRow.occurrence == own.occurrence,
            LabelRow.kind != "withdrawn",
            col(later.id).is_(None),
        )
    )
    return session.exec(query).first() is not None


def _claims(session: Session, queue_id: int, now: datetime, longest: timedelta) -> list[Lease]:
    # Columns, not rows: thousands of them are read for each item that is given out.
    query = (
        sa_select(
            col(LeaseRow.id),
            col(LeaseRow.sample_id),
            col(LeaseRow.annotator),
            col(LeaseRow.occurrence),
            col(LeaseRow.purpose),
            col(LeaseRow.slot),
            _ran_out(now, longest).label("expired"),
            col(LeaseRow.label_id),
            col(LabelRow.kind),
        )
        .join(LabelRow, col(LabelRow.id) == col(LeaseRow.label_id), isouter=True)
        .where(col(LeaseRow.queue_id) == queue_id)
        .order_by(col(LeaseRow.id))
    )
    return [
        Lease(number, sample, annotator, occurrence, PURPOSES[purpose], slot, bool(expired), label, _judged(kind))
        for number, sample, annotator, occurrence, purpose, slot, expired, label, kind in session.execute(query)
    ]


def _judged(kind: str | None) -> bool:
    return kind is not None and kind != "skip"


def _changed(session: Session, statement: object) -> int:
    kept = {"preserve_rowcount": True}  # else the count of an insert is gone with its cursor on PostgreSQL
    return cast("CursorResult[object]", session.execute(cast("Insert", statement), execution_options=kept)).rowcount
