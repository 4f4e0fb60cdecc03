"""The table of what comparisons of groups were settled on. Rows are never changed: the newest of a project holds."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class FairnessSettingsRow(Row, table=True):
    __tablename__ = "fairness_settings"

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id", index=True)
    settings: dict[str, object] = Field(sa_type=JSON)
    actor: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
