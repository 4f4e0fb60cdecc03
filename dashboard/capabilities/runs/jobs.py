"""Long work under way: its progress, and the buttons to cancel or resume it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.records.job import JobInfo, JobStatus
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Progress
from hcat.core.wording.importing import scoring_forecast_sentence
from hcat.core.wording.jobs.engines import last_engine_sentence, workers_text
from hcat.core.wording.jobs.progress import progress_text
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace

TITLES = {
    "score": "Scoring",
    "topics": "Finding topics",
    "corpus topics": "Finding topics",
    "collect": "Collecting answers",
    "regenerate": "Regenerating answers",
    "generate": "Generating the test set",
    "perturb": "Making variants",
    "attack": "Making attacks",
    "judge": "Judging",
    "distil": "Testing the rubric",
    "judge pairs": "Comparing answers",
    "read documents": "Reading the documents",
    "report": "Building the report",
    "demo": "Making the demo project",
}
WHOLE_OR_NOT = ("generate", "perturb", "attack", "report")
"""Work that stores nothing before all of it is there."""


def job_panel(of: RunInfo | ProjectInfo, *, kinds: Sequence[str]) -> JobStatus | None:
    """The newest job of these kinds for a run, or for a project, while it is of interest; its status, or None."""
    job = _newest(of, kinds)
    if job is None or job.status == "done":
        return None
    if job.is_active:
        _watch(of, tuple(kinds))
    else:
        _ended(job)
    return job.status


def newest_status(of: RunInfo | ProjectInfo, *, kinds: Sequence[str]) -> JobStatus | None:
    """The status of the newest job of these kinds; None if there is none."""
    job = _newest(of, kinds)
    return None if job is None else job.status


def last_engine(of: RunInfo | ProjectInfo, *, kinds: Sequence[str]) -> str:
    """A sentence on the engine of the newest job of these kinds, once it is done; empty before."""
    job = _newest(of, kinds)
    return last_engine_sentence(job) if job is not None and job.status == "done" else ""


def is_under_way(status: JobStatus | None) -> bool:
    """Whether the job is waiting or running."""
    return status in ("queued", "running")


@st.fragment(run_every=0.5)
def _watch(of: RunInfo | ProjectInfo, kinds: tuple[str, ...]) -> None:
    job = _newest(of, kinds)
    if job is None or not job.is_active:
        st.rerun()
    title = TITLES.get(job.kind, job.kind)
    by = f", by {workers_text(job.used)}" if job.used is not None and job.used.name == "ray" else ""
    began = job.started_at or job.created_at
    elapsed = max((datetime.now(UTC) - began).total_seconds(), 0.0)
    share = job.share if job.share is not None else job.done / job.total if job.total else 0.0
    progress = Progress(job.stage or "load", job.done, job.total, job.share)
    with st.container(border=True):
        told = plain(progress_text(progress, elapsed=elapsed))
        st.progress(min(share, 1.0), text=f"**{title} is running{by}.** {told}")
        if job.forecast is not None:
            st.caption(plain(scoring_forecast_sentence(job.forecast)))
        if st.button("Cancel", icon=":material/stop_circle:", key=f"cancel-{job.id}", disabled=job.cancel_requested):
            _cancel(job)


def _cancel(job: JobInfo) -> None:
    try:
        workspace().jobs.cancel(job.id)
    except HcatError as error:
        st.error(sentence(error))


def _ended(job: JobInfo) -> None:
    title = TITLES.get(job.kind, job.kind)
    kept = "Nothing was stored" if job.kind in WHOLE_OR_NOT else "What it had computed is saved"
    if job.status == "failed":
        st.error(f"{title} failed: {plain(job.error or 'no reason was recorded')}")
    elif job.status == "interrupted":
        st.warning(f"{title} was interrupted: its process is gone. {kept}.")
    else:
        st.info(f"{title} was cancelled. {kept}.")
    label = "Try again" if job.status == "failed" else "Begin again" if job.kind in WHOLE_OR_NOT else "Continue"
    if st.button(label, type="primary", icon=":material/play_arrow:", key=f"resume-{job.id}"):
        try:
            workspace().jobs.resume(job.id)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.rerun()


def _newest(of: RunInfo | ProjectInfo, kinds: Sequence[str]) -> JobInfo | None:
    jobs = (job for job in workspace().jobs.all() if job.kind in kinds)
    if isinstance(of, ProjectInfo):
        return next((job for job in jobs if job.project_id == of.id), None)
    return next((job for job in jobs if job.arguments.get("run") == of.id), None)
