"""Common columns of the tables of versioned things: a name in a project, and versions that are never changed."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class NamedRow(Row):
    """Something that a project has under a name."""

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    name: str
    archived_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class VersionRow(Row):
    """One version of it: its number, its file, and who stored it when."""

    id: int | None = Field(default=None, primary_key=True)
    version: int
    content_hash: str
    artifact: str
    source: str
    actor: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
