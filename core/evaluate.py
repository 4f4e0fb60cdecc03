"""A run's samples to scores: each text segmented once, each distinct sentence encoded once, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core import __version__
from core.claims import ClaimJudge
from core.embeddings import EmbeddingStore, MemoryEmbeddings, embed_texts
from core.errors import FileFormatError
from core.metrics.encoded import PARTS, EncodedSample, PlacedSentence, placed_sentences, unit_rows
from core.metrics.registry import Metric, select
from core.models.encoder import Encoder
from core.models.entailment import EntailmentModel
from core.runs import content_hash
from core.scores import Provenance, ScoreTable, score_table
from core.text import Sentence, sentences
from core.types import JsonValue, Progress, Sample, Score

BLOCK = 500
"""Samples a block: what is held in memory as sentences and embeddings at one time."""

OnProgress = Callable[[Progress], None]
Rows = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Explained:
    """One sample's score on one metric, with what stands behind it."""

    sample_id: str
    metric: str
    score: Score
    explanation: dict[str, JsonValue]

    def record(self) -> dict[str, JsonValue]:
        """The object of the explanations file."""
        return {
            "sample_id": self.sample_id,
            "metric": self.metric,
            "score": self.score.value,
            "explanation": self.explanation,
        }


def score_samples(
    samples: Sequence[Sample],
    *,
    metrics: str | Sequence[str],
    encoder: Encoder,
    entailment: EntailmentModel | None = None,
    language: ClaimJudge | None = None,
    store: EmbeddingStore | None = None,
    seed: int = 7,
    on_progress: OnProgress | None = None,
) -> ScoreTable:
    """Score every sample on every metric. A sample that a metric can't score carries the reason instead.

    Claims are judged by `language` where it is given, else by `entailment`.
    With a store, embeddings are taken from it and kept there, so that an interrupted call resumes and a second one
    is cheap; the scores are the same either way. Progress counts samples, in the stages "encode" and "score".
    Raises UnknownMetricError, and FileFormatError when two samples have one id.
    """
    chosen = select(metrics)
    _check_ids(samples)
    scores: dict[str, list[Score]] = {metric.name: [] for metric in chosen}
    done = 0
    for encoded in _encoded(samples, chosen, encoder, store or MemoryEmbeddings(), on_progress):
        for sample in encoded:
            for metric in chosen:
                scores[metric.name].append(metric(sample).score)
        done += len(encoded)
        if on_progress is not None:
            on_progress(Progress("score", done, len(samples)))
    return score_table([sample.id for sample in samples], scores, _provenance(samples, chosen, encoder, seed))


def explanations(
    samples: Sequence[Sample],
    *,
    metrics: str | Sequence[str],
    encoder: Encoder,
    entailment: EntailmentModel | None = None,
    language: ClaimJudge | None = None,
    store: EmbeddingStore | None = None,
) -> Iterator[dict[str, JsonValue]]:
    """One object a sample and metric: `sample_id`, `metric`, `score` (None = unscored), `explanation`."""
    chosen = select(metrics)
    for encoded in _encoded(samples, chosen, encoder, store or MemoryEmbeddings(), None):
        for sample in encoded:
            for metric in chosen:
                yield _explained(sample, metric).record()


def explain_sample(
    sample: Sample,
    *,
    metrics: str | Sequence[str],
    encoder: Encoder,
    entailment: EntailmentModel | None = None,
    language: ClaimJudge | None = None,
    store: EmbeddingStore | None = None,
) -> dict[str, JsonValue]:
    """What stands behind one sample's scores: metric → explanation, ready for JSON."""
    found = explanations(
        [sample], metrics=metrics, encoder=encoder, entailment=entailment, language=language, store=store
    )
    return {str(record["metric"]): record["explanation"] for record in found}


def _encoded(
    samples: Sequence[Sample],
    metrics: Sequence[Metric],
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: OnProgress | None,
) -> Iterator[list[EncodedSample]]:
    """The samples in blocks, each as sentences with the embeddings that the metrics need."""
    embedded = {part for metric in metrics if "encoder" in metric.models for part in metric.needs}
    segment = lru_cache(maxsize=16 * BLOCK)(sentences)
    for start in range(0, len(samples), BLOCK):
        block = [_segmented(sample, segment) for sample in samples[start : start + BLOCK]]
        texts = {placed.sentence.text for sample in block for part in embedded for placed in sample.parts[part]}
        report = None if on_progress is None else _in_samples(on_progress, start, len(block), len(samples))
        rows = embed_texts(texts, encoder=encoder, store=store, on_progress=report)
        yield [_with_rows(sample, embedded, rows) for sample in block]


def _segmented(sample: Sample, segment: Callable[[str], tuple[Sentence, ...]]) -> EncodedSample:
    return EncodedSample(sample, {part: placed_sentences(sample, part, segment) for part in PARTS})


def _with_rows(sample: EncodedSample, embedded: set[str], rows: Rows) -> EncodedSample:
    matrices = {part: _matrix(sample.parts[part], rows) for part in embedded if sample.parts[part]}
    return EncodedSample(sample.sample, sample.parts, matrices)


def _matrix(placed: Sequence[PlacedSentence], rows: Rows) -> NDArray[np.float64]:
    return unit_rows([rows[one.sentence.text] for one in placed])


def _in_samples(on_progress: OnProgress, start: int, size: int, total: int) -> OnProgress:
    """Tell how many texts of a block are encoded as a number of samples."""
    return lambda step: on_progress(Progress("encode", start + size * step.done // step.total, total))


def _explained(sample: EncodedSample, metric: Metric) -> Explained:
    outcome = metric(sample)
    return Explained(sample.sample.id, metric.name, outcome.score, outcome.explain())


def _provenance(samples: Sequence[Sample], metrics: Sequence[Metric], encoder: Encoder, seed: int) -> Provenance:
    encodes = any("encoder" in metric.models for metric in metrics)
    return Provenance(
        version=__version__,
        run_hash=content_hash(samples),
        metrics=tuple(metric.name for metric in metrics),
        models={encoder.name: encoder.revision} if encodes else {},
        seed=seed,
        parameters={metric.name: dict(metric.parameters) for metric in metrics if metric.parameters},
    )


def _check_ids(samples: Sequence[Sample]) -> None:
    seen: set[str] = set()
    for sample in samples:
        if sample.id in seen:
            raise FileFormatError(f"Two samples have the id {sample.id!r}: ids must be unique within a run.")
        seen.add(sample.id)
