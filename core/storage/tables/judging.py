"""The table of what judges said of runs."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


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
