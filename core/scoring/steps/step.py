"""A step of scoring: it adds to each block of samples what metrics of some roles read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hcat.core.metrics.declaration import Metric
from hcat.core.metrics.token_matching import Idf
from hcat.core.models.cache import EmbeddingStore
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.block import Block
from hcat.core.types import JsonValue, OnProgress, Sample

RunStep = Callable[[Block, OnProgress | None], Block]
"""A prepared step: the samples of a block with the step's results (`SampleView.with_results`), in their order."""


@dataclass(frozen=True, eq=False, slots=True)
class StepInputs:
    """The inputs of a step for a whole run. `samples` are all of the run's, also if fewer are scored.

    `idf` are the frequencies of word pieces in all of them, if they were counted before (`count_word_pieces`)."""

    metrics: Sequence[Metric]
    models: ModelSet
    store: EmbeddingStore
    samples: Iterable[Sample]
    idf: Idf | None = None

    def needing(self, *roles: str) -> tuple[Metric, ...]:
        """The metrics that need one of these roles."""
        return tuple(metric for metric in self.metrics if not set(roles).isdisjoint(metric.models))


def _no_parameters(metric: Metric, models: ModelSet) -> Mapping[str, JsonValue]:  # noqa: ARG001 - of most steps
    return {}


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the table of steps, `hcat.core.scoring.steps.table.STEPS`.

    It runs if a metric needs one of `roles`. `prepare` is called once a run, and returns the function for each block.
    `parameters` is what the scores' provenance records of a metric because of this step."""

    name: str
    roles: tuple[str, ...]
    prepare: Callable[[StepInputs], RunStep]
    parameters: Callable[[Metric, ModelSet], Mapping[str, JsonValue]] = _no_parameters
