"""Documents that were uploaded for a corpus, read by a job; nothing is in the project before somebody stores it."""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hcat.core.errors import HcatError, StorageError
from hcat.core.faults.work_folder import work_folder
from hcat.core.importers.documents import DocumentFile, read_files, uploaded_files
from hcat.core.project.jobs import Jobs, request_of
from hcat.core.project.open_store import OpenStore
from hcat.core.records.atomic import write_whole
from hcat.core.records.codec import JSON
from hcat.core.records.documents import Document, DocumentProblem
from hcat.core.records.job import JobInfo
from hcat.core.records.project import ProjectInfo
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.corpus_files import CorpusFiles
from hcat.core.types import JsonValue, Progress

FORGOTTEN_AFTER = 2 * 24 * 3600.0
"""Seconds after which files that nobody stored or discarded are deleted."""
_NAMES, _RESULT = "names.json", "result.json"


@dataclass(frozen=True, slots=True)
class ReadingRequest:
    """Files to be read: their folder, their number, and their source."""

    job_kind: ClassVar[str] = "read documents"

    folder: str
    n: int
    source: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Documents read from uploaded files, and problems of files that were left out or read in part."""

    request: ReadingRequest
    documents: tuple[Document, ...]
    problems: tuple[DocumentProblem, ...]


@dataclass(frozen=True)
class Readings:
    """Reads uploads in a folder for each, next to the database."""

    store: OpenStore
    jobs: Jobs

    def start(self, project: ProjectInfo, uploads: Iterable[tuple[str, bytes]], *, source: str) -> JobInfo:
        """Put files by and read them in a process of its own. StorageError where they can't be put by."""
        files = uploaded_files(uploads)
        request = ReadingRequest(uuid.uuid4().hex, len(files), source)
        self._delete_forgotten()
        folder = self._folder(request)
        try:
            folder.mkdir(parents=True)
            for number, file in enumerate(files):
                write_whole(folder / str(number), file.uploaded, private=True)
            write_whole(folder / _NAMES, json.dumps([file.name for file in files]).encode())
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise StorageError(f"the files can't be put by for reading: {error.strerror or error}") from error
        return self.jobs.start(project, request)

    def read(self, request: ReadingRequest, *, on_progress: Callable[[Progress], None] | None = None) -> None:
        """Read the files. What `on_progress` raises ends the work within a second, also within a file.

        HcatError where they are no longer there.
        """
        folder = self._folder(request)
        try:
            names = json.loads((folder / _NAMES).read_bytes())
        except (OSError, ValueError):
            raise HcatError("the uploaded files are no longer there: upload them again") from None
        files = [DocumentFile(str(name), folder / str(number)) for number, name in enumerate(names)]
        documents, problems = read_files(files, on_progress=on_progress)
        result: dict[str, JsonValue] = {
            "documents": self._files(request).write_documents(documents),
            "problems": [JSON.write(problem) for problem in problems],
        }
        write_whole(folder / _RESULT, json.dumps(result).encode())

    def latest(self, project: ProjectInfo) -> Reading | None:
        """Result of the project's last reading; None while it is under way, and after it was stored or discarded."""
        request = self._newest(project)
        if request is None or not (path := self._folder(request) / _RESULT).exists():
            return None
        result = json.loads(path.read_bytes())
        problems = (JSON.read(DocumentProblem, problem, at=_RESULT) for problem in result["problems"])
        return Reading(request, self._files(request).documents(result["documents"]), tuple(problems))

    def discard(self, project: ProjectInfo) -> None:
        """Delete the uploads of the project's last reading; has no effect where that was done."""
        request = self._newest(project)
        if request is not None:
            shutil.rmtree(self._folder(request), ignore_errors=True)

    def _newest(self, project: ProjectInfo) -> ReadingRequest | None:
        jobs = (job for job in self.jobs.all(project) if job.kind == ReadingRequest.job_kind)
        job = next(jobs, None)
        return None if job is None or job.is_active else request_of(job, ReadingRequest)

    def _files(self, request: ReadingRequest) -> CorpusFiles:
        return CorpusFiles(ArtifactStore(str(self._folder(request))))

    def _folder(self, request: ReadingRequest) -> Path:
        return self._root() / uuid.UUID(request.folder).hex  # a name of ours, and no path

    def _root(self) -> Path:
        return work_folder(self.store.settings) / "readings"

    def _delete_forgotten(self) -> None:
        if not self._root().is_dir():
            return
        for folder in self._root().iterdir():
            if time.time() - folder.stat().st_mtime > FORGOTTEN_AFTER:
                shutil.rmtree(folder, ignore_errors=True)
