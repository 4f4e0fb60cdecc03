"""The corpus of a command that works on files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError
from hcat.core.records.cutting import OVERLAP, WORDS, check_cutting
from hcat.dashboard.commands.output import existing, print_note, progress_bar

if TYPE_CHECKING:
    from hcat.core.capabilities.corpus.corpus_import import CorpusImport
    from hcat.core.records.passages import CorpusPassage


DOCUMENTS = frozenset({".md", ".markdown", ".txt", ".html", ".htm", ".pdf", ".docx", ".csv", ".zip"})
"""Files that are read as documents where passages are asked for: those of JSON Lines hold passages then."""


def passages_at(path: Path) -> tuple[CorpusPassage, ...]:
    """The passages of a file that `hcat corpus` wrote; documents and folders are read and cut as it does by default.

    FileFormatError where nothing can be read. Files that are left out are named on standard error.
    """
    return corpus_at(path).passages


def corpus_at(path: Path) -> CorpusImport:
    """The same as a corpus, which has a hash."""
    from hcat.core.capabilities.corpus.corpus_import import corpus_of_passages
    from hcat.core.importers.passage_file import read_passage_file

    if path.is_dir() or path.suffix.lower() in DOCUMENTS:
        return documents_at([path])
    return corpus_of_passages(read_passage_file(existing(path)), source=path.name)


def documents_at(paths: Sequence[Path], *, words: int = WORDS, overlap: int = OVERLAP) -> CorpusImport:
    """The documents of files and folders, cut into passages."""
    from hcat.core.capabilities.corpus.corpus_import import corpus_of_documents
    from hcat.core.capabilities.corpus.wording import nothing_read_text, problem_line
    from hcat.core.importers.documents import read_documents

    check_cutting(words=words, overlap=overlap)
    with progress_bar() as show:
        documents, problems = read_documents(paths, on_progress=show)
    if not documents:
        raise FileFormatError(nothing_read_text(problems))
    for problem in problems:
        print_note(f"hcat: {problem_line(problem)}")
    source = ", ".join(path.name or str(path) for path in paths)
    return corpus_of_documents(documents, problems, words=words, overlap=overlap, source=source)
