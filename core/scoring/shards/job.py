"""Jobs that score any shard of one run, or explain its scores, in a form that can be sent to another process."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hcat.core.executors.shard import Shard
from hcat.core.executors.sharded import Make
from hcat.core.metrics.declaration import Metric
from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.token_matching import Idf
from hcat.core.models.model_set import ModelSet
from hcat.core.models.opened import Opening, checked, openings_among
from hcat.core.scoring.evaluate import Scorer, embeddings, explained
from hcat.core.scoring.shards.shard import shard_bytes
from hcat.core.scoring.steps.step import StepInputs
from hcat.core.scoring.steps.table import metric_parameters
from hcat.core.types import JsonValue, OnProgress, Sample


@dataclass(frozen=True, eq=False, slots=True)
class ScoringJob:
    """The job that scores any shard of one run.

    `open_models` loads the models in the worker, `computed_by` is what they must be, `total` the samples of the run,
    and `idf` the frequencies over all of them that metrics read."""

    metrics: tuple[str, ...]
    open_models: Opening
    computed_by: Mapping[str, JsonValue]
    total: int
    idf: Idf | None = None

    def worker(self) -> Make[Sample]:
        """Load the models. Raises ModelError if they are not those of the process that created the job."""
        scorer = self.scorer()

        def score(shard: Shard[Sample], on_progress: OnProgress | None) -> bytes:
            scores = scorer.scores(shard.items, on_progress, start=shard.start, total=self.total)
            return shard_bytes(shard.items, scores)

        return score

    def among(self, workers: int) -> Sequence[ScoringJob]:
        """The job for each of so many workers, with the limit of a language model divided among them."""
        return [replace(self, open_models=opening) for opening in openings_among(self.open_models, workers)]

    def scorer(self) -> Scorer:
        """The scorer, with the models loaded."""
        models, store = self.open_models()
        metrics = tuple(find_metric(name) for name in self.metrics)
        checked(computed_by(metrics, models), self.computed_by)
        return Scorer(StepInputs(metrics, models, embeddings(store), (), self.idf))


@dataclass(frozen=True, eq=False, slots=True)
class ExplanationJob:
    """The job that explains the scores of any shard of one run: a line of JSON per sample and metric."""

    scoring: ScoringJob

    def worker(self) -> Make[Sample]:
        """Load the models."""
        scorer = self.scoring.scorer()

        def explain(shard: Shard[Sample], on_progress: OnProgress | None) -> bytes:
            blocks = scorer.blocks(shard.items, on_progress, start=shard.start, total=self.scoring.total)
            return b"".join(json_line(row) for block in blocks for row in explained(block, scorer.metrics))

        return explain

    def among(self, workers: int) -> Sequence[ExplanationJob]:
        """The job for each of so many workers."""
        return [ExplanationJob(job) for job in self.scoring.among(workers)]


def json_line(row: Mapping[str, JsonValue]) -> bytes:
    """A line of a file of explanations."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def computed_by(metrics: Iterable[Metric], models: ModelSet) -> dict[str, JsonValue]:
    """The revisions of models, and the parameters, that the scores of these metrics are computed with."""
    chosen = tuple(metrics)
    revisions = models.revisions({role for metric in chosen for role in metric.models})
    return {
        "models": dict(revisions),
        "parameters": {metric.name: metric_parameters(metric, models) for metric in chosen},
    }
