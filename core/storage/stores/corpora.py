"""Corpora and their versions: each new version gets the next number, and none is ever changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select

from core.errors import ConflictError, NotFoundError
from core.records.corpus import CorpusInfo
from core.storage.database import Database
from core.storage.stores.projects import known_id
from core.storage.stores.results import json_document, stored
from core.storage.tables.corpora import CorpusRow, CorpusVersionRow
from core.storage.write import Write
from core.types import JsonValue


@dataclass(frozen=True, slots=True)
class CorpusVersion:
    """What a version consists of, before it has a number."""

    content_hash: str
    artifact: str
    documents_artifact: str
    n_documents: int
    n_passages: int
    problems: Sequence[Mapping[str, JsonValue]]
    settings: Mapping[str, JsonValue]
    source: str


@dataclass(frozen=True)
class CorpusTable:
    """The corpora of one database."""

    database: Database

    def names(self, project_id: int) -> set[str]:
        """The names that the project's corpora have, archived or not."""
        with self.database.read() as session:
            return set(session.exec(select(CorpusRow.name).where(CorpusRow.project_id == project_id)))

    def add(self, write: Write, project_id: int, name: str, version: CorpusVersion) -> CorpusInfo:
        """A new corpus with its first version, or ConflictError when the name is taken."""
        try:
            with write.transaction() as session:
                owner = CorpusRow(project_id=project_id, name=name)
                session.add(owner)
                session.flush()
                return _add_version(session, write, owner, version, number=1)
        except IntegrityError as error:
            raise ConflictError(f"the project already has a corpus {name!r}: choose another name") from error

    def add_version(self, write: Write, corpus_id: int, version: CorpusVersion, *, number: int) -> CorpusInfo:
        """The corpus under this number; ConflictError where somebody else imported it meanwhile."""
        try:
            with write.transaction() as session:
                owner = session.get(CorpusRow, corpus_id)
                if owner is None:
                    raise NotFoundError("this corpus was deleted meanwhile: import it anew")
                return _add_version(session, write, owner, version, number=number)
        except IntegrityError as error:
            raise ConflictError(f"version {number} of this corpus was imported meanwhile: look at it first") from error

    def newest(self, project_id: int) -> list[CorpusInfo]:
        """The newest version of each corpus of the project that is not archived, oldest corpus first."""
        owners = select(CorpusRow).where(CorpusRow.project_id == project_id, col(CorpusRow.archived_at).is_(None))
        with self.database.read() as session:
            return [_versions(session, owner)[0] for owner in session.exec(owners.order_by(col(CorpusRow.id)))]

    def versions(self, project_id: int, name: str) -> list[CorpusInfo]:
        """The versions of a corpus, archived or not, newest first; or NotFoundError."""
        query = select(CorpusRow).where(CorpusRow.project_id == project_id, CorpusRow.name == name)
        with self.database.read() as session:
            owner = session.exec(query).first()
            if owner is None:
                raise NotFoundError(f"the project has no corpus {name!r}: import it first")
            return _versions(session, owner)


def _add_version(
    session: Session, write: Write, owner: CorpusRow, version: CorpusVersion, *, number: int
) -> CorpusInfo:
    row = CorpusVersionRow(
        corpus_id=known_id(owner.id),
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
    session.add(row)
    session.flush()
    return _record(owner, row)


def _versions(session: Session, owner: CorpusRow) -> list[CorpusInfo]:
    query = select(CorpusVersionRow).where(CorpusVersionRow.corpus_id == owner.id)
    return [_record(owner, row) for row in session.exec(query.order_by(desc(CorpusVersionRow.version)))]


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
