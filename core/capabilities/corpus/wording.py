"""Sentences on an imported corpus, and on the changes in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hcat.core.capabilities.corpus.corpus_changes import ChangeCounts, CorpusChanges, DocumentChange
from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.display.numbers import counted
from hcat.core.records.documents import DocumentProblem
from hcat.core.types import JsonValue

CONTEXTS_NOTE = (
    "These are passages that the system retrieved, and not its whole corpus: what it never retrieved is missing, so "
    "that tests made from them can't find what the system overlooks."
)
"""Of a corpus from the contexts of a run."""


def problem_line(problem: DocumentProblem) -> str:
    """Such as "a.pdf was left out: it has a password: save it without one"."""
    return f"{problem.document}{' was left out' if problem.left_out else ''}: {problem.message}"


def read_text(imported: CorpusImport) -> str:
    """Such as "14 documents, 168 passages; 2 files left out"."""
    left_out = sum(problem.left_out for problem in imported.problems)
    rest = f"; {counted(left_out, 'file')} left out" if left_out else ""
    return f"{counted(len(imported.summaries), 'document')}, {counted(len(imported.passages), 'passage')}{rest}"


def nothing_read_text(problems: Sequence[DocumentProblem]) -> str:
    """The reason why there is no corpus."""
    if not problems:
        return "no file was found to read: choose a folder with documents"
    more = f" ({counted(len(problems), 'file')} in all)" if len(problems) > 1 else ""
    return f"no file could be read. {problem_line(problems[0])}{more}"


def changes_text(changes: CorpusChanges) -> str:
    """The changes in one sentence."""
    if not changes.any:
        return "Nothing has changed: all documents and passages are as before."
    return f"Documents: {_counts_text(changes.documents)}. Passages: {_counts_text(changes.passages)}."


def document_change_text(change: DocumentChange) -> str:
    """The change of one document, in words."""
    if change.renamed_from:
        return f"new, with the text of {change.renamed_from}"
    return "cut anew" if change.status == "same" else change.status


def _counts_text(counts: ChangeCounts) -> str:
    return f"{counts.new:,} new, {counts.changed:,} changed, {counts.gone:,} gone, {counts.same:,} as before"


def cutting_text(settings: Mapping[str, JsonValue]) -> str:
    """The origin of the passages, in a sentence."""
    origin = settings.get("from")
    if origin == "documents":
        overlap = settings.get("overlap")
        shared = f", sharing up to {overlap} with the one before" if overlap else ""
        return (
            f"Cut at headings, between paragraphs and sentences, into passages of at most {settings.get('words')} "
            f"words{shared}."
        )
    return "The contexts of a run." if origin == "contexts of a run" else "Passages as they were imported."
