"""The table of risk registers: one row a version. Rows are never changed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class RiskRegisterRow(Row, table=True):
    __tablename__ = "risk_register"
    __table_args__ = (UniqueConstraint("project_id", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    version: int
    document: dict[str, object] = Field(sa_type=JSON)
    author: str
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
