"""Policies that were switched on, and looks at what labels show of one: both are only ever added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, desc, select

from hcat.core.errors import ConflictError
from hcat.core.records.policy import PolicyLook, PolicyRecord
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.tables.policies import PolicyLookRow, PolicyRow
from hcat.core.storage.tables.projects import CriterionRow
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue


@dataclass(frozen=True)
class PolicyTable:
    """The policies of one database."""

    database: Database

    def add(
        self,
        write: Write,
        project_id: int,
        run_id: int,
        criterion: str,
        *,
        hash: str,  # noqa: A002
        document: Mapping[str, JsonValue],
        author: str,
        reason: str,
    ) -> PolicyRecord:
        """The next version of the policy on the criterion; ConflictError where somebody else took its number."""
        try:
            with write.transaction() as session:
                owner = known_id(criterion_row(session, project_id, criterion).id)
                newest = session.exec(
                    select(PolicyRow.version).where(PolicyRow.criterion_id == owner).order_by(desc(PolicyRow.version))
                ).first()
                row = PolicyRow(
                    run_id=run_id,
                    criterion_id=owner,
                    version=(newest or 0) + 1,
                    hash=hash,
                    document=stored(document),
                    author=author,
                    reason=reason,
                    at=write.at,
                )
                session.add(row)
                session.flush()
                return _policy(row, criterion)
        except IntegrityError as error:
            raise ConflictError("somebody else has switched a policy on meanwhile: look at it, then decide") from error

    def add_look(
        self,
        write: Write,
        project_id: int,
        run_id: int,
        criterion: str,
        look: PolicyLook,
        document: Mapping[str, JsonValue],
    ) -> None:
        """Note that somebody looks; the first time is what counts."""
        with write.transaction() as session:
            row = {
                "run_id": run_id,
                "criterion_id": known_id(criterion_row(session, project_id, criterion).id),
                "statement": look.statement,
                "document": stored({**document, "metrics": [*look.metrics]}),
                "labels_hash": look.labels_hash,
                "labels": look.labels,
                "actor": write.actor,
                "at": write.at,
            }
            insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
            session.execute(insert(PolicyLookRow).on_conflict_do_nothing(), [row])

    def looks(self, project_id: int, run_id: int, criterion: str) -> list[PolicyLook]:
        """The looks at a run's labels on the criterion, in the order in which they were made."""
        with self.database.read() as session:
            owner = criterion_row(session, project_id, criterion)
            query = select(PolicyLookRow).where(PolicyLookRow.run_id == run_id, PolicyLookRow.criterion_id == owner.id)
            return [_look(row) for row in session.exec(query.order_by(col(PolicyLookRow.id)))]

    def all(self, project_id: int) -> list[PolicyRecord]:
        """The project's policies on all criteria, newest first."""
        query = (
            select(PolicyRow, CriterionRow.name)
            .join(CriterionRow, col(CriterionRow.id) == col(PolicyRow.criterion_id))
            .where(CriterionRow.project_id == project_id)
            .order_by(desc(PolicyRow.id))
        )
        with self.database.read() as session:
            return [_policy(row, name) for row, name in session.exec(query)]


def _policy(row: PolicyRow, criterion: str) -> PolicyRecord:
    return PolicyRecord(
        known_id(row.id),
        row.run_id,
        criterion,
        row.version,
        row.hash,
        json_document(row.document),
        row.author,
        row.reason,
        row.at,
    )


def _look(row: PolicyLookRow) -> PolicyLook:
    metrics = row.document.get("metrics")
    names = tuple(map(str, metrics)) if isinstance(metrics, list) else ()
    return PolicyLook(row.statement, names, row.labels, row.labels_hash)
