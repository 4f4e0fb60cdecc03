"""The tables of topics of corpora: each search, and the log of the names that people gave."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class CorpusTopicsRow(Row, table=True):
    __tablename__ = "corpus_topics"

    id: int | None = Field(default=None, primary_key=True)
    corpus_version_id: int = Field(foreign_key="corpus_version.id", index=True)
    artifact: str
    settings: dict[str, object] = Field(sa_type=JSON)
    actor: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class TopicNameRow(Row, table=True):
    """The newest row of a topic holds; an empty name takes the earlier ones back."""

    __tablename__ = "topic_name"

    id: int | None = Field(default=None, primary_key=True)
    corpus_topics_id: int = Field(foreign_key="corpus_topics.id", index=True)
    topic: int
    name: str
    actor: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
