"""The table of plans that were registered before labelling. Rows are never changed: the database refuses it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class PreregistrationRow(Row, table=True):
    __tablename__ = "preregistration"
    __table_args__ = (UniqueConstraint("criterion_id", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    version: int
    hash: str
    document: dict[str, object] = Field(sa_type=JSON)
    author: str
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
