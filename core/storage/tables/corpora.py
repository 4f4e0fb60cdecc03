"""The tables of corpora: a name, and the versions that were imported under it. Versions are never changed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from core.storage.tables.row import Row, UtcDateTime, now


class CorpusRow(Row, table=True):
    __tablename__ = "corpus"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    name: str
    archived_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class CorpusVersionRow(Row, table=True):
    __tablename__ = "corpus_version"
    __table_args__ = (UniqueConstraint("corpus_id", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    corpus_id: int = Field(foreign_key="corpus.id")
    version: int
    content_hash: str
    artifact: str
    documents_artifact: str
    n_documents: int
    n_passages: int
    problems: list[dict[str, object]] = Field(sa_type=JSON)
    settings: dict[str, object] = Field(sa_type=JSON)
    source: str
    actor: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
