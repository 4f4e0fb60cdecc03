"""Topics of a run, found in its queries or in its contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Literal, overload

from hcat.core.errors import HcatError, StorageError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import Runs
from hcat.core.project.scoring import Scoring
from hcat.core.records.parquet import read_table, table_bytes
from hcat.core.records.project import RunInfo, TopicsInfo
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.topics.choice import AUTOMATIC, TopicChoice
from hcat.core.topics.run_topics import RunTopics, read_topics, topics_table
from hcat.core.types import OnProgress, Sample

KIND = "topics"

Source = Literal["query", "contexts"]


@dataclass(frozen=True)
class Topics:
    """The topics found in each run."""

    store: OpenStore
    runs: Runs
    scoring: Scoring

    def find(
        self,
        run: RunInfo,
        *,
        on: Source = "query",
        choice: TopicChoice = AUTOMATIC,
        on_progress: OnProgress | None = None,
    ) -> RunTopics:
        """Find topics and store them. On "contexts", a sample lies at the mean direction of its contexts' vectors."""
        from hcat.core.models.embedding_matrix import embed_distinct
        from hcat.core.topics.model import find_topics as find

        used = {sample.id: found for sample in self.runs.each_sample(run) if (found := texts_of(sample, on))}
        if not used:
            raise HcatError(f"no sample of run {run.name!r} has a {on.removesuffix('s')}: no topics to find")
        texts = list(used.values())
        encoder, store = self.scoring.encoder_and_store(chain.from_iterable(texts), on_progress=on_progress)
        embedded = embed_distinct(chain.from_iterable(texts), encoder=encoder, store=store, on_progress=on_progress)
        topics = RunTopics(
            tuple(used),
            find(
                _Joined(texts),
                embedded.mean_directions(texts),
                seed=self.store.settings.seed,
                choice=choice,
            ),
        )
        artifact, keys = stored_topics(self.store, topics)
        with self.store.write(self.store.actor, "topic.find", run.project_id) as write:
            self.store.results.add_topics(
                *(write, run.id, on),
                artifact=artifact,
                settings={"encoder": encoder.revision, **topics.model.settings},
                keys=keys,
            )
        return topics

    def latest(self, run: RunInfo, *, on: Source = "query") -> TopicsInfo | None:
        """The newest search for topics, for caches to ask; None before the first search."""
        self.store.access.check_reading("results", run.project_id)
        return self.store.results.latest_topics(run.id, on)

    def read(self, run: RunInfo, *, on: Source = "query") -> RunTopics | None:
        """The topics found last, or None before the first search."""
        self.store.access.check_reading("results", run.project_id)
        latest = self.store.results.latest_topics(run.id, on)
        return None if latest is None else read_stored(self.store, latest)


def stored_topics(store: OpenStore, topics: RunTopics) -> tuple[str, KeyRing]:
    """Store a file with these topics, whose key terms are words of samples: its name, and its key."""
    return store.sealed_files.put(KIND, table_bytes(topics_table(topics)))


def read_stored(store: OpenStore, stored: TopicsInfo) -> RunTopics:
    """The topics of one search. StorageError where the file is missing or damaged."""
    topics = read_topics(read_table(BytesIO(store.sealed_files.get(KIND, stored.artifact))))
    if topics is None:
        raise StorageError(f"the file {stored.artifact}.parquet holds no topics: find them again")
    return topics


def texts_of(sample: Sample, on: str) -> list[str]:
    """The texts in which topics are found: the query, or each of the contexts; none of an erased sample."""
    if sample.erased is not None:
        return []
    texts = [sample.query] if on == "query" else [passage.text for passage in sample.contexts]
    return [text for text in texts if text.strip()]


@dataclass(frozen=True)
class _Joined(Sequence[str]):
    """Each group of texts as one, joined when it is read: contexts of many samples need not be copied."""

    parts: Sequence[Sequence[str]]

    def __len__(self) -> int:
        return len(self.parts)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return _Joined(self.parts[place]) if isinstance(place, slice) else "\n".join(self.parts[place])
