"""The tables of corpora: a name, and the versions that were imported under it. Versions are never changed."""

from __future__ import annotations

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.versioned import NamedRow, VersionRow


class CorpusRow(NamedRow, table=True):
    __tablename__ = "corpus"
    __table_args__ = (UniqueConstraint("project_id", "name"),)


class CorpusVersionRow(VersionRow, table=True):
    __tablename__ = "corpus_version"
    __table_args__ = (UniqueConstraint("corpus_id", "version"),)

    corpus_id: int = Field(foreign_key="corpus.id")
    documents_artifact: str
    n_documents: int
    n_passages: int
    problems: list[dict[str, object]] = Field(sa_type=JSON)
    settings: dict[str, object] = Field(sa_type=JSON)
