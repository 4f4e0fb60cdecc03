"""A worker: claims the job, shows that it is alive, does the work, records how it ended."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from hcat.core.errors import HcatError, StorageError
from hcat.core.executors.chosen import check_engine
from hcat.core.faults.error_log import line_for
from hcat.core.jobs.forecast import log_line
from hcat.core.jobs.processes import this_worker
from hcat.core.project.jobs import Jobs, request_of
from hcat.core.project.topics import Source
from hcat.core.records.job import JobEngine, JobInfo, Worker
from hcat.core.topics.choice import TopicChoice
from hcat.core.types import JsonValue, Progress
from hcat.core.workspace import Workspace

if TYPE_CHECKING:
    from hcat.core.jobs.forecast import Forecast
    from hcat.core.models.verifier import VerifierChoice

REPORT_SECONDS = 0.25
BEAT_SECONDS = 2.0


class JobCancelledError(Exception):
    """A user asked for the job to stop."""


class JobLostError(Exception):
    """The job is no longer this process's own: it was resumed or cancelled elsewhere."""


@dataclass
class Reporter:
    """Writes progress to the job's row a few times a second, and stops the work when it was cancelled or taken over."""

    jobs: Jobs
    job_id: int
    worker: Worker
    _written: float = -REPORT_SECONDS

    def __call__(self, progress: Progress) -> None:
        if time.monotonic() - self._written >= REPORT_SECONDS or progress.done >= progress.total:
            self._written = time.monotonic()
            self.check(progress)

    def tell(self, forecast: Forecast) -> None:
        """Write the needs of the work to the job's row and to its log."""
        sys.stdout.write(f"{log_line(forecast.totals)}\n")
        sys.stdout.flush()
        if not self.jobs.beat(self.job_id, self.worker, forecast=forecast.totals):
            raise JobLostError

    def check(self, progress: Progress | None = None) -> None:
        """Raise JobLostError or JobCancelledError when the work must stop."""
        if not self.jobs.beat(self.job_id, self.worker, progress):
            raise JobLostError
        if self.jobs.get(self.job_id).cancel_requested:
            raise JobCancelledError


Work = Callable[[Workspace, JobInfo, Reporter], None]


def run_job(workspace: Workspace, job_id: int) -> bool:
    """Do the job in this process. False when it was not waiting for a worker; errors are recorded in its row."""
    worker = this_worker()
    workspace = workspace.acting_as(worker.name)
    jobs = workspace.jobs
    if not jobs.claim(job_id, worker):
        return False
    with _Outcome(workspace, job_id, worker), _beating(jobs, job_id, worker):
        info = jobs.claimed(job_id, worker)
        # What the job stores is signed by the person who started it, with their roles; the worker signs only its steps.
        starter = info.starter or workspace.store.identity
        own = _worked_by(workspace.acting_for(starter, actor=info.actor or worker.name), info, worker)
        reporter = Reporter(own.jobs, job_id, worker)
        reporter.check()
        _work(info.kind)(own, info, reporter)
    return True


def _worked_by(workspace: Workspace, job: JobInfo, worker: Worker) -> Workspace:
    """The workspace with work done by the chosen engine, at the settings' own address.

    The engine and its number of workers are recorded once they are started."""

    def note(workers: int) -> None:
        workspace.jobs.beat(job.id, worker, engine=JobEngine("ray", workers))

    if job.asked is None:
        return workspace.worked_by(on_workers=note)
    check_engine(workspace.settings, job.asked)
    return workspace.worked_by(job.asked.name, workers=job.asked.workers, on_workers=note)


def _work(kind: str) -> Work:
    if kind not in WORK:
        raise HcatError(f"this version of hcat has no jobs of the kind {kind!r}: queue it again")
    return WORK[kind]


def _score(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    run = workspace.runs.by_id(_integer(job.arguments["run"]))
    metrics = job.arguments["metrics"]
    names = metrics if isinstance(metrics, str) else [str(name) for name in _list(metrics)]
    claims = job.arguments.get("claims")
    verifier: VerifierChoice | None = "llm" if claims == "llm" else "nli" if claims == "nli" else None
    workspace.scoring.score(run, names, claims=verifier, on_progress=reporter, on_forecast=reporter.tell)


def _topics(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    run = workspace.runs.by_id(_integer(job.arguments["run"]))
    on: Source = "contexts" if job.arguments["on"] == "contexts" else "query"
    workspace.topics.find(run, on=on, choice=TopicChoice.read(job.arguments), on_progress=reporter)


def _corpus_topics(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    project = workspace.projects.by_id(_integer(job.project_id))
    versions = workspace.corpora.versions(project, str(job.arguments["corpus"]))
    wanted = _integer(job.arguments["version"])
    corpus = next(version for version in versions if version.version == wanted)
    workspace.corpus_topics.find(corpus, choice=TopicChoice.read(job.arguments), on_progress=reporter)


def _collect(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.collect.service import CollectionRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    workspace.collections.collect(project, request_of(job, CollectionRequest), on_progress=reporter)


def _regenerate(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.policy.services.regenerations import RegenerationRequest

    workspace.regenerations.regenerate(request_of(job, RegenerationRequest), on_progress=reporter)


def _generate(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.test_sets.services.generation import GenerationRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    workspace.generation.generate(project, request_of(job, GenerationRequest), on_progress=reporter)


def _perturb(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.test_sets.services.generation import VariantsRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    workspace.generation.perturb(project, request_of(job, VariantsRequest), on_progress=reporter)


def _attack(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.attacks.service import AttackRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    workspace.attacks.make(project, request_of(job, AttackRequest), on_progress=reporter)


def _judge(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.judges.services.judges import JudgeRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    request = request_of(job, JudgeRequest)
    workspace.judges.judge(project, workspace.runs.by_id(request.run), request, on_progress=reporter)


def _distil(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.judges.services.rubric_gains import RubricRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    request = request_of(job, RubricRequest)
    workspace.rubric_gains.measure(project, workspace.runs.by_id(request.run), request, on_progress=reporter)


def _judge_pairs(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.judges.services.pair_judgements import PairRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    request = request_of(job, PairRequest)
    workspace.pair_judgements.judge(project, workspace.runs.by_id(request.run), request, on_progress=reporter)


def _read_documents(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.test_sets.services.readings import ReadingRequest

    workspace.readings.read(request_of(job, ReadingRequest), on_progress=reporter)


def _report(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:
    from hcat.core.capabilities.report.services.report_requests import ReportRequest

    project = workspace.projects.by_id(_integer(job.project_id))
    request = request_of(job, ReportRequest)
    workspace.reports.build(
        project,
        author=request.author,
        runs=request.runs,
        chapters=request.chapters,
        template=request.template,
        note=request.note,
        on_progress=reporter,
    )


def _demo(workspace: Workspace, job: JobInfo, reporter: Reporter) -> None:  # noqa: ARG001
    workspace.acting_as("demo").demo.load(on_progress=reporter)


WORK: Mapping[str, Work] = {
    "score": _score,
    "topics": _topics,
    "collect": _collect,
    "regenerate": _regenerate,
    "generate": _generate,
    "perturb": _perturb,
    "attack": _attack,
    "judge": _judge,
    "distil": _distil,
    "judge pairs": _judge_pairs,
    "read documents": _read_documents,
    "corpus topics": _corpus_topics,
    "report": _report,
    "demo": _demo,
}


class _Outcome:
    """Closes the job's row in any case: after a failure with the one line that says what to do."""

    def __init__(self, workspace: Workspace, job_id: int, worker: Worker) -> None:
        self._jobs, self._job_id, self._worker = workspace.jobs, job_id, worker
        self._settings = workspace.settings

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None:
            self._jobs.finish(self._job_id, self._worker, "done")
        elif isinstance(error, JobCancelledError):
            self._jobs.finish(self._job_id, self._worker, "cancelled")
        elif not isinstance(error, JobLostError):
            line = line_for(error, during=f"job {self._job_id}", settings=self._settings)
            self._jobs.finish(self._job_id, self._worker, "failed", line)
            return isinstance(error, Exception)
        return True


@contextmanager
def _beating(jobs: Jobs, job_id: int, worker: Worker) -> Iterator[None]:
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(BEAT_SECONDS):
            try:
                jobs.beat(job_id, worker)
            except StorageError:  # a busy database: the next beat may get through, the work itself would say so
                continue

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _integer(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise HcatError("the job's arguments are damaged: start it again")
    return value


def _list(value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, list):
        raise HcatError("the job's arguments are damaged: start it again")
    return value
