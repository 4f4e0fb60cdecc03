"""The jobs table. Every step of a job's life is one conditional UPDATE, so that two processes never both take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, cast

from sqlalchemy import ColumnElement, CursorResult, and_, or_, text
from sqlmodel import Session, col, desc, select, update

from hcat.core.errors import NotFoundError
from hcat.core.records.codec import JSON
from hcat.core.records.job import JobEngine, JobForecast, JobInfo, JobState, JobStatus, Worker
from hcat.core.records.people import Identity
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.results import json_document
from hcat.core.storage.tables.projects import JobRow
from hcat.core.storage.tables.row import now
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue, Progress

Outcome = Literal["done", "failed", "cancelled"]
AT_THIS_MOMENT = object()
"""Placeholder for the time of a change, by the clock of the database."""
_ACTOR, _STARTER, _FORECAST, _ENGINE = "started by", "started for", "forecast", "engine chosen"
"""Keys of the arguments in a job's row that name who started it, the identity whose roles bind it, its forecast, and
the engine that is to do it."""
_OWN = frozenset({_ACTOR, _STARTER, _FORECAST, _ENGINE})


@dataclass(frozen=True)
class JobTable:
    """The jobs of one database."""

    database: Database

    def add(
        self,
        write: Write,
        kind: str,
        arguments: Mapping[str, JsonValue],
        *,
        project_id: int | None,
        starter: Identity | None = None,
        engine: JobEngine | None = None,
    ) -> JobInfo:
        """A new job, queued."""
        signed: dict[str, object] = {**arguments, _ACTOR: write.actor}
        if starter is not None:
            signed[_STARTER] = [starter.issuer, starter.subject, starter.name]
        if engine is not None:
            signed[_ENGINE] = [engine.name, engine.workers]
        with write.transaction() as session:
            at = database_time(session)
            row = JobRow(kind=kind, arguments=signed, status="queued", project_id=project_id, queued_at=at)
            session.add(row)
            session.flush()
            return _state(row, at).info

    def state(self, job_id: int) -> JobState:
        """The current state of the job, or NotFoundError."""
        with self.database.read() as session:
            row = session.get(JobRow, job_id)
            if row is None:
                raise NotFoundError(f"there is no job with id {job_id}")
            return _state(row, database_time(session))

    def states(self, project_id: int | None = None) -> list[JobState]:
        """All jobs, or one project's, newest first."""
        query = select(JobRow).order_by(desc(JobRow.id))
        if project_id is not None:
            query = query.where(JobRow.project_id == project_id)
        with self.database.read() as session:
            at = database_time(session)
            return [_state(row, at) for row in session.exec(query)]

    def claim(self, write: Write, job_id: int, worker: Worker) -> bool:
        """Make this process the job's worker, which does the work by itself until it says otherwise.

        False when the job is not waiting for one.
        """
        return self._change(
            write,
            and_(col(JobRow.id) == job_id, col(JobRow.status) == "queued"),
            {
                "status": "running",
                "host": worker.host,
                "pid": worker.pid,
                "process_started": worker.started,
                "heartbeat": AT_THIS_MOMENT,
                "started_at": now(),
                "engine": "local",
                "workers": 1,
                "error": None,
            },
        )

    def launched(self, write: Write, job_id: int, worker: Worker) -> bool:
        """Note which process was started for a waiting job, so that its early death is seen."""
        return self._change(
            write,
            and_(col(JobRow.id) == job_id, col(JobRow.status) == "queued"),
            {"host": worker.host, "pid": worker.pid, "process_started": worker.started},
        )

    def beat(
        self,
        write: Write,
        job_id: int,
        worker: Worker,
        progress: Progress | None = None,
        engine: JobEngine | None = None,
    ) -> bool:
        """Show that the worker lives, how far it is, and which engine does the work. False when the job is no longer
        its own."""
        values: dict[str, object] = {"heartbeat": AT_THIS_MOMENT}
        if progress is not None:
            values |= {"stage": progress.stage, "done": progress.done, "total": progress.total, "share": progress.share}
        if engine is not None:
            values |= {"engine": engine.name, "workers": engine.workers}
        return self._change(write, _owned(job_id, worker), values)

    def note_forecast(self, write: Write, job_id: int, worker: Worker, forecast: JobForecast) -> bool:
        """Write down what the job takes. False when the job is no longer the worker's own."""
        with write.transaction() as session:
            row = session.exec(select(JobRow).where(_owned(job_id, worker))).one_or_none()
            if row is not None:
                row.arguments = {**row.arguments, _FORECAST: JSON.write_object(forecast)}
            return row is not None

    def finish(self, write: Write, job_id: int, worker: Worker, outcome: Outcome, error: str | None = None) -> bool:
        """Close the job. False when it is no longer this worker's own."""
        return self._change(write, _owned(job_id, worker), {"status": outcome, "error": error, "finished_at": now()})

    def request_cancel(self, write: Write, job_id: int) -> bool:
        """Cancel a waiting job at once, ask a running one's worker to stop. False when there is nothing to stop."""
        waiting = and_(col(JobRow.id) == job_id, col(JobRow.status) == "queued")
        running = and_(col(JobRow.id) == job_id, col(JobRow.status) == "running")
        return self._change(
            write, waiting, {"status": "cancelled", "cancel_requested": True, "finished_at": now()}
        ) or self._change(write, running, {"cancel_requested": True})

    def abandon(self, write: Write, seen: JobInfo) -> bool:
        """Cancel a job whose worker is gone. False when somebody changed it since it was seen."""
        return self._change(
            write, _unchanged(seen), {"status": "cancelled", "cancel_requested": True, "finished_at": now()}
        )

    def requeue(self, write: Write, seen: JobInfo) -> bool:
        """Queue a job once more. False when somebody changed it since it was seen."""
        return self._change(
            write,
            _unchanged(seen),
            {
                "status": "queued",
                "attempt": seen.attempt + 1,
                "cancel_requested": False,
                "host": None,
                "pid": None,
                "process_started": None,
                "heartbeat": None,
                "error": None,
                "queued_at": AT_THIS_MOMENT,
                "stage": "",
                "done": 0,
                "total": 0,
                "share": None,
                "engine": None,
                "workers": None,
                "finished_at": None,
            },
        )

    def _change(self, write: Write, where: ColumnElement[bool], values: Mapping[str, object]) -> bool:
        with write.transaction() as session:
            if AT_THIS_MOMENT in values.values():
                at = database_time(session)
                values = {name: at if value is AT_THIS_MOMENT else value for name, value in values.items()}
            result = cast("CursorResult[tuple[()]]", session.exec(update(JobRow).where(where).values(**values)))
            return result.rowcount == 1


def is_stale(state: JobState, *, after: timedelta) -> bool:
    """Whether nothing was heard of the job for that long."""
    return state.read_at - (state.heartbeat or state.queued_at) > after


def database_time(session: Session) -> datetime:
    """This moment by the clock that all who use the database share: the server's, or this machine's of a file."""
    if session.get_bind().dialect.name != "postgresql":
        return now()
    at: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    return at


def _owned(job_id: int, worker: Worker) -> ColumnElement[bool]:
    return and_(
        col(JobRow.id) == job_id,
        col(JobRow.status) == "running",
        col(JobRow.host) == worker.host,
        col(JobRow.pid) == worker.pid,
        col(JobRow.process_started) == worker.started,
    )


def _unchanged(seen: JobInfo) -> ColumnElement[bool]:
    stored = ("queued", "running") if seen.status == "interrupted" else (seen.status,)
    return and_(
        col(JobRow.id) == seen.id,
        col(JobRow.attempt) == seen.attempt,
        or_(*(col(JobRow.status) == status for status in stored)),
    )


def _state(row: JobRow, read_at: datetime) -> JobState:
    worker = None
    if row.host is not None and row.pid is not None and row.process_started is not None:
        worker = Worker(row.host, row.pid, row.process_started)
    return JobState(_info(row), worker, row.heartbeat, row.queued_at, read_at)


def _info(row: JobRow) -> JobInfo:
    signed = json_document(row.arguments)
    return JobInfo(
        id=known_id(row.id),
        project_id=row.project_id,
        kind=row.kind,
        arguments={name: value for name, value in signed.items() if name not in _OWN},
        status=cast("JobStatus", row.status),
        attempt=row.attempt,
        stage=row.stage,
        done=row.done,
        total=row.total,
        cancel_requested=row.cancel_requested,
        pid=row.pid,
        error=row.error,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        share=row.share,
        actor=str(signed.get(_ACTOR, "")),
        starter=_identity(signed.get(_STARTER)),
        forecast=None if _FORECAST not in signed else JSON.read(JobForecast, signed[_FORECAST], at="a job's forecast"),
        asked=_engine(signed.get(_ENGINE)),
        used=_engine([row.engine, row.workers]),
    )


def _identity(stored: object) -> Identity | None:
    return Identity(*(str(part) for part in stored)) if isinstance(stored, list) and len(stored) == 3 else None


def _engine(stored: object) -> JobEngine | None:
    match stored:
        case ["local" | "ray" as name, int() | None as workers]:
            return JobEngine(name, workers)
    return None
