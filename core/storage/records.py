"""What storage hands out: plain values. Ids are the database's own and mean nothing elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.types import JsonValue

JobStatus = Literal["queued", "running", "interrupted", "done", "failed", "cancelled"]
LabelKind = Literal["label", "skip", "withdrawn"]
QueueKind = Literal["random", "stratified"]


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """One system under validation."""

    id: int
    name: str
    description: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A stored run. `content_hash` names its samples wherever their numbers go, `artifact` the file that holds them."""

    id: int
    project_id: int
    name: str
    content_hash: str
    artifact: str
    n: int
    filename: str
    format: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """What a user made of a file's columns (see `core.importers.mapping`), and when."""

    mapping: Mapping[str, str]
    at: datetime


@dataclass(frozen=True, slots=True)
class LabelRecord:
    """One entry of the label log. `superseded` is true when a later entry took its place."""

    id: int
    run_id: int
    sample_id: str
    criterion: str
    annotator: str
    kind: LabelKind
    level: int | None
    rationale: str | None
    probability: float
    queue: str
    seconds: float | None
    guideline_version: int
    at: datetime
    supersedes: int | None
    superseded: bool


@dataclass(frozen=True, slots=True)
class GuidelineRecord:
    """One version of a criterion's guideline."""

    version: int
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class QueueInfo:
    """A stored plan of what to label; its items are in the file `artifact`."""

    id: int
    kind: QueueKind
    dimension: str | None
    planned: int
    artifact: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ScoringInfo:
    """One version of a run's score table."""

    id: int
    run_id: int
    version: int
    metrics: tuple[str, ...]
    artifact: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TopicsInfo:
    """Topics found in a run. `source` says in what: its queries or its contexts."""

    id: int
    run_id: int
    source: str
    artifact: str
    settings: Mapping[str, JsonValue]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CalibrationRecord:
    """A calibration that somebody kept, as its document."""

    id: int
    run_id: int
    criterion: str
    document: Mapping[str, JsonValue]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Finding:
    """A weakness that somebody confirmed, with the table or chart that shows it."""

    id: int
    project_id: int
    run_id: int | None
    title: str
    slice: Mapping[str, JsonValue]
    evidence: Mapping[str, JsonValue]
    severity: str
    status: str
    comment: str
    author: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class JobInfo:
    """Long work and how far it has come. `interrupted` means that its process is gone; `resume` starts it again."""

    id: int
    project_id: int | None
    kind: str
    arguments: Mapping[str, JsonValue]
    status: JobStatus
    attempt: int
    stage: str
    done: int
    total: int
    cancel_requested: bool
    pid: int | None
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def is_active(self) -> bool:
        return self.status in ("queued", "running")
