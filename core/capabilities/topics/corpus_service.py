"""Topics of the passages of a corpus, and their names by people."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.capabilities.corpus.service import Corpora
from hcat.core.errors import HcatError, NotFoundError, StorageError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.scoring import Scoring
from hcat.core.records.corpus import CorpusInfo, CorpusTopicsInfo
from hcat.core.topics.choice import AUTOMATIC, TopicChoice
from hcat.core.topics.passage_topics import PassageTopics, carried_names
from hcat.core.types import OnProgress

if TYPE_CHECKING:
    import pyarrow as pa

KIND = "topics"


@dataclass(frozen=True)
class CorpusTopics:
    """The topics found in each version of a corpus."""

    store: OpenStore
    corpora: Corpora
    scoring: Scoring

    def find(
        self, corpus: CorpusInfo, *, choice: TopicChoice = AUTOMATIC, on_progress: OnProgress | None = None
    ) -> PassageTopics:
        """Find topics of this version's passages that can be tested, and store them. Topics take over the names of
        earlier ones, of this version or another, whose members they hold (`carried_names`).

        HcatError where no passage can be tested.
        """
        from hcat.core.capabilities.test_sets.frame import LEAST_WORDS, is_testable
        from hcat.core.models.embedding_matrix import embed_distinct
        from hcat.core.topics.model import find_topics

        passages = [passage for passage in self.corpora.passages(corpus) if is_testable(passage.text)]
        if not passages:
            raise HcatError(f"corpus {corpus.name!r} has no passage of {LEAST_WORDS} words or more to find topics in")
        texts = [passage.text for passage in passages]
        encoder, embeddings = self.scoring.encoder_and_store(texts, on_progress=on_progress)
        embedded = embed_distinct(texts, encoder=encoder, store=embeddings, on_progress=on_progress)
        model = find_topics(texts, embedded.in_order(texts), seed=self.store.settings.seed, choice=choice)
        ids, hashes = (tuple(getattr(p, name) for p in passages) for name in ("id", "content_hash"))
        before = self.store.corpus_topics_table.latest_of_corpus(corpus.corpus_id)
        names = {} if before is None else carried_names(self._opened(before), hashes, model)
        topics = PassageTopics(ids, hashes, model, names)
        artifact = self.store.artifacts.write_table(KIND, _table(topics))
        with self.store.write(self.store.actor, "corpus_topics.find", corpus.project_id) as write:
            self.store.corpus_topics_table.add(
                write,
                corpus.id,
                artifact=artifact,
                settings={"encoder": encoder.revision, **model.settings},
                names=names,
            )
        return topics

    def latest(self, corpus: CorpusInfo) -> CorpusTopicsInfo | None:
        """The newest topics of this version with their names, as a key for caches."""
        self.store.access.check_reading("results", corpus.project_id)
        return self.store.corpus_topics_table.latest(corpus.id)

    def read(self, corpus: CorpusInfo) -> PassageTopics | None:
        """The topics found last in this version, or None before the first search."""
        latest = self.latest(corpus)
        return None if latest is None else self._opened(latest)

    def rename(self, corpus: CorpusInfo, topic: int, name: str) -> PassageTopics:
        """Call a topic by another name; an empty one brings its key terms back.

        NotFoundError before the first search, HcatError for a name that is taken or too long.
        """
        latest = self.latest(corpus)
        if latest is None:
            raise NotFoundError(f"corpus {corpus.name!r} has no topics yet: find them first")
        renamed = self._opened(latest).renamed(topic, name)
        with self.store.write(self.store.actor, "corpus_topics.rename", corpus.project_id) as write:
            self.store.corpus_topics_table.rename(write, latest.id, topic, renamed.names.get(topic, ""))
        return renamed

    def _opened(self, found: CorpusTopicsInfo) -> PassageTopics:
        from hcat.core.topics.model import TopicModel

        table = self.store.artifacts.read_table(KIND, found.artifact)
        metadata = (table.schema.metadata or {}).get(b"hcat")
        if metadata is None:
            raise StorageError(f"the file {found.artifact}.parquet holds no topics: find them again")
        ids, hashes = (tuple(map(str, table[name].to_pylist())) for name in ("passage_id", "content_hash"))
        return PassageTopics(ids, hashes, TopicModel.from_frame(table.to_pandas(), json.loads(metadata)), found.names)


def _table(topics: PassageTopics) -> pa.Table:
    import pyarrow as pa

    frame = topics.model.to_frame()
    frame.insert(0, "passage_id", list(topics.passage_ids))
    frame.insert(1, "content_hash", list(topics.hashes))
    table = pa.Table.from_pandas(frame, preserve_index=False)
    return table.replace_schema_metadata({"hcat": json.dumps(topics.model.metadata(), sort_keys=True)})
