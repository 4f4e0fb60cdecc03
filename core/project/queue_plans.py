"""Label queues as they were drawn: which samples, in which order, and with which probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hcat.core.labelling.queue import (
    Purpose,
    QueueItem,
)
from hcat.core.labelling.records import QueueInfo
from hcat.core.project.open_store import OpenStore
from hcat.core.records.project import RunInfo
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.types import Criterion

KIND = "queues"


@dataclass(frozen=True)
class QueuePlan:
    """The drawn items in order, the inclusion probability of each sample of the run, and the stratum of each, where
    there are strata."""

    items: tuple[QueueItem, ...]
    inclusion: Mapping[str, float]
    strata: Mapping[str, str]

    @cached_property
    def by_sample(self) -> Mapping[str, QueueItem]:
        """The items by sample id, in order."""
        return {item.sample_id: item for item in self.items}


@dataclass(frozen=True)
class QueuePlans:
    """The plan of each queue, read from its file."""

    store: OpenStore

    def read(self, queue: QueueInfo) -> QueuePlan:
        """The whole plan. StorageError when its file is missing or damaged."""
        purpose: Purpose = "disagreement" if queue.kind == "disagreement" else "estimate"
        return _read_plan(self.store.artifacts, queue.artifact, queue.name, purpose)

    def drawn_strata(self, run: RunInfo, criterion: Criterion) -> dict[str, str] | None:
        """The stratum of each sample, where one stratified queue drew every label; else None: the weights are
        sufficient."""
        by_stratum = [queue for queue in self.store.queue_table.of_run(run.id, criterion.name) if queue.dimension]
        if not by_stratum:
            return None
        entries = self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
        names = {record.queue for record in entries if record.level is not None}
        queue = next((queue for queue in by_stratum if names == {queue.name}), None)
        # As they were at the draw, also where topics were found again since.
        return None if queue is None else dict(self.read(queue).strata)


@lru_cache(maxsize=8)  # every item that is given out asks for the plan, which never changes
def _read_plan(artifacts: ArtifactStore, artifact: str, queue: str, purpose: Purpose) -> QueuePlan:
    table = artifacts.read_table(KIND, artifact)
    rows = list(zip(*(table[column].to_pylist() for column in ("sample_id", "probability", "stratum")), strict=True))
    return QueuePlan(
        items=tuple(
            QueueItem(sample_id, probability, stratum, queue, purpose)
            for (sample_id, probability, stratum), is_in in zip(rows, table["drawn"].to_pylist(), strict=True)
            if is_in
        ),
        inclusion={sample_id: probability for sample_id, probability, _ in rows},
        strata={sample_id: stratum for sample_id, _, stratum in rows if stratum is not None},
    )
