"""Long work under way: its progress, and the buttons to cancel or resume it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import HcatError
from core.records.job import JobInfo
from core.records.project import RunInfo
from dashboard.components.markdown import plain, sentence
from dashboard.loaders import workspace

TITLES = {"score": "Scoring", "topics": "Finding topics", "demo": "Making the demo project"}


def job_panel(run: RunInfo, *, kinds: Sequence[str]) -> bool:
    """The run's newest job of these kinds, as long as it is of interest. True while it is under way."""
    job = _newest(run, kinds)
    if job is None:
        return False
    if job.is_active:
        _watch(run, tuple(kinds))
    else:
        _ended(job)
    return job.is_active


@st.fragment(run_every=0.5)
def _watch(run: RunInfo, kinds: tuple[str, ...]) -> None:
    job = _newest(run, kinds)
    if job is None or not job.is_active:
        st.rerun()
    share = job.done / job.total if job.total else 0.0
    title = TITLES.get(job.kind, job.kind)
    detail = f"{job.stage}: {job.done:,} of {job.total:,}" if job.total else "starting: the model is being loaded"
    with st.container(border=True):
        st.progress(min(share, 1.0), text=f"{title} — {detail}")
        if st.button("Cancel", icon=":material/stop_circle:", key=f"cancel-{job.id}", disabled=job.cancel_requested):
            workspace().jobs.cancel(job.id)


def _ended(job: JobInfo) -> None:
    title = TITLES.get(job.kind, job.kind)
    if job.status == "done":
        return
    if job.status == "failed":
        st.error(f"{title} failed: {plain(job.error or 'no reason was recorded')}")
    elif job.status == "interrupted":
        st.warning(f"{title} was interrupted: its process is gone. What it had computed is saved.")
    else:
        st.info(f"{title} was cancelled. What it had computed is saved.")
    if st.button("Resume", icon=":material/play_arrow:", key=f"resume-{job.id}"):
        try:
            workspace().jobs.resume(job.id)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.rerun()


def _newest(run: RunInfo, kinds: Sequence[str]) -> JobInfo | None:
    mine = (job for job in workspace().jobs.all() if job.kind in kinds and job.arguments.get("run") == run.id)
    return next(mine, None)
