"""The table of report versions that were built. Rows are never changed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Text, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class ReportVersionRow(Row, table=True):
    __tablename__ = "report_version"
    __table_args__ = (UniqueConstraint("project_id", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    version: int
    hash: str
    content: str
    artifact: str
    author: str = ""
    note: str = Field(default="", sa_type=Text)
    contents: dict[str, object] = Field(sa_type=JSON)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
