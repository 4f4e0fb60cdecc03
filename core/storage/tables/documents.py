"""The table of what people state in versions. Rows are never changed: the database refuses it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Text, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class DocumentRow(Row, table=True):
    """One version of a document of this kind. Versions count by `series`: the criterion's id, the name of a rubric, or
    nothing where the project has one series."""

    __tablename__ = "document"
    __table_args__ = (UniqueConstraint("project_id", "kind", "series", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    run_id: int | None = Field(default=None, foreign_key="run.id")
    criterion_id: int | None = Field(default=None, foreign_key="criterion.id")
    kind: str
    series: str
    version: int
    hash: str
    document: dict[str, object] = Field(sa_type=JSON)
    author: str
    note: str = Field(sa_type=Text)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
