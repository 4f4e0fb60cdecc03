"""Jobs: long work that runs in a process of its own, so that every page can be closed meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from hcat.core.errors import ConflictError
from hcat.core.executors.chosen import check_engine
from hcat.core.jobs.processes import is_alive, launch, stop
from hcat.core.project.actions import Action
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects
from hcat.core.project.topics import Source
from hcat.core.records.codec import JSON
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.job import JobEngine, JobForecast, JobInfo, JobState, Worker
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.stores.jobs import Outcome, is_stale
from hcat.core.topics.choice import AUTOMATIC, TopicChoice
from hcat.core.types import JsonValue, Progress

if TYPE_CHECKING:
    from hcat.core.models.verifier import VerifierChoice

SILENT_TOO_LONG = timedelta(seconds=30)
"""A running job's worker shows life every two seconds; after this long without, it is considered dead."""

REPORT = "report"
"""The kind of the jobs that build reports."""

STARTED_TOO_LONG_AGO = timedelta(seconds=15)
"""A queued job gets its process at once; without one after this long, whoever queued it died."""


class JobRequest(Protocol):
    """Request for a job of a project: a dataclass. `job_kind` names the work of `hcat.core.worker` that reads it."""

    job_kind: ClassVar[str]


Request = TypeVar("Request", bound=JobRequest)


def request_of(job: JobInfo, kind: type[Request]) -> Request:
    """The request that started the job."""
    return JSON.read(kind, dict(job.arguments), at="the job's arguments")


@dataclass(frozen=True)
class Jobs:
    """The jobs of a workspace."""

    store: OpenStore
    projects: Projects

    def start_scoring(
        self,
        run: RunInfo,
        metrics: str | Sequence[str],
        *,
        claims: VerifierChoice | None = None,
        engine: JobEngine | None = None,
    ) -> JobInfo:
        """Score the run in a process of its own, which has `engine` do the work; None for that of the settings, which
        alone say where a cluster is. A job for just that which is under way is given back, whatever its engine.

        MissingExtraError where the engine is not installed, HcatError where there may not be so many workers.
        """
        from hcat.core.metrics.registry import select

        chosen, usual = select(metrics), select("all")
        whole = set(usual) <= set(chosen)
        further = [metric.name for metric in chosen if not whole or metric not in usual]
        names: list[JsonValue] = [*(["all"] if whole else []), *further]
        arguments: dict[str, JsonValue] = {"run": run.id, "metrics": names}
        if claims is not None:
            arguments["claims"] = claims
        if engine is not None:
            check_engine(self.store.settings, engine)
        return self._start("score", arguments, project_id=run.project_id, engine=engine)

    def start_topics(
        self, run: RunInfo | CorpusInfo, *, on: Source = "query", choice: TopicChoice = AUTOMATIC
    ) -> JobInfo:
        """Find the topics of a run, or of a corpus's passages, in a process of its own."""
        if isinstance(run, CorpusInfo):
            which: dict[str, JsonValue] = {"corpus": run.name, "version": run.version, **choice.written()}
            return self._start("corpus topics", which, project_id=run.project_id)
        return self._start("topics", {"run": run.id, "on": on, **choice.written()}, project_id=run.project_id)

    def start_demo(self) -> JobInfo:
        """Make the demo project in a process of its own; what is already there is kept."""
        return self._start("demo", {}, project_id=None)

    def start(self, project: ProjectInfo, request: JobRequest) -> JobInfo:
        """Do what is asked in a process of its own; what it makes is stored at the end."""
        return self._start(request.job_kind, JSON.write_object(request), project_id=project.id)

    def get(self, job_id: int) -> JobInfo:
        """The current state of the job: "interrupted" where its process is gone. NotFoundError when there is none."""
        seen = _shown(self.store.job_table.state(job_id))
        if seen.project_id is not None:
            self.store.access.check_reading("project", seen.project_id)
        return seen

    def all(self, project: ProjectInfo | str | None = None) -> list[JobInfo]:
        """All jobs of one's projects, or one project's, newest first."""
        owner, visible = None if project is None else self.projects.id_of(project), self.store.access.projects()
        shown = (_shown(state) for state in self.store.job_table.states(owner))
        return [job for job in shown if visible is None or job.project_id in visible]

    def cancel(self, job_id: int) -> JobInfo:
        """Stop the job: a waiting or interrupted one at once, a running one at its worker's next step.

        A job that is over stays as it is.
        """
        seen = self.get(job_id)
        if seen.status == "interrupted":
            with self.store.write(self.store.actor, _action("job.cancel", seen.kind), seen.project_id) as write:
                self.store.job_table.abandon(write, seen)
        elif seen.is_active:
            with self.store.write(self.store.actor, _action("job.cancel", seen.kind), seen.project_id) as write:
                self.store.job_table.request_cancel(write, job_id)
        return self.get(job_id)

    def resume(self, job_id: int) -> JobInfo:
        """Start an interrupted, failed or cancelled job again; it goes on from what it had stored.

        ConflictError when it is waiting, running or done, or when somebody resumed it meanwhile.
        """
        state = self.store.job_table.state(job_id)
        seen = _shown(state)
        if seen.status not in ("interrupted", "failed", "cancelled"):
            raise ConflictError(f"job {job_id} is {seen.status}: there is nothing to resume")
        if seen.status == "interrupted" and state.worker is not None and is_alive(state.worker):
            stop(state.worker)
        with self.store.write(self.store.actor, _action("job.resume", seen.kind), seen.project_id) as write:
            requeued = self.store.job_table.requeue(write, seen)
        if not requeued:
            raise ConflictError(f"job {job_id} was resumed or stopped by somebody else meanwhile: look at it again")
        return self._launch(job_id, seen.kind, seen.project_id)

    def claimed(self, job_id: int, worker: Worker) -> JobInfo:
        """The job that this process works on. ConflictError where it is another's."""
        state = self.store.job_table.state(job_id)
        if state.worker != worker:
            raise ConflictError(f"job {job_id} is not this process's own")
        return state.info

    def claim(self, job_id: int, worker: Worker) -> bool:
        """Make this process the job's worker. False when the job is not waiting for one."""
        with self.store.write(worker.name, "job.claim", None) as write:
            return self.store.job_table.claim(write, job_id, worker)

    def beat(
        self,
        job_id: int,
        worker: Worker,
        progress: Progress | None = None,
        *,
        engine: JobEngine | None = None,
        forecast: JobForecast | None = None,
    ) -> bool:
        """Record that the worker is alive, its progress, and, where they are given, which engine does the work and the
        forecast of the job. False when the job is no longer its own."""
        with self.store.write(worker.name, "job.beat", None) as write:
            if forecast is not None and not self.store.job_table.note_forecast(write, job_id, worker, forecast):
                return False
            return self.store.job_table.beat(write, job_id, worker, progress, engine)

    def finish(self, job_id: int, worker: Worker, outcome: Outcome, error: str | None = None) -> bool:
        """Close the job. False when it is no longer this worker's own."""
        with self.store.write(worker.name, "job.finish", None) as write:
            return self.store.job_table.finish(write, job_id, worker, outcome, error)

    def _start(
        self,
        kind: str,
        arguments: Mapping[str, JsonValue],
        *,
        project_id: int | None,
        engine: JobEngine | None = None,
    ) -> JobInfo:
        action, asked = _action("job.start", kind), (kind, project_id, dict(arguments))
        for other in self.all() if self.store.access.may(action, project_id) else ():
            if other.is_active and (other.kind, other.project_id, dict(other.arguments)) == asked:
                return other
        with self.store.write(self.store.actor, action, project_id) as write:
            queued = self.store.job_table.add(
                write, kind, arguments, project_id=project_id, starter=self.store.identity, engine=engine
            )
        return self._launch(queued.id, kind, project_id)

    def _launch(self, job_id: int, kind: str, project_id: int | None) -> JobInfo:
        worker = launch(self.store.settings, job_id)
        with self.store.write(self.store.actor, _action("job.launch", kind), project_id) as write:
            self.store.job_table.launched(write, job_id, worker)
        return self.get(job_id)


def _action(usual: Action, kind: str) -> Action:
    """The action that starting, stopping or resuming such work is: whoever may build reports may also queue a
    report."""
    return "report.queue" if kind == REPORT else usual


def _shown(state: JobState) -> JobInfo:
    if state.info.is_active and _is_gone(state):
        return replace(state.info, status="interrupted")
    return state.info


def _is_gone(state: JobState) -> bool:
    if state.worker is None:
        return is_stale(state, after=STARTED_TOO_LONG_AGO)
    alive = is_alive(state.worker)
    if state.info.status == "queued" and alive is not None:
        return not alive
    return alive is False or is_stale(state, after=SILENT_TOO_LONG)
