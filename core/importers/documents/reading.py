"""Reads files one by one, each in a limited process, and collects their problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.documents.parse import FORMATS, suffix
from hcat.core.importers.documents.process import DocumentProcess
from hcat.core.importers.documents.sources import SHOWN_FORMATS, DocumentFile, files_at, unpacked
from hcat.core.importers.limits import Limits
from hcat.core.records.documents import Document, DocumentProblem
from hcat.core.types import OnProgress, Progress


def read_documents(
    paths: Iterable[Path], *, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> tuple[tuple[Document, ...], tuple[DocumentProblem, ...]]:
    """The documents of files and folders, and the problems of those that were left out or read in part.

    HcatError for a path that does not exist."""
    return read_files(files_at(paths), limits=limits, on_progress=on_progress)


def read_files(
    files: Sequence[DocumentFile], *, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> tuple[tuple[Document, ...], tuple[DocumentProblem, ...]]:
    """The documents of these files, as `read_documents`.

    `on_progress` is called repeatedly while one file takes long; an exception that it raises ends the work."""
    limits = limits or Limits.from_settings()
    documents: list[Document] = []
    problems: list[DocumentProblem] = []
    with DocumentProcess(limits) as process:
        for number, file in enumerate(files):
            show = None if on_progress is None else partial(on_progress, Progress("documents", number, len(files)))
            if show is not None:
                show()
            for inner in unpacked(file, limits):
                try:
                    read, note = _read(inner, process, limits, show)
                except (FileFormatError, LimitError) as error:
                    problems.append(DocumentProblem(inner.name, str(error)))
                    continue
                documents.extend(read)
                if note:
                    problems.append(DocumentProblem(inner.name, note, left_out=False))
    return tuple(documents), (*problems, *_repeated(documents))


def _read(
    file: DocumentFile, process: DocumentProcess, limits: Limits, while_waiting: Callable[[], None] | None
) -> tuple[tuple[Document, ...], str]:
    if not file.problem and suffix(file.name) not in FORMATS:
        ending = suffix(file.name)
        raise FileFormatError(
            f"files {f'of type {ending}' if ending else 'without a type'} are not read: {SHOWN_FORMATS}"
        )
    return process.parse(file.name, file.read(limits), while_waiting=while_waiting)


def _repeated(documents: Sequence[Document]) -> list[DocumentProblem]:
    """Documents with the text of another one: each of their passages exists twice."""
    first: dict[str, str] = {}
    problems: list[DocumentProblem] = []
    for document in documents:
        same = first.setdefault(document.content_hash, document.id)
        if same != document.id:
            message = f"it has the same text as {same}: its passages are in the corpus twice"
            problems.append(DocumentProblem(document.id, message, left_out=False))
    return problems
