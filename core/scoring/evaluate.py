"""From a run's samples to scores: each text segmented once, each distinct sentence encoded once, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core import __version__
from core.errors import FileFormatError
from core.metrics.declaration import Metric
from core.metrics.registry import Choice, choose
from core.metrics.sample_view import SampleView
from core.models.cache import EmbeddingStore, MemoryEmbeddings
from core.models.model_set import ModelSet
from core.records.clusters import cluster_sources, clusters_of
from core.records.design_weights import design_probabilities
from core.records.run_file import content_hash
from core.refusals.state import answer_state
from core.scoring.block import Block, OnProgress, in_samples, segmented_blocks
from core.scoring.overall import SCORE, OverallProgress
from core.scoring.provenance import Provenance
from core.scoring.score_table import ScoreTable, score_table
from core.scoring.steps.step import StepInputs
from core.scoring.steps.table import metric_parameters, prepared_steps, stages_of
from core.types import JsonValue, Progress, Sample, Score

KEPT = 400_000
"""Embeddings kept in memory where there is no store: some 600 MB. Older ones are forgotten, and computed again."""


def score_samples(
    samples: Sequence[Sample],
    *,
    metrics: str | Sequence[str],
    models: ModelSet,
    store: EmbeddingStore | None = None,
    seed: int = 7,
    on_progress: OnProgress | None = None,
) -> ScoreTable:
    """Score every sample on every metric. A sample that a metric can't score carries the reason instead.

    "all" takes the metrics that the samples and the models allow; the table's provenance says why others are left
    out. With a store, embeddings are taken from it and kept there, so that an interrupted call resumes and a second
    one is cheap; the scores are the same either way. Progress counts samples, in the stages of the steps that run
    (`core.scoring.steps.table.STEPS`) and at last "score". Raises UnknownMetricError, FileFormatError when two samples
    have one id, and ModelError where a named metric needs an encoder and there is none.
    """
    choice = choose(metrics, samples, unfilled=models.unfilled)
    _check_ids(samples)
    scores: dict[str, list[Score]] = {metric.name: [] for metric in choice.metrics}
    done = 0
    inputs = StepInputs(choice.metrics, models, _kept(store), samples)
    report = None if on_progress is None else OverallProgress((*stages_of(inputs), SCORE), on_progress)
    for block in _prepared(samples, inputs, report):
        for sample in block:
            for metric in choice.metrics:
                scores[metric.name].append(metric(sample).score)
            done += 1
            if report is not None:
                report(Progress(SCORE, done, len(samples)))
    states = [answer_state(sample) for sample in samples]
    provenance = _provenance(samples, choice, models, seed)
    ids, cluster_of = [sample.id for sample in samples], clusters_of(samples)
    clusters, drawn = [cluster_of[sample_id] for sample_id in ids], design_probabilities(samples)
    return score_table(ids, scores, provenance, answer_states=states, clusters=clusters, probabilities=drawn)


def explanations(
    samples: Sequence[Sample],
    *,
    metrics: str | Sequence[str],
    models: ModelSet,
    store: EmbeddingStore | None = None,
    among: Sequence[Sample] | None = None,
) -> Iterator[dict[str, JsonValue]]:
    """One object per sample and metric: `sample_id`, `metric`, `score` (None = unscored), `explanation`.

    `among` are the samples of the whole run where `samples` is a part of it: some metrics read them
    (`Metric.reads_whole_run`).
    """
    chosen = choose(metrics, samples, unfilled=models.unfilled).metrics
    inputs = StepInputs(chosen, models, _kept(store), samples if among is None else among)
    for block in _prepared(samples, inputs, None):
        for sample in block:
            for metric in chosen:
                yield _explained(sample, metric)


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


def _prepared(samples: Sequence[Sample], inputs: StepInputs, on_progress: OnProgress | None) -> Iterator[Block]:
    """The samples in blocks, each with all that the metrics read of it."""
    steps = prepared_steps(inputs)
    for start, segmented in segmented_blocks(samples):
        block, size = segmented, len(segmented)
        report = None if on_progress is None else in_samples(on_progress, start=start, size=size, total=len(samples))
        for run in steps:
            block = run(block, report)
        yield block


def _kept(store: EmbeddingStore | None) -> EmbeddingStore:
    return store or MemoryEmbeddings(most=KEPT)


def _explained(sample: SampleView, metric: Metric) -> dict[str, JsonValue]:
    outcome = metric(sample)
    return {
        "sample_id": sample.sample.id,
        "metric": metric.name,
        "score": outcome.score.value,
        "explanation": outcome.explain(),
    }


def _provenance(samples: Sequence[Sample], choice: Choice, models: ModelSet, seed: int) -> Provenance:
    return Provenance(
        version=__version__,
        run_hash=content_hash(samples),
        metrics=tuple(metric.name for metric in choice.metrics),
        models=models.revisions({role for metric in choice.metrics for role in metric.models}),
        seed=seed,
        parameters={metric.name: given for metric in choice.metrics if (given := metric_parameters(metric, models))},
        left_out=choice.left_out,
        cluster_sources=cluster_sources(samples),
        models_of={metric.name: _names(metric, models) for metric in choice.metrics if metric.models},
    )


def _names(metric: Metric, models: ModelSet) -> tuple[str, ...]:
    filled = models.by_role
    return tuple(dict.fromkeys(filled[role].name for role in metric.models if role in filled))


def _check_ids(samples: Sequence[Sample]) -> None:
    seen: set[str] = set()
    for sample in samples:
        if sample.id in seen:
            raise FileFormatError(f"Two samples have the id {sample.id!r}: ids must be unique within a run.")
        seen.add(sample.id)
