"""The table of policies that were switched on. Rows are never changed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Text, UniqueConstraint
from sqlmodel import Field

from core.storage.tables.row import Row, UtcDateTime, now


class PolicyRow(Row, table=True):
    __tablename__ = "policy"
    __table_args__ = (UniqueConstraint("criterion_id", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    version: int
    hash: str
    document: dict[str, object] = Field(sa_type=JSON)
    author: str
    reason: str = Field(default="", sa_type=Text)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
