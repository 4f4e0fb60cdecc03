"""Corpora: the passages that tests are made from, the documents that they were cut from, and what changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.capabilities.corpus.corpus_changes import CorpusChanges, CorpusContents, compare_corpora
from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.capabilities.test_sets.services.numbered import numbered
from hcat.core.errors import ConflictError, FileFormatError, StorageError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.records.codec import JSON
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.documents import Document, DocumentProblem, DocumentSummary, summarise_documents
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_set import TestSetInfo
from hcat.core.storage.corpus_files import CorpusFiles
from hcat.core.storage.stores.corpora import CorpusVersion
from hcat.core.types import JsonValue


@dataclass(frozen=True)
class Corpora:
    """The corpora of each project, version by version."""

    store: OpenStore
    projects: Projects

    def add(self, project: ProjectInfo | str, name: str, imported: CorpusImport) -> CorpusInfo:
        """Store a corpus under a new name, as its version 1.

        Files are written first and rows last, so that a corpus is whole or not there. ConflictError when the name is
        taken, FileFormatError where there are no passages.
        """
        name, project_id = checked_name(name, "corpus"), self.projects.id_of(project)
        if name in self.store.corpus_table.names(project_id):  # before files are written for nothing
            raise ConflictError(f"the project already has a corpus {name!r}: choose another name, or import it again")
        version = self._written(imported)
        with self.store.write(self.store.actor, "corpus.add", self.projects.id_of(project)) as write:
            return self.store.corpus_table.add(write, project_id, name, version)

    def add_version(self, corpus: CorpusInfo, imported: CorpusImport) -> CorpusInfo:
        """Store what was imported as the corpus's next version; where it is the same as the newest, that one stays.

        `corpus` is the newest version that was looked at: ConflictError where there is a newer one by now.
        """
        same = corpus.content_hash == imported.content_hash and dict(corpus.settings) == dict(imported.settings)
        if same and [dict(problem) for problem in corpus.problems] == _problem_records(imported):
            return corpus
        version = self._written(imported)
        with self.store.write(self.store.actor, "corpus.add_version", corpus.project_id) as write:
            return self.store.corpus_table.add_version(write, corpus.corpus_id, version, number=corpus.version + 1)

    def all(self, project: ProjectInfo | str) -> list[CorpusInfo]:
        """The newest version of each corpus but those that are archived, oldest corpus first."""
        return self.store.corpus_table.newest(self.projects.id_of(project))

    def versions(self, project: ProjectInfo | str, name: str) -> list[CorpusInfo]:
        """Every version of a corpus, archived or not, newest first; or NotFoundError."""
        return self.store.corpus_table.versions(self.projects.id_of(project), name)

    def version(self, project: ProjectInfo | str, name: str, number: int | None = None) -> CorpusInfo:
        """The version of this number, by default the newest; or NotFoundError."""
        return numbered(self.versions(project, name), number, of=f"corpus {name!r}")

    def behind(self, project: ProjectInfo | str, test_set: TestSetInfo) -> CorpusInfo | None:
        """The corpus version that a test set was made from; None where it is not in the project."""
        versions = (each for corpus in self.all(project) for each in self.versions(project, corpus.name))
        return next((each for each in versions if each.id == test_set.corpus_version_id), None)

    def passages(self, corpus: CorpusInfo) -> tuple[CorpusPassage, ...]:
        """The passages of this version, in the order of the documents. StorageError where the file is damaged."""
        self.store.access.check_reading("results", corpus.project_id)
        passages = CorpusFiles(self.store.artifacts).passages(corpus.artifact)
        if len(passages) != corpus.n_passages:
            raise StorageError(
                f"corpus {corpus.name!r} should hold {corpus.n_passages} passages, its file holds {len(passages)}: "
                "import it again"
            )
        return passages

    def documents(self, corpus: CorpusInfo) -> tuple[Document, ...]:
        """The documents of this version with their texts; none where passages were imported."""
        self.store.access.check_reading("results", corpus.project_id)
        return CorpusFiles(self.store.artifacts).documents(corpus.documents_artifact)

    def summaries(self, corpus: CorpusInfo) -> tuple[DocumentSummary, ...]:
        """The documents as a list shows them, also those of which only passages were imported."""
        return summarise_documents(self.documents(corpus), self.passages(corpus))

    def problems(self, corpus: CorpusInfo) -> tuple[DocumentProblem, ...]:
        """The files that were left out of this version, or read only in part."""
        self.store.access.check_reading("results", corpus.project_id)
        return tuple(JSON.read(DocumentProblem, dict(problem), at="problems") for problem in corpus.problems)

    def changes(self, before: CorpusInfo, after: CorpusInfo | CorpusImport) -> CorpusChanges:
        """The documents and passages that are new, changed or gone from one version to another, or to an import that is
        not yet stored."""
        later = after if isinstance(after, CorpusImport) else self._contents(after)
        return compare_corpora(
            self._contents(before),
            CorpusContents(later.summaries, later.passages) if isinstance(later, CorpusImport) else later,
        )

    def _contents(self, corpus: CorpusInfo) -> CorpusContents:
        passages = self.passages(corpus)
        return CorpusContents(summarise_documents(self.documents(corpus), passages), passages)

    def _written(self, imported: CorpusImport) -> CorpusVersion:
        _check_passages(imported)
        files = CorpusFiles(self.store.artifacts)
        return CorpusVersion(
            content_hash=imported.content_hash,
            artifact=files.write_passages(imported.passages),
            documents_artifact=files.write_documents(imported.documents),
            n_documents=len(imported.summaries),
            n_passages=len(imported.passages),
            problems=_problem_records(imported),
            settings=imported.settings,
            source=imported.source,
        )


def check_importable(name: str, imported: CorpusImport) -> None:
    """Refuse a corpus that `Corpora.add` would refuse whatever its project, so that no project is made for it."""
    checked_name(name, "corpus")
    _check_passages(imported)


def _check_passages(imported: CorpusImport) -> None:
    if not imported.passages:
        raise FileFormatError("there are no passages to store: a corpus needs at least one document with text")


def _problem_records(imported: CorpusImport) -> list[Mapping[str, JsonValue]]:
    return [JSON.write_object(problem) for problem in imported.problems]
