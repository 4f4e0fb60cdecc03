"""Plans that were registered before labelling: each new one gets the next number, and none is ever changed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select

from hcat.core.errors import ConflictError, StorageError
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.preregistration import Plan, RegisteredPlan, plan_document, read_plan
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.tables.labelling import LabelRow
from hcat.core.storage.tables.preregistrations import PreregistrationRow
from hcat.core.storage.tables.projects import CriterionRow
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class PreregistrationTable:
    """The registered plans of one database."""

    database: Database

    def add(self, write: Write, project_id: int, plan: Plan, *, guideline_version: int, author: str) -> RegisteredPlan:
        """The next plan on its criterion, with the number of labels that there are. No label comes in between: the
        transaction has the right to write alone. ConflictError where somebody else registered one meanwhile."""
        try:
            with write.transaction() as session:
                _keep_labels_out(session)
                owner = known_id(criterion_row(session, project_id, plan.criterion).id)
                newest = _newest(session, owner)
                document = plan_document(
                    plan,
                    version=1 if newest is None else newest.version + 1,
                    guideline_version=guideline_version,
                    author=author,
                    labels_before=_labels(session, owner),
                    supersedes="" if newest is None else newest.hash,
                    at=write.at,
                )
                registered = read_plan(document, criterion=plan.criterion)
                row = PreregistrationRow(
                    project_id=project_id,
                    criterion_id=owner,
                    version=registered.version,
                    hash=registered.hash,
                    document=stored(document),
                    author=author,
                    at=write.at,
                )
                session.add(row)
                session.flush()
                return registered
        except IntegrityError as error:
            raise ConflictError("somebody else has registered a plan meanwhile: look at it, then decide") from error

    def all(self, project_id: int) -> list[RegisteredPlan]:
        """The project's plans on all criteria, oldest first. StorageError for one that is not what was registered."""
        query = (
            select(PreregistrationRow, CriterionRow.name)
            .join(CriterionRow, col(CriterionRow.id) == col(PreregistrationRow.criterion_id))
            .where(PreregistrationRow.project_id == project_id)
            .order_by(col(PreregistrationRow.id))
        )
        with self.database.read() as session:
            return [_checked(row, name) for row, name in session.exec(query)]


def _keep_labels_out(session: Session) -> None:
    """SQLite has one writer at a time; PostgreSQL is told to wait for labels under way, and to let none begin."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection().execute(text("LOCK TABLE label IN SHARE MODE"))


def _labels(session: Session, criterion_id: int) -> int:
    query = select(func.count()).where(LabelRow.criterion_id == criterion_id, LabelRow.kind == "label")
    return session.exec(query).one()


def _newest(session: Session, criterion_id: int) -> PreregistrationRow | None:
    query = select(PreregistrationRow).where(PreregistrationRow.criterion_id == criterion_id)
    return session.exec(query.order_by(desc(PreregistrationRow.version)).limit(1)).first()


def _checked(row: PreregistrationRow, criterion: str) -> RegisteredPlan:
    document = json_document(row.document)
    if sha256_of_json(document) != row.hash:
        raise StorageError(
            f"plan {row.version} on {criterion} is not what was registered: restore the database from a backup"
        )
    return read_plan(document, criterion=criterion)
