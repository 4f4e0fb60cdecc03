"""What comparisons of groups were settled on, and when."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import desc, select

from hcat.core.records.codec import JSON
from hcat.core.records.fairness import FairnessSettings, SettledFairness
from hcat.core.storage.database import Database
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.tables.fairness import FairnessSettingsRow
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class FairnessSettingsTable:
    """The settings of one database's projects."""

    database: Database

    def add(self, write: Write, project_id: int, settings: FairnessSettings) -> SettledFairness:
        """The newest settings of a project."""
        with write.transaction() as session:
            row = FairnessSettingsRow(
                project_id=project_id,
                settings=stored(JSON.write_object(settings)),
                actor=write.actor,
                created_at=write.at,
            )
            session.add(row)
            session.flush()
            return _record(row)

    def all(self, project_id: int) -> list[SettledFairness]:
        """Every one that was settled on, newest first."""
        query = select(FairnessSettingsRow).where(FairnessSettingsRow.project_id == project_id)
        with self.database.read() as session:
            return [_record(row) for row in session.exec(query.order_by(desc(FairnessSettingsRow.id)))]


def _record(row: FairnessSettingsRow) -> SettledFairness:
    settings = JSON.read(FairnessSettings, json_document(row.settings))
    return SettledFairness(settings, row.actor, row.created_at)
