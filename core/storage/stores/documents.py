"""Versioned documents of people: each new one gets the next number of its series, and none is ever changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import func, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select

from hcat.core.errors import ConflictError
from hcat.core.records.hashing import sha256_of_json
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.tables.documents import DocumentRow
from hcat.core.storage.tables.labelling import LabelRow
from hcat.core.storage.tables.projects import CriterionRow
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue

Document = Mapping[str, JsonValue]
Kind = Literal["fairness", "opinion", "plan", "policy", "retention", "risks", "rubric"]

_MEANWHILE: Mapping[Kind, str] = {
    "fairness": "settled these margins meanwhile: look at them, then settle yours",
    "opinion": "stated an opinion meanwhile: read it, then state yours",
    "plan": "registered a plan meanwhile: look at it, then decide",
    "policy": "switched a policy on meanwhile: look at it, then decide",
    "retention": "settled the retention meanwhile: look at it, then settle yours",
    "risks": "changed the register meanwhile: read it, then change it",
    "rubric": "saved this version of the rubric meanwhile: look at it, then save yours",
}


@dataclass(frozen=True, slots=True)
class StatedDocument:
    """One version as it is stored; `criterion` is empty, and `run_id` None, where it is on none."""

    id: int
    run_id: int | None
    criterion: str
    series: str
    version: int
    hash: str
    document: Document
    author: str
    note: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Before:
    """State when a document is stored: its number, the hash of the one before it, and the number of labels of its
    criterion."""

    version: int
    hash: str
    labels: int


@dataclass(frozen=True)
class Documents:
    """The documents of one database."""

    database: Database

    def add(
        self,
        write: Write,
        project_id: int,
        kind: Kind,
        document: Document | Callable[[Before], Document],
        *,
        author: str,
        series: str = "",
        version: int | None = None,
        hash: str = "",  # noqa: A002
        note: str = "",
        run_id: int | None = None,
        criterion: str = "",
    ) -> StatedDocument:
        """The document under this number, by default the next one; ConflictError where somebody else took it.

        On a criterion, numbers count on the criterion. A document that says what there was before it is made when no
        label can come in between, and its hash is stored.
        """
        try:
            with write.transaction() as session:
                owner = known_id(criterion_row(session, project_id, criterion).id) if criterion else None
                of = series if owner is None else str(owner)
                if callable(document):
                    _keep_labels_out(session)
                newest = _newest(session, project_id, kind, of)
                number = version or (1 if newest is None else newest.version + 1)
                if callable(document):
                    document = document(Before(number, "" if newest is None else newest.hash, _labels(session, owner)))
                    hash = sha256_of_json(document)  # noqa: A001
                row = DocumentRow(
                    project_id=project_id,
                    run_id=run_id,
                    criterion_id=owner,
                    kind=kind,
                    series=of,
                    version=number,
                    hash=hash,
                    document=stored(document),
                    author=author,
                    note=note,
                    at=write.at,
                )
                session.add(row)
                session.flush()
                return _stated(row, criterion)
        except IntegrityError as error:
            raise ConflictError(f"somebody else has {_MEANWHILE[kind]}") from error

    def all(self, project_id: int, kind: Kind) -> list[StatedDocument]:
        """All of this kind that the project has, newest first."""
        query = (
            select(DocumentRow, CriterionRow.name)
            .outerjoin(CriterionRow, col(CriterionRow.id) == col(DocumentRow.criterion_id))
            .where(DocumentRow.project_id == project_id, DocumentRow.kind == kind)
            .order_by(desc(DocumentRow.id))
        )
        with self.database.read() as session:
            return [_stated(row, name) for row, name in session.exec(query)]


def _newest(session: Session, project_id: int, kind: Kind, series: str) -> DocumentRow | None:
    query = select(DocumentRow).where(
        DocumentRow.project_id == project_id, DocumentRow.kind == kind, DocumentRow.series == series
    )
    return session.exec(query.order_by(desc(DocumentRow.version)).limit(1)).first()


def _keep_labels_out(session: Session) -> None:
    """Let no label be stored meanwhile: SQLite has one writer at a time; a lock of PostgreSQL waits for labels under
    way."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection().execute(text("LOCK TABLE label IN SHARE MODE"))


def _labels(session: Session, criterion_id: int | None) -> int:
    query = select(func.count()).where(LabelRow.criterion_id == criterion_id, LabelRow.kind == "label")
    return session.exec(query).one()


def _stated(row: DocumentRow, criterion: str | None) -> StatedDocument:
    return StatedDocument(
        id=known_id(row.id),
        run_id=row.run_id,
        criterion=criterion or "",
        series=row.series,
        version=row.version,
        hash=row.hash,
        document=json_document(row.document),
        author=row.author,
        note=row.note,
        at=row.at,
    )
