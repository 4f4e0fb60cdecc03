"""Looks at what labels show of a policy: they are only ever added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select

from hcat.core.records.policy import PolicyLook
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.stores.results import stored
from hcat.core.storage.tables.policies import PolicyLookRow
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue


@dataclass(frozen=True)
class PolicyLookTable:
    """The looks of one database."""

    database: Database

    def add(
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

    def of(self, project_id: int, run_id: int, criterion: str) -> list[PolicyLook]:
        """The looks at a run's labels on the criterion, in the order in which they were made."""
        with self.database.read() as session:
            owner = criterion_row(session, project_id, criterion)
            query = select(PolicyLookRow).where(PolicyLookRow.run_id == run_id, PolicyLookRow.criterion_id == owner.id)
            return [_look(row) for row in session.exec(query.order_by(col(PolicyLookRow.id)))]


def _look(row: PolicyLookRow) -> PolicyLook:
    metrics = row.document.get("metrics")
    names = tuple(map(str, metrics)) if isinstance(metrics, list) else ()
    return PolicyLook(row.statement, names, row.labels, row.labels_hash)
