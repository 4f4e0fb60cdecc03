"""Documents that are uploaded and read by a job, which goes on when the page is left."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from hcat.core.capabilities.test_sets.services.readings import Reading, ReadingRequest
from hcat.core.display.numbers import counted
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.loaders.uploads import Upload
from hcat.dashboard.loaders.workspace import workspace

FORMATS = "Markdown, text, HTML, PDF, Word (.docx), CSV, JSON Lines, or a zip archive of these"
_STARTED, _READING, _UPLOADS = "corpus-started", "corpus-reading", "corpus-uploads"


def documents_read(project: ProjectInfo, *, folder: bool) -> Reading | None:
    """The uploader, the progress of the reading, and its result; None before."""
    uploads = st.file_uploader(
        "Folder with documents" if folder else "Documents",
        accept_multiple_files="directory" if folder else True,
        key=uploader_key("folder" if folder else "files"),
        help=f"{FORMATS}. Each file is read in a process of its own with limits on memory and time.",
    )
    chosen = tuple(upload.file_id for upload in uploads)
    if chosen and chosen != st.session_state.get(_STARTED):
        with st.spinner("Handing the files over …"):
            contents = ((upload.name, upload.getvalue()) for upload in uploads)
            workspace().readings.start(project, contents, source=_source(uploads))
        st.session_state[_STARTED] = chosen
    if is_under_way(job_panel(project, kinds=(ReadingRequest.job_kind,))):
        st.caption("This page can be left meanwhile: what was read is shown here when you come back.")
        return None
    return _latest(project)


def uploader_key(source: str) -> str:
    """Another one after each corpus that was stored or discarded, so that the uploader is empty then."""
    return f"corpus-upload-{source}-{st.session_state.get(_UPLOADS, 0)}"


def forget_reading(project: ProjectInfo) -> None:
    """Delete what was read, and empty the uploader."""
    workspace().readings.discard(project)
    st.session_state.pop(_READING, None)
    st.session_state.pop(_STARTED, None)
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1


def _latest(project: ProjectInfo) -> Reading | None:
    """Read from the disk once for each job."""
    newest = next((job.id for job in workspace().jobs.all(project) if job.kind == ReadingRequest.job_kind), None)
    if newest is None:
        return None
    cached: tuple[int, Reading | None] | None = st.session_state.get(_READING)
    if cached is None or cached[0] != newest or cached[1] is None:
        cached = (newest, workspace().readings.latest(project))
        st.session_state[_READING] = cached
    return cached[1]


def _source(uploads: Sequence[Upload]) -> str:
    """The name of the file or of the folder that contains all files, else the number of files."""
    folders = {upload.name.partition("/")[0] for upload in uploads if "/" in upload.name}
    if len(uploads) == 1:
        return uploads[0].name
    return folders.pop() if len(folders) == 1 else counted(len(uploads), "file")
