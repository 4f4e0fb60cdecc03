"""The plans of what to label. A plan is never redrawn; a further round is a plan of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.labelling.queue import LEASE_SECONDS, Order, QueueKind, QueueRules
from hcat.core.labelling.records import QueueInfo
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.tables.labelling import QueueRow
from hcat.core.storage.tables.projects import CriterionRow
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class QueueTable:
    """The label queues of one database."""

    database: Database

    def newest(
        self, project_id: int, run_id: int, criterion: str, kind: QueueKind, dimension: str | None
    ) -> QueueInfo | None:
        """The last round of this kind, if there is one."""
        with self.database.read() as session:
            owner = criterion_row(session, project_id, criterion)
            row = session.exec(
                select(QueueRow)
                .where(
                    QueueRow.run_id == run_id,
                    QueueRow.criterion_id == owner.id,
                    QueueRow.kind == kind,
                    QueueRow.dimension == (dimension or ""),
                )
                .order_by(desc(QueueRow.round))
                .limit(1)
            ).first()
            return None if row is None else _queue(row, owner.name)

    def of_run(self, run_id: int, criterion: str | None = None) -> list[QueueInfo]:
        """All queues of the run, oldest first."""
        query = (
            select(QueueRow, CriterionRow.name)
            .join(CriterionRow, col(CriterionRow.id) == col(QueueRow.criterion_id))
            .where(QueueRow.run_id == run_id)
            .order_by(col(QueueRow.id))
        )
        with self.database.read() as session:
            return [_queue(row, name) for row, name in session.exec(query) if criterion in (None, name)]

    def by_id(self, queue_id: int) -> QueueInfo:
        """The queue with this id, or NotFoundError."""
        with self.database.read() as session:
            row = session.get(QueueRow, queue_id)
            if row is None:
                raise NotFoundError(f"there is no label queue with id {queue_id}")
            return queue_record(session, row)

    def add(
        self,
        write: Write,
        project_id: int,
        run_id: int,
        criterion: str,
        *,
        kind: QueueKind,
        dimension: str | None,
        round: int,  # noqa: A002
        planned: int,
        rules: QueueRules,
        artifact: str,
    ) -> QueueInfo:
        """A new plan, or ConflictError when there is one already."""
        try:
            with write.transaction() as session:
                row = QueueRow(
                    run_id=run_id,
                    criterion_id=known_id(criterion_row(session, project_id, criterion).id),
                    kind=kind,
                    dimension=dimension or "",
                    round=round,
                    planned=planned,
                    overlap=rules.overlap,
                    settings={name: value for name, value in asdict(rules).items() if name != "overlap"},
                    artifact=artifact,
                )
                session.add(row)
                session.flush()
                return _queue(row, criterion)
        except IntegrityError as error:
            raise ConflictError("this queue was planned meanwhile: open it again") from error


def queue_record(session: Session, row: QueueRow) -> QueueInfo:
    """The plan of the row."""
    return _queue(row, session.exec(select(CriterionRow.name).where(CriterionRow.id == row.criterion_id)).one())


def _queue(row: QueueRow, criterion: str) -> QueueInfo:
    return QueueInfo(
        id=known_id(row.id),
        run_id=row.run_id,
        criterion=criterion,
        kind=_KINDS[row.kind],
        dimension=row.dimension or None,
        round=row.round,
        planned=row.planned,
        rules=_rules(row.overlap, cast("Mapping[str, str | float | int]", row.settings)),
        artifact=row.artifact,
        created_at=row.created_at,
        archived_at=row.archived_at,
    )


def _rules(overlap: int | None, settings: Mapping[str, str | float | int]) -> QueueRules:
    return QueueRules(
        overlap=overlap,
        order=_ORDERS[str(settings.get("order", "queue"))],
        repeats=float(settings.get("repeats", 0)),
        gold=float(settings.get("gold", 0)),
        lease_seconds=int(settings.get("lease_seconds", LEASE_SECONDS)),
    )


_KINDS: dict[str, QueueKind] = {
    "random": "random",
    "stratified": "stratified",
    "boundary": "boundary",
    "informative": "informative",
    "slice": "slice",
    "confirming": "confirming",
    "disagreement": "disagreement",
}
_ORDERS: dict[str, Order] = {"queue": "queue", "annotator": "annotator"}
