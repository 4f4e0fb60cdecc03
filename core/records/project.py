"""The contents of a project besides labels, as plain values. Ids are the database's own and mean nothing elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """One system under validation."""

    id: int
    name: str
    description: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A stored run.

    `content_hash` identifies its samples wherever their numbers go, `artifact` is the file that contains them, and
    `key_ring` the keys of its texts.
    """

    id: int
    project_id: int
    name: str
    content_hash: str
    artifact: str
    n: int
    filename: str
    format: str
    created_at: datetime
    key_ring: str


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """A user's mapping of a file's columns (see `hcat.core.importers.mapping`), and when it was made."""

    mapping: Mapping[str, str]
    at: datetime


@dataclass(frozen=True, slots=True)
class GuidelineRecord:
    """One version of a criterion's guideline."""

    version: int
    text: str
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
    """Topics found in a run. `source` says in which texts: its queries or its contexts."""

    id: int
    run_id: int
    source: str
    artifact: str
    settings: Mapping[str, JsonValue]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CalibrationRecord:
    """A saved calibration, as its document."""

    id: int
    run_id: int
    criterion: str
    document: Mapping[str, JsonValue]
    created_at: datetime


WITHDRAWN = "withdrawn"
"""The status of a finding that was withdrawn, with a reason: it is stored, and no longer counts."""
REASON = "reason for withdrawal"


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A change of one part of a finding.

    `part` is its title, status, severity, owner, due date or comment, or the reason for its withdrawal."""

    at: datetime
    author: str
    part: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A confirmed weakness, with its owner, due date and evidence.

    `frozen` names the saved selection, whose document has the SHA-256 `frozen_hash`. `slice` is empty if another
    selection was confirmed."""

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
    history: tuple[FindingChange, ...] = ()

    @property
    def withdrawal(self) -> FindingChange | None:
        """The change that withdrew it, with person, time and, in `after`, the reason; None if it is not withdrawn."""
        if self.status != WITHDRAWN:
            return None
        return next((change for change in reversed(self.history) if change.part == REASON), None)
