"""What an executor is, and the job that it does on each shard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from core.errors import ModelError
from core.metrics.declaration import Metric
from core.metrics.registry import find_metric
from core.metrics.token_matching import Idf
from core.models.model_set import ModelSet
from core.models.opened import OpenModels
from core.scoring.block import OnProgress
from core.scoring.evaluate import Scorer, embeddings
from core.scoring.executors.shard import Shard, shard_bytes
from core.scoring.executors.shard_folder import ShardFolder
from core.scoring.steps.step import StepInputs
from core.scoring.steps.table import metric_parameters
from core.types import JsonValue


@dataclass(frozen=True, eq=False, slots=True)
class ScoringJob:
    """How to score any shard of one run, as it can be sent to another process.

    `open_models` loads the models where the work is done, `computed_by` is what they must be, `total` the samples of
    the run, and `idf` what the metrics read of all of them.
    """

    metrics: tuple[str, ...]
    open_models: Callable[[], OpenModels]
    computed_by: Mapping[str, JsonValue]
    folder: ShardFolder
    total: int
    idf: Idf | None = None

    def worker(self) -> ShardWorker:
        """Load the models. Raises ModelError where they are not those of the process that handed out the job."""
        models, store = self.open_models()
        metrics = tuple(find_metric(name) for name in self.metrics)
        if computed_by(metrics, models) != self.computed_by:
            raise ModelError(
                "A worker has other models than the process that started it: install the same version of hcat and the "
                "same models, and set the same HCAT_* variables, on every machine of the cluster."
            )
        inputs = StepInputs(metrics, models, embeddings(store), (), self.idf)
        return ShardWorker(Scorer(inputs), self.folder, self.total)


@dataclass(frozen=True, eq=False, slots=True)
class ShardWorker:
    """Scores shards with models that are loaded once, and stores their files."""

    scorer: Scorer
    folder: ShardFolder
    total: int

    def __call__(self, shard: Shard, on_progress: OnProgress | None = None) -> None:
        """Score the shard and store its file."""
        scores = self.scorer.scores(shard.samples, on_progress, start=shard.start, total=self.total)
        self.folder.put(shard.name, shard_bytes(shard.samples, scores))


class Executor(Protocol):
    """Has every shard scored and stored, in any order. What is stored does not depend on who did it."""

    def run(
        self, job: ScoringJob, shards: Iterable[Shard], on_done: Callable[[int], None], on_progress: OnProgress | None
    ) -> None:
        """`on_done` is told of each shard how many samples it had; `on_progress` of steps within, where they are seen.

        Raises ModelError, StorageError, and HcatError where workers are lost again and again.
        """
        ...


def computed_by(metrics: Iterable[Metric], models: ModelSet) -> dict[str, JsonValue]:
    """What the scores of these metrics are computed with: revisions of models, and parameters."""
    chosen = tuple(metrics)
    revisions = models.revisions({role for metric in chosen for role in metric.models})
    return {
        "models": dict(revisions),
        "parameters": {metric.name: metric_parameters(metric, models) for metric in chosen},
    }
