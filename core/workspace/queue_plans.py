"""Label queues as they were drawn: which samples, in which order, and with which probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hcat.core.errors import HcatError
from hcat.core.labelling.queue import (
    Purpose,
    QueueItem,
)
from hcat.core.labelling.records import QueueInfo
from hcat.core.records.project import RunInfo
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.types import Criterion
from hcat.core.workspace.open_store import OpenStore
from hcat.core.workspace.slices import Slices

KIND = "queues"


@dataclass(frozen=True)
class QueuePlan:
    """What was drawn, in order, and with which probability each sample of the run could have been.

    `inclusion` and `strata` are empty for plans of before they were kept; `strata` also where there are none.
    """

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
    slices: Slices

    def read(self, queue: QueueInfo) -> QueuePlan:
        """The whole plan. StorageError when its file is missing or damaged."""
        purpose: Purpose = "disagreement" if queue.kind == "disagreement" else "estimate"
        return _read_plan(self.store.artifacts, queue.artifact, queue.name, purpose)

    def drawn_strata(self, run: RunInfo, criterion: Criterion) -> dict[str, str] | None:
        """The stratum of each sample, where one stratified queue drew every label; else None: the weights tell all."""
        by_stratum = [queue for queue in self.store.queue_table.of_run(run.id, criterion.name) if queue.dimension]
        if not by_stratum:
            return None
        entries = self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
        names = {record.queue for record in entries if record.level is not None}
        queue = next((queue for queue in by_stratum if names == {queue.name}), None)
        if queue is None or queue.dimension is None:
            return None
        try:  # as they were at the draw, also where topics were found anew since; of an old plan, as they are now
            return dict(self.read(queue).strata) or self.slices.strata(run, queue.dimension)
        except HcatError:  # the dimension is gone: the stored probabilities still tell how labels were drawn
            return None


@lru_cache(maxsize=8)  # every item that is given out asks for the plan, which never changes
def _read_plan(artifacts: ArtifactStore, artifact: str, queue: str, purpose: Purpose) -> QueuePlan:
    table = artifacts.read_table(KIND, artifact)
    rows = list(zip(*(table[column].to_pylist() for column in ("sample_id", "probability", "stratum")), strict=True))
    complete = "drawn" in table.column_names
    drawn = table["drawn"].to_pylist() if complete else [True] * len(rows)
    return QueuePlan(
        items=tuple(
            QueueItem(sample_id, probability, stratum, queue, purpose)
            for (sample_id, probability, stratum), is_in in zip(rows, drawn, strict=True)
            if is_in
        ),
        inclusion={sample_id: probability for sample_id, probability, _ in rows} if complete else {},
        strata={sample_id: stratum for sample_id, _, stratum in rows if stratum is not None} if complete else {},
    )
