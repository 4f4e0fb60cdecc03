"""The database's tables. They hold what people decide; rows never leave this package (see `records`)."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import JSON, DateTime, Dialect, Index, MetaData, Text, UniqueConstraint, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite drops the zone, so it is put back on reading; a naive time is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is not None and value.tzinfo is None:
            raise ValueError("a stored time needs its zone")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """This moment in UTC."""
    return datetime.now(UTC)


class Row(SQLModel):
    """What every table shares: names for its constraints, so that migrations can find them again."""

    metadata = MetaData(naming_convention=NAMES)


class ProjectRow(Row, table=True):
    __tablename__ = "project"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    description: str = ""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class CriterionRow(Row, table=True):
    __tablename__ = "criterion"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    name: str
    levels: list[str] = Field(sa_type=JSON)
    passing: int
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
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class LabelRow(Row, table=True):
    """One entry of the label log: a label, a skip, or the withdrawal of either. Entries are never changed.

    All entries of one (run, criterion, sample, annotator) make a chain: one first entry, each one superseded at most
    once. The last of the chain is what holds.
    """

    __tablename__ = "label"
    __table_args__ = (
        Index(
            "uq_label_first",
            "run_id",
            "criterion_id",
            "sample_id",
            "annotator",
            unique=True,
            sqlite_where=text("supersedes IS NULL"),
            postgresql_where=text("supersedes IS NULL"),
        ),
        Index("ix_label_run_id_criterion_id", "run_id", "criterion_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    sample_id: str
    annotator: str
    kind: str
    level: int | None = None
    rationale: str | None = Field(default=None, sa_type=Text)
    probability: float = 1.0
    queue: str
    seconds: float | None = None
    guideline_version: int
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    supersedes: int | None = Field(default=None, foreign_key="label.id", unique=True)


class QueueRow(Row, table=True):
    """A plan of which samples to label, in which order, drawn with which probability. It is never redrawn."""

    __tablename__ = "label_queue"
    __table_args__ = (UniqueConstraint("run_id", "criterion_id", "kind", "dimension"),)

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    kind: str
    dimension: str = ""
    planned: int
    artifact: str
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
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class JobRow(Row, table=True):
    """Long work in a process of its own. `attempt` counts its starts; `process_started` tells a reused pid."""

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
