"""Jobs and their workers, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hcat.core.records.people import Identity
from hcat.core.types import JsonValue

JobStatus = Literal["queued", "running", "interrupted", "done", "failed", "cancelled"]
Engine = Literal["local", "ray"]
"""The engine of long work: this process, or the workers of a Ray cluster."""


@dataclass(frozen=True, slots=True)
class JobEngine:
    """An engine and its number of processes; None if the settings decide."""

    name: Engine
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class JobForecast:
    """The most that a job over so many rows takes: seconds of one processor, bytes of memory and of disk."""

    rows: int
    seconds: float
    memory: float
    disk: float


@dataclass(frozen=True, slots=True)
class JobInfo:
    """A long-running job and its progress. `interrupted` means that its process is gone; `resume` starts it again.

    `actor` started it and signs what it stores; empty for a job of an earlier version of hcat. `starter` is the person
    whose roles apply. `forecast` says what it takes, if that was measured on its first part. `asked` is the engine that
    was chosen, None if the settings decide; `used` the one that does or did the work, None before a process started it
    and for a job of an earlier version."""

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
    share: float | None = None
    actor: str = ""
    starter: Identity | None = None
    forecast: JobForecast | None = None
    asked: JobEngine | None = None
    used: JobEngine | None = None

    @property
    def is_active(self) -> bool:
        return self.status in ("queued", "running")


@dataclass(frozen=True, slots=True)
class Worker:
    """A process, distinguished from a later one with the same number by its start time."""

    host: str
    pid: int
    started: float

    @property
    def name(self) -> str:
        """The name under which the worker signs what it writes."""
        return f"worker {self.pid}"


@dataclass(frozen=True, slots=True)
class JobState:
    """A job as stored in its row, with what is needed to decide whether its worker is alive.

    Its times and `read_at` are all by one clock, on any machine."""

    info: JobInfo
    worker: Worker | None
    heartbeat: datetime | None
    queued_at: datetime
    read_at: datetime
