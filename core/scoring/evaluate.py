"""A run's samples to scores: each text segmented once, each distinct sentence encoded once, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core import __version__
from core.errors import FileFormatError
from core.metrics.registry import Choice, Metric, choose
from core.metrics.sample_view import PARTS, PlacedSentence, SampleView, parts_of, placed_sentences, unit_rows
from core.models.cache import EmbeddingStore, MemoryEmbeddings, embed_texts
from core.models.encoder.encoder import Encoder
from core.models.llm.language import LanguageModel
from core.models.llm.reverse_questions import reverse_parameters
from core.models.model_set import Decider, ModelSet
from core.models.nli.entailment import EntailmentModel
from core.records.run_file import content_hash
from core.scoring.score_table import Provenance, ScoreTable, score_table
from core.scoring.steps.ask_questions import QuestionStep
from core.scoring.steps.match_tokens import TokenStep
from core.scoring.steps.verify_claims import ClaimStep
from core.text import Sentence, sentences
from core.types import JsonValue, Progress, Sample, Score

BLOCK = 500
"""Samples a block: what is held in memory as sentences and embeddings at one time."""
KEPT = 400_000
"""Embeddings kept in memory where there is no store: some 600 MB. Older ones are forgotten, and computed again."""

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
    language: LanguageModel | None = None,
    claims: Decider = "nli",
    store: EmbeddingStore | None = None,
    seed: int = 7,
    on_progress: OnProgress | None = None,
) -> ScoreTable:
    """Score every sample on every metric. A sample that a metric can't score carries the reason instead.

    "all" takes the metrics that the samples and the models allow; the table's provenance says why others are left
    out. Claims are judged by `entailment`, or with `claims` = "llm" by `language`. With a store, embeddings are taken
    from it and kept there, so that an interrupted call resumes and a second one is cheap; the scores are the same
    either way. Progress counts samples, in the stages "match", "encode", "judge", "ask" and "score".
    Raises UnknownMetricError, and FileFormatError when two samples have one id.
    """
    models = ModelSet(encoder, entailment, language, claims)
    choice = choose(metrics, samples, roles=models.by_role)
    _check_ids(samples)
    scores: dict[str, list[Score]] = {metric.name: [] for metric in choice.metrics}
    done = 0
    for block in _prepared(samples, choice.metrics, models, store, on_progress):
        for sample in block:
            for metric in choice.metrics:
                scores[metric.name].append(metric(sample).score)
        done += len(block)
        if on_progress is not None:
            on_progress(Progress("score", done, len(samples)))
    return score_table([sample.id for sample in samples], scores, _provenance(samples, choice, models, seed))


def explanations(
    samples: Sequence[Sample],
    *,
    metrics: str | Sequence[str],
    encoder: Encoder,
    entailment: EntailmentModel | None = None,
    language: LanguageModel | None = None,
    claims: Decider = "nli",
    store: EmbeddingStore | None = None,
    among: Sequence[Sample] | None = None,
) -> Iterator[dict[str, JsonValue]]:
    """One object a sample and metric: `sample_id`, `metric`, `score` (None = unscored), `explanation`.

    `among` are the samples of the whole run where `samples` is a part of it: metrics weighted by idf read them.
    """
    models = ModelSet(encoder, entailment, language, claims)
    chosen = choose(metrics, samples, roles=models.by_role).metrics
    for block in _prepared(samples, chosen, models, store, None, among):
        for sample in block:
            for metric in chosen:
                yield _explained(sample, metric).record()


def explain_sample(
    sample: Sample,
    *,
    metrics: str | Sequence[str],
    encoder: Encoder,
    entailment: EntailmentModel | None = None,
    language: LanguageModel | None = None,
    claims: Decider = "nli",
    store: EmbeddingStore | None = None,
    among: Sequence[Sample] | None = None,
) -> dict[str, JsonValue]:
    """What stands behind one sample's scores: metric → explanation, ready for JSON. `among` is its whole run."""
    found = explanations(
        [sample],
        metrics=metrics,
        encoder=encoder,
        entailment=entailment,
        language=language,
        claims=claims,
        store=store,
        among=among,
    )
    return {str(record["metric"]): record["explanation"] for record in found}


def _prepared(
    samples: Sequence[Sample],
    metrics: Sequence[Metric],
    models: ModelSet,
    store: EmbeddingStore | None,
    on_progress: OnProgress | None,
    among: Sequence[Sample] | None = None,
) -> Iterator[list[SampleView]]:
    """The samples in blocks, each with all that the metrics read of it: sentences, embeddings, verdicts.

    What another metric reads of a whole block at once is one more step here.
    """
    kept = store or MemoryEmbeddings(most=KEPT)
    judging, questions = ClaimStep(metrics, models), QuestionStep(metrics, models)
    tokens = TokenStep(metrics, models.encoder, samples if among is None else among)
    segment = lru_cache(maxsize=16 * BLOCK)(sentences)
    for start in range(0, len(samples), BLOCK):
        report = None if on_progress is None else _in_samples(on_progress, start, samples)
        block = [_segmented(sample, segment) for sample in samples[start : start + BLOCK]]
        block = tokens.matched(block, kept, report)
        block = _embedded(block, metrics, models.encoder, kept, report)
        block = judging.judged(block, report)
        yield questions.asked(block, kept, report)


def _segmented(sample: Sample, segment: Callable[[str], tuple[Sentence, ...]]) -> SampleView:
    return SampleView(sample, {part: placed_sentences(sample, part, segment) for part in PARTS})


def _embedded(
    block: Sequence[SampleView],
    metrics: Sequence[Metric],
    encoder: Encoder,
    store: EmbeddingStore,
    report: OnProgress | None,
) -> list[SampleView]:
    """The samples with unit rows of the parts that the metrics need."""
    parts = {
        part for metric in metrics if "encoder" in metric.models for need in metric.needs for part in parts_of(need)
    }
    texts = {placed.sentence.text for sample in block for part in parts for placed in sample.parts[part]}
    rows = embed_texts(texts, encoder=encoder, store=store, on_progress=report)
    return [_with_rows(sample, parts, rows) for sample in block]


def _with_rows(sample: SampleView, parts: set[str], rows: Rows) -> SampleView:
    matrices = {part: _matrix(sample.parts[part], rows) for part in parts if sample.parts[part]}
    return replace(sample, rows=matrices)


def _matrix(placed: Sequence[PlacedSentence], rows: Rows) -> NDArray[np.float64]:
    return unit_rows([rows[one.sentence.text] for one in placed])


def _in_samples(on_progress: OnProgress, start: int, samples: Sequence[Sample]) -> OnProgress:
    """Tell how much of a block is done as a number of samples."""
    size, total = min(BLOCK, len(samples) - start), len(samples)
    return lambda step: on_progress(Progress(step.stage, start + size * step.done // step.total, total))


def _explained(sample: SampleView, metric: Metric) -> Explained:
    outcome = metric(sample)
    return Explained(sample.sample.id, metric.name, outcome.score, outcome.explain())


def _provenance(samples: Sequence[Sample], choice: Choice, models: ModelSet, seed: int) -> Provenance:
    used = {models.judging if role == "judge" else role for metric in choice.metrics for role in metric.models}
    return Provenance(
        version=__version__,
        run_hash=content_hash(samples),
        metrics=tuple(metric.name for metric in choice.metrics),
        models={model.name: model.revision for role, model in models.by_role.items() if role in used},
        seed=seed,
        parameters={metric.name: given for metric in choice.metrics if (given := _parameters(metric, models))},
        left_out=choice.left_out,
    )


def _parameters(metric: Metric, models: ModelSet) -> dict[str, JsonValue]:
    """What the metric was computed with: its own parameters, and who judged claims."""
    given = dict(metric.parameters)
    if "judge" in metric.models and models.judge is not None:
        given["judge"] = models.judge_record
    if "language" in metric.models and models.language is not None:
        given |= reverse_parameters(models.language)
    return given


def _check_ids(samples: Sequence[Sample]) -> None:
    seen: set[str] = set()
    for sample in samples:
        if sample.id in seen:
            raise FileFormatError(f"Two samples have the id {sample.id!r}: ids must be unique within a run.")
        seen.add(sample.id)
