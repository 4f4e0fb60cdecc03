"""Corpora and their versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hcat.core.records.corpus import CorpusInfo
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.stores.versioned import VersionedTable, VersionedWords
from hcat.core.storage.tables.corpora import CorpusRow, CorpusVersionRow
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class CorpusVersion:
    """Contents of a version before it has a number."""

    content_hash: str
    artifact: str
    documents_artifact: str
    n_documents: int
    n_passages: int
    problems: Sequence[Mapping[str, JsonValue]]
    settings: Mapping[str, JsonValue]
    source: str


CorpusTable = VersionedTable[CorpusRow, CorpusVersionRow, CorpusVersion, CorpusInfo]


def corpus_table(database: Database) -> CorpusTable:
    """The corpora of one database."""
    words = VersionedWords("corpus", "import", "imported")
    return VersionedTable(database, CorpusRow, CorpusVersionRow, "corpus_id", _row, _record, words)


def _row(version: CorpusVersion, corpus_id: int, number: int, write: Write) -> CorpusVersionRow:
    return CorpusVersionRow(
        corpus_id=corpus_id,
        version=number,
        content_hash=version.content_hash,
        artifact=version.artifact,
        documents_artifact=version.documents_artifact,
        n_documents=version.n_documents,
        n_passages=version.n_passages,
        problems=[stored(problem) for problem in version.problems],
        settings=stored(version.settings),
        source=version.source,
        actor=write.actor,
        created_at=write.at,
    )


def _record(owner: CorpusRow, row: CorpusVersionRow) -> CorpusInfo:
    return CorpusInfo(
        id=known_id(row.id),
        corpus_id=row.corpus_id,
        project_id=owner.project_id,
        name=owner.name,
        version=row.version,
        content_hash=row.content_hash,
        artifact=row.artifact,
        documents_artifact=row.documents_artifact,
        n_documents=row.n_documents,
        n_passages=row.n_passages,
        problems=tuple(json_document(problem) for problem in row.problems),
        settings=json_document(row.settings),
        source=row.source,
        actor=row.actor,
        created_at=row.created_at,
    )
