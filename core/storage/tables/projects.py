"""The database's tables but those of labelling. They hold what people decide; rows never leave this package."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import JSON, Text, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import NullableJson, Row, UtcDateTime, now


class ProjectRow(Row, table=True):
    __tablename__ = "project"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    description: str = ""
    pseudonym_key: str | None = None
    archived_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class CriterionRow(Row, table=True):
    __tablename__ = "criterion"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    name: str
    levels: list[str] = Field(sa_type=JSON)
    passing: int
    archived_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class GuidelineRow(Row, table=True):
    """Every version of a criterion's guideline: a label says which one its annotator read."""

    __tablename__ = "guideline"
    __table_args__ = (UniqueConstraint("criterion_id", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    criterion_id: int = Field(foreign_key="criterion.id")
    version: int
    text: str = Field(sa_type=Text)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class RunRow(Row, table=True):
    __tablename__ = "run"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    name: str
    content_hash: str
    artifact: str
    n: int
    filename: str
    format: str
    archived_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    key_ring: str | None = None


class ColumnMappingRow(Row, table=True):
    """Mapping of a file's columns that somebody made, found again by the fingerprint of those columns."""

    __tablename__ = "column_mapping"
    __table_args__ = (UniqueConstraint("project_id", "fingerprint"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    fingerprint: str
    mapping: dict[str, object] = Field(sa_type=JSON)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class ScoringRow(Row, table=True):
    """One version of a run's score table. Versions count up, so that two jobs never overwrite each other's metrics."""

    __tablename__ = "scoring"
    __table_args__ = (UniqueConstraint("run_id", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    version: int
    metrics: list[str] = Field(sa_type=JSON)
    artifact: str
    provenance: dict[str, object] = Field(sa_type=JSON)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class TopicsRow(Row, table=True):
    __tablename__ = "topics"

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id", index=True)
    source: str
    artifact: str
    settings: dict[str, object] = Field(sa_type=JSON)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class CalibrationRow(Row, table=True):
    __tablename__ = "calibration"

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id", index=True)
    criterion_id: int = Field(foreign_key="criterion.id")
    document: dict[str, object] = Field(sa_type=JSON)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class FindingRow(Row, table=True):
    __tablename__ = "finding"

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id", index=True)
    run_id: int | None = Field(default=None, foreign_key="run.id")
    title: str
    slice: dict[str, object] = Field(sa_type=JSON)
    evidence: dict[str, object] = Field(sa_type=JSON)
    author: str = ""
    severity: str
    status: str
    comment: str = Field(default="", sa_type=Text)
    owner: str = Field(default="", sa_column_kwargs={"server_default": ""})
    due: date | None = None
    frozen: dict[str, object] | None = Field(default=None, sa_type=NullableJson)
    frozen_hash: str | None = None
    history: list[dict[str, object]] = Field(
        default_factory=list, sa_type=JSON, sa_column_kwargs={"server_default": "[]"}
    )
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class JobRow(Row, table=True):
    """Long work in a process of its own. `attempt` counts its starts; `process_started` identifies a reused pid.

    `engine` does or did the work, with so many `workers`.
    """

    __tablename__ = "job"

    id: int | None = Field(default=None, primary_key=True)
    project_id: int | None = Field(default=None, foreign_key="project.id", index=True)
    kind: str
    arguments: dict[str, object] = Field(sa_type=JSON)
    status: str
    attempt: int = 1
    stage: str = ""
    done: int = 0
    total: int = 0
    share: float | None = None
    engine: str | None = None
    workers: int | None = None
    cancel_requested: bool = False
    host: str | None = None
    pid: int | None = None
    process_started: float | None = None
    heartbeat: datetime | None = Field(default=None, sa_type=UtcDateTime)
    error: str | None = Field(default=None, sa_type=Text)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    queued_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    started_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class HousekeepingRow(Row, table=True):
    """Log of renaming, archiving, restoring and deleting. It refers to no other table, since it outlives what it names.

    A deletion is finished within its own transaction: only while it is not does the database let labels go.
    """

    __tablename__ = "housekeeping"

    id: int | None = Field(default=None, primary_key=True)
    action: str
    kind: str
    item_id: int
    project: str
    name: str
    new_name: str | None = None
    actor: str
    reason: str = Field(default="", sa_type=Text)
    contents: dict[str, object] = Field(sa_type=JSON)
    at: datetime = Field(sa_type=UtcDateTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
