"""Jobs: long work that runs in a process of its own, so that every page can be closed meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from core.errors import ConflictError
from core.jobs.processes import is_alive, launch, stop
from core.storage.records import JobInfo, ProjectInfo, RunInfo
from core.storage.stores.jobs import JobState, is_stale
from core.types import JsonValue
from core.workspace.projects import project_id
from core.workspace.topics import Source

if TYPE_CHECKING:
    from core.models.verifier import VerifierChoice
    from core.workspace import Workspace

SILENT_TOO_LONG = timedelta(seconds=30)
"""A running job's worker shows life every two seconds; after this long it is taken for dead."""
STARTED_TOO_LONG_AGO = timedelta(seconds=15)
"""A queued job gets its process at once; without one after this long, whoever queued it died."""


def start_scoring(
    workspace: Workspace, run: RunInfo, metrics: str | Sequence[str], *, claims: VerifierChoice | None = None
) -> JobInfo:
    """Score the run in a process of its own. A job for just that which is under way is given back."""
    from core.metrics.registry import METRICS, select

    chosen = select(metrics)
    names: list[JsonValue] = ["all"] if chosen == METRICS else [metric.name for metric in chosen]
    arguments: dict[str, JsonValue] = {"run": run.id, "metrics": names}
    if claims is not None:
        arguments["claims"] = claims
    return _start(workspace, "score", arguments, project_id=run.project_id)


def start_topics(workspace: Workspace, run: RunInfo, *, on: Source = "query") -> JobInfo:
    """Find the run's topics in a process of its own."""
    return _start(workspace, "topics", {"run": run.id, "on": on}, project_id=run.project_id)


def start_demo(workspace: Workspace) -> JobInfo:
    """Make the demo project in a process of its own; what is already there is kept."""
    return _start(workspace, "demo", {}, project_id=None)


def job(workspace: Workspace, job_id: int) -> JobInfo:
    """The job as it stands: "interrupted" where its process is gone. NotFoundError when there is none."""
    return _shown(workspace.job_table.state(job_id))


def jobs(workspace: Workspace, project: ProjectInfo | str | None = None) -> list[JobInfo]:
    """All jobs, or one project's, newest first."""
    owner = None if project is None else project_id(workspace, project)
    return [_shown(state) for state in workspace.job_table.states(owner)]


def cancel(workspace: Workspace, job_id: int) -> JobInfo:
    """Stop the job: a waiting or interrupted one at once, a running one at its worker's next step.

    A job that is over stays as it is.
    """
    seen = job(workspace, job_id)
    if seen.status == "interrupted":
        workspace.job_table.abandon(seen)
    elif seen.is_active:
        workspace.job_table.request_cancel(job_id)
    return job(workspace, job_id)


def resume(workspace: Workspace, job_id: int) -> JobInfo:
    """Start an interrupted, failed or cancelled job again; it goes on from what it had stored.

    ConflictError when it is waiting, running or done, or when somebody resumed it meanwhile.
    """
    state = workspace.job_table.state(job_id)
    seen = _shown(state)
    if seen.status not in ("interrupted", "failed", "cancelled"):
        raise ConflictError(f"job {job_id} is {seen.status}: there is nothing to resume")
    if seen.status == "interrupted" and state.worker is not None and is_alive(state.worker):
        stop(state.worker)
    if not workspace.job_table.requeue(seen):
        raise ConflictError(f"job {job_id} was resumed or stopped by somebody else meanwhile: look at it again")
    return _launch(workspace, job_id)


def _start(workspace: Workspace, kind: str, arguments: Mapping[str, JsonValue], *, project_id: int | None) -> JobInfo:
    for other in jobs(workspace):
        if other.is_active and (other.kind, dict(other.arguments)) == (kind, dict(arguments)):
            return other
    return _launch(workspace, workspace.job_table.add(kind, arguments, project_id=project_id).id)


def _launch(workspace: Workspace, job_id: int) -> JobInfo:
    workspace.job_table.launched(job_id, launch(workspace.settings, job_id))
    return job(workspace, job_id)


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
