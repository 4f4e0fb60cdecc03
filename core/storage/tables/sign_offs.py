"""The table of signatures on reports. Rows are never changed: the database refuses it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Text, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class SignatureRow(Row, table=True):
    __tablename__ = "signature"
    __table_args__ = (UniqueConstraint("report_version_id", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    report_version_id: int = Field(foreign_key="report_version.id")
    position: int
    step: str
    author: str
    comment: str = Field(default="", sa_type=Text)
    condition: str = Field(default="", sa_type=Text)
    report_hash: str
    basis: dict[str, str] = Field(sa_type=JSON)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
