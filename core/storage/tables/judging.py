"""The tables of judges: versions of rubrics, and what judges said of runs."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class RubricRow(Row, table=True):
    __tablename__ = "rubric"
    __table_args__ = (UniqueConstraint("project_id", "name", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    name: str
    version: int
    document: dict[str, object] = Field(sa_type=JSON)
    note: str
    author: str
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class JudgeRunRow(Row, table=True):
    __tablename__ = "judge_run"

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id", index=True)
    work: str
    judge: str
    version: str
    rubric: str
    rubric_version: int
    n: int
    artifact: str
    settings: dict[str, object] = Field(sa_type=JSON)
    usage: dict[str, object] = Field(sa_type=JSON)
    actor: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
