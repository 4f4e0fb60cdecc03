"""Topics of a run, found in its queries or in its contexts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import HcatError, StorageError
from core.records.project import RunInfo, TopicsInfo
from core.topics.choice import AUTOMATIC, TopicChoice
from core.topics.run_topics import RunTopics, read_topics, topics_table
from core.types import Sample
from core.workspace.open_store import OpenStore
from core.workspace.runs import Runs
from core.workspace.scoring import OnProgress, Scoring

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
        from core.models.cache import embed_texts
        from core.topics.model import find_topics as find

        encoder, store = self.scoring.encoder_and_store()
        used = [sample for sample in self.runs.samples(run) if _texts(sample, on)]
        if not used:
            raise HcatError(f"no sample of run {run.name!r} has a {on.removesuffix('s')}: no topics to find")
        distinct = {text for sample in used for text in _texts(sample, on)}
        rows = embed_texts(sorted(distinct), encoder=encoder, store=store, on_progress=on_progress)
        topics = RunTopics(
            tuple(sample.id for sample in used),
            find(
                ["\n".join(_texts(sample, on)) for sample in used],
                np.stack([_mean_direction([rows[text] for text in _texts(sample, on)]) for sample in used]),
                seed=self.store.settings.seed,
                choice=choice,
            ),
        )
        artifact = self.store.artifacts.write_table(KIND, topics_table(topics))
        with self.store.write(self.store.actor, "topic.find", run.project_id) as write:
            self.store.results.add_topics(
                write, run.id, on, artifact=artifact, settings={"encoder": encoder.revision, **topics.model.settings}
            )
        return topics

    def latest(self, run: RunInfo, *, on: Source = "query") -> TopicsInfo | None:
        """Which topics were found last, for caches to ask; None before the first search."""
        self.store.access.check_reading("results", run.project_id)
        return self.store.results.latest_topics(run.id, on)

    def read(self, run: RunInfo, *, on: Source = "query") -> RunTopics | None:
        """The topics found last, or None before the first search."""
        self.store.access.check_reading("results", run.project_id)
        latest = self.store.results.latest_topics(run.id, on)
        if latest is None:
            return None
        topics = read_topics(self.store.artifacts.read_table(KIND, latest.artifact))
        if topics is None:
            raise StorageError(f"the file {latest.artifact}.parquet holds no topics: find them again")
        return topics


def _texts(sample: Sample, on: Source) -> list[str]:
    if sample.erased is not None:
        return []
    texts = [sample.query] if on == "query" else [passage.text for passage in sample.contexts]
    return [text for text in texts if text.strip()]


def _mean_direction(rows: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    mean = np.mean(rows, axis=0, dtype=np.float64)
    norm = float(np.linalg.norm(mean))
    return np.asarray(mean / norm if norm > 0 else rows[0], dtype=np.float32)
