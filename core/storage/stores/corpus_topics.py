"""Topics of corpora: where each search left them, and what people call them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, desc, select

from hcat.core.records.corpus import CorpusTopicsInfo
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.tables.corpora import CorpusVersionRow
from hcat.core.storage.tables.corpus_topics import CorpusTopicsRow, TopicNameRow
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue


@dataclass(frozen=True)
class CorpusTopicsTable:
    """The topics of one database's corpora."""

    database: Database

    def add(
        self,
        write: Write,
        version_id: int,
        *,
        artifact: str,
        settings: Mapping[str, JsonValue],
        names: Mapping[int, str],
    ) -> CorpusTopicsInfo:
        """A search, with the names that its topics took over."""
        with write.transaction() as session:
            row = CorpusTopicsRow(
                corpus_version_id=version_id,
                artifact=artifact,
                settings=stored(settings),
                actor=write.actor,
                created_at=write.at,
            )
            session.add(row)
            session.flush()
            for topic, name in names.items():
                session.add(_name(write, known_id(row.id), topic, name))
            session.flush()
            return _record(session, row)

    def rename(self, write: Write, topics_id: int, topic: int, name: str) -> None:
        """Another name of a topic; an empty one takes it back."""
        with write.transaction() as session:
            session.add(_name(write, topics_id, topic, name))

    def latest(self, version_id: int) -> CorpusTopicsInfo | None:
        """The newest topics of a version of a corpus."""
        query = select(CorpusTopicsRow).where(CorpusTopicsRow.corpus_version_id == version_id)
        with self.database.read() as session:
            row = session.exec(query.order_by(desc(CorpusTopicsRow.id)).limit(1)).first()
            return None if row is None else _record(session, row)

    def latest_of_corpus(self, corpus_id: int) -> CorpusTopicsInfo | None:
        """The newest topics of any version of a corpus."""
        query = (
            select(CorpusTopicsRow)
            .join(CorpusVersionRow, col(CorpusVersionRow.id) == CorpusTopicsRow.corpus_version_id)
            .where(CorpusVersionRow.corpus_id == corpus_id)
        )
        with self.database.read() as session:
            row = session.exec(query.order_by(desc(CorpusTopicsRow.id)).limit(1)).first()
            return None if row is None else _record(session, row)


def _name(write: Write, topics_id: int, topic: int, name: str) -> TopicNameRow:
    return TopicNameRow(corpus_topics_id=topics_id, topic=topic, name=name, actor=write.actor, created_at=write.at)


def _record(session: Session, row: CorpusTopicsRow) -> CorpusTopicsInfo:
    query = select(TopicNameRow).where(TopicNameRow.corpus_topics_id == row.id).order_by(col(TopicNameRow.id))
    given = list(session.exec(query))
    names = {entry.topic: entry.name for entry in given}
    return CorpusTopicsInfo(
        id=known_id(row.id),
        corpus_version_id=row.corpus_version_id,
        artifact=row.artifact,
        settings=json_document(row.settings),
        names={topic: name for topic, name in names.items() if name},
        last_name=known_id(given[-1].id) if given else 0,
        actor=row.actor,
        created_at=row.created_at,
    )
