"""Computes scores from samples: each text segmented once, each distinct sentence encoded once, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hcat.core.metrics.declaration import Metric
from hcat.core.metrics.registry import choose
from hcat.core.models.cache import EmbeddingStore, MemoryEmbeddings
from hcat.core.models.model_set import ModelSet
from hcat.core.refusals.state import answer_state
from hcat.core.scoring.block import Block, in_samples, segmented_blocks
from hcat.core.scoring.overall import SCORE, OverallProgress
from hcat.core.scoring.overview import Samples, read_overview
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.scoring.steps.step import StepInputs
from hcat.core.scoring.steps.table import prepared_steps, stages_of
from hcat.core.types import JsonValue, OnProgress, Progress, Sample, Score

KEPT = 400_000
"""The most embeddings in memory without a store: about 600 MB. Older ones are dropped, and computed again."""


def score_samples(
    samples: Sequence[Sample],
    *,
    metrics: str | Sequence[str],
    models: ModelSet,
    store: EmbeddingStore | None = None,
    seed: int = 7,
    on_progress: OnProgress | None = None,
) -> ScoreTable:
    """Score every sample on every metric. A sample that a metric can't score has the reason instead.

    "all" means the metrics that the samples and the models allow; the table's provenance says why others are left out.
    With a store, embeddings are read from it and saved there, so that an interrupted call resumes and a second one is
    cheap; the scores are the same either way. Progress counts samples, in the stages of the steps that run
    (`hcat.core.scoring.steps.table.STEPS`) and finally "score". Raises UnknownMetricError, FileFormatError when two
    samples have one id, and ModelError if a named metric needs an encoder and there is none."""
    overview = read_overview(samples, metrics, models)
    chosen = overview.choice.metrics
    inputs = StepInputs(chosen, models, embeddings(store), samples)
    report = None if on_progress is None else OverallProgress((*stages_of(inputs), SCORE), on_progress)
    scores = Scorer(inputs).scores(samples, report)
    return score_table(
        overview.ids,
        scores,
        overview.provenance(models, seed=seed),
        answer_states=[answer_state(sample) for sample in samples],
        clusters=overview.clusters,
        probabilities=overview.probabilities,
    )


class Scorer:
    """Scores parts of a run, with steps that are prepared once."""

    def __init__(self, inputs: StepInputs) -> None:
        self.metrics = inputs.metrics
        self._steps = prepared_steps(inputs)

    def scores(
        self, samples: Sequence[Sample], on_progress: OnProgress | None, *, start: int = 0, total: int | None = None
    ) -> dict[str, list[Score]]:
        """The scores of each metric, in the order of the samples: a part of a run, from position `start` of `total`."""
        scores: dict[str, list[Score]] = {metric.name: [] for metric in self.metrics}
        of, done = len(samples) if total is None else total, start
        for block in self.blocks(samples, on_progress, start=start, total=of):
            for sample in block:
                for metric in self.metrics:
                    scores[metric.name].append(metric(sample).score)
                done += 1
                if on_progress is not None:
                    on_progress(Progress(SCORE, done, of))
        return scores

    def blocks(
        self, samples: Samples, on_progress: OnProgress | None, *, start: int = 0, total: int | None = None
    ) -> Iterator[Block]:
        """The samples in blocks, each with all results that the metrics read."""
        of = len(samples) if total is None else total
        for first, segmented in segmented_blocks(samples):
            block, size = segmented, len(segmented)
            report = None if on_progress is None else in_samples(on_progress, start=start + first, size=size, total=of)
            for run in self._steps:
                block = run(block, report)
            yield block


def explanations(
    samples: Samples,
    *,
    metrics: str | Sequence[str],
    models: ModelSet,
    store: EmbeddingStore | None = None,
    among: Sequence[Sample] | None = None,
) -> Iterator[dict[str, JsonValue]]:
    """One object per sample and metric: `sample_id`, `metric`, `score` (None = unscored), `explanation`.

    `among` are the samples of the whole run if `samples` is a part of it: some metrics read them
    (`Metric.reads_whole_run`)."""
    chosen = choose(metrics, samples, unfilled=models.unfilled).metrics
    inputs = StepInputs(chosen, models, embeddings(store), samples if among is None else among)
    for block in Scorer(inputs).blocks(samples, None):
        yield from explained(block, chosen)


def explain_sample(
    sample: Sample,
    *,
    metrics: str | Sequence[str],
    models: ModelSet,
    store: EmbeddingStore | None = None,
    among: Sequence[Sample] | None = None,
) -> dict[str, JsonValue]:
    """The explanations of one sample's scores: metric → explanation, ready for JSON. `among` is its whole run."""
    found = explanations([sample], metrics=metrics, models=models, store=store, among=among)
    return {str(record["metric"]): record["explanation"] for record in found}


def embeddings(store: EmbeddingStore | None) -> EmbeddingStore:
    """The store, or a cache of limited size in memory."""
    return store or MemoryEmbeddings(most=KEPT)


def explained(block: Block, metrics: Sequence[Metric]) -> Iterator[dict[str, JsonValue]]:
    """The objects of `explanations`, for one block."""
    for sample in block:
        for metric in metrics:
            outcome = metric(sample)
            yield {
                "sample_id": sample.sample.id,
                "metric": metric.name,
                "score": outcome.score.value,
                "explanation": outcome.explain(),
            }
