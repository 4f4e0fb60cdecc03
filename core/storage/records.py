"""What storage hands out: plain values. Ids are the database's own and mean nothing elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from core.labelling.label_details import NO_DETAILS, LabelDetails
from core.labelling.queue import Purpose, QueueKind, QueueRules
from core.types import JsonValue, LabelSource

JobStatus = Literal["queued", "running", "interrupted", "done", "failed", "cancelled"]
LabelKind = Literal["label", "skip", "cannot_judge", "withdrawn"]


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
    """One entry of the label log. `superseded` is true when a later entry took its place; `restores` is the entry that
    holds again by it, since what came after that one was undone.

    `occurrence` 0 is the annotator's first look at the sample, 1 and up are later ones. Only labels with the purpose
    "estimate" stand for the run; repeats, gold items and opinions on disagreements are measured apart.
    """

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
    occurrence: int = 0
    purpose: Purpose = "estimate"
    details: LabelDetails = NO_DETAILS
    restores: int | None = None
    source: LabelSource = "person"

    @property
    def judged(self) -> bool:
        """Whether the annotator said something of the sample, be it that it can't be judged."""
        return self.kind != "skip"


@dataclass(frozen=True, slots=True)
class GuidelineRecord:
    """One version of a criterion's guideline."""

    version: int
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class QueueInfo:
    """A stored plan of what to label; its items are in the file `artifact`. `planned` counts what was drawn."""

    id: int
    run_id: int
    criterion: str
    kind: QueueKind
    dimension: str | None
    round: int
    planned: int
    rules: QueueRules
    artifact: str
    created_at: datetime

    @property
    def name(self) -> str:
        """What labels of this queue carry, one name a queue of a run and criterion."""
        name = self.kind if self.dimension is None else f"{self.kind} by {self.dimension}"
        return name if self.round == 1 else f"{name}, round {self.round}"


@dataclass(frozen=True, slots=True)
class CriterionExample:
    """A text with the level that it shows, and why. `removed_at` is None while it is shown to annotators."""

    id: int
    text: str
    level: int
    comment: str
    created_at: datetime
    removed_at: datetime | None


@dataclass(frozen=True, slots=True)
class GoldItem:
    """A sample whose right level is known, and how."""

    sample_id: str
    level: int
    rationale: str
    author: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What somebody decided on a sample, over the labels `label_ids`, which all stay."""

    id: int
    run_id: int
    criterion: str
    sample_id: str
    level: int
    rationale: str
    author: str
    label_ids: tuple[int, ...]
    guideline_version: int
    at: datetime
    supersedes: int | None


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
    """A weakness that somebody confirmed, who owns it and until when, and what it rests on: `frozen` names the kept
    selection, whose document has the SHA-256 `frozen_hash`. `slice` is empty where another selection was confirmed."""

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
    owner: str = ""
    due: date | None = None
    frozen: Mapping[str, JsonValue] | None = None
    frozen_hash: str | None = None


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
