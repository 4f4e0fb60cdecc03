"""A forecast of what scoring a run will take, from scoring its first samples."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from hcat.core.jobs.forecast import Forecast
from hcat.core.metrics.declaration import Metric
from hcat.core.metrics.registry import choose
from hcat.core.models.cache import EmbeddingStore, MemoryEmbeddings, ParquetEmbeddings
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.model_set import ModelSet
from hcat.core.models.opened import OpenModels
from hcat.core.models.verifier import DEFAULT_VERIFIER, VERIFIER
from hcat.core.scoring.evaluate import Scorer
from hcat.core.scoring.overview import Samples
from hcat.core.scoring.shards.shard import SHARD, shard_bytes
from hcat.core.scoring.steps.step import StepInputs
from hcat.core.types import Sample

FORECAST_FROM = 10_000
"""The least number of samples for a forecast."""
FIRST, MOST, ENOUGH_SECONDS = 16, 512, 3.0
"""Samples are measured in parts that double, until one took so long or was so large.

The first, in which everything needed is loaded, does not count if there is another."""
BYTES_A_ROW, BYTES_A_SCORE = 1_200, 120
"""The bytes in memory for each sample, and for each of its scores, until the table is written."""


def scoring_forecast(
    samples: Samples,
    *,
    metrics: str | Sequence[str],
    open_models: Callable[[], OpenModels],
    root: str,
    beside: Path | None = None,
) -> Forecast:
    """The time, memory and disk for scoring the samples.

    The shards and embeddings go to `root`, the table to the folder `beside`. Texts that occur again later are
    encoded once, so that it may take less. Requests to a language model are left out. Raises UnknownMetricError and
    ModelError."""
    models, store = open_models()
    head = list(islice(iter(samples), FIRST + MOST))
    chosen = _without_language_model(choose(metrics, head, unfilled=models.unfilled).metrics, models)
    with tempfile.TemporaryDirectory() as folder:
        kept: EmbeddingStore = (
            MemoryEmbeddings() if store is None else ParquetEmbeddings(folder, revision=models[ENCODER].revision)
        )
        scorer = Scorer(StepInputs(chosen, models, kept, head))
        seconds, measured, stored = _measured(scorer, head)
        cached = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    n = len(samples)
    memory = BYTES_A_ROW * n + BYTES_A_SCORE * n * len(chosen) + SHARD * _bytes_of(head)
    disk: dict[Path, float] = {} if beside is None else {beside: stored * n}
    if "://" not in root:
        disk[Path(root)] = disk.get(Path(root), 0.0) + (stored + cached / measured) * n
    return Forecast(n, seconds * n, memory, disk)


def _measured(scorer: Scorer, head: Sequence[Sample]) -> tuple[float, int, float]:
    """Processor seconds per sample in the last part, its number of samples, and bytes of a sample's scores."""
    start, size, rate, stored = 0, FIRST, 0.0, 0.0
    while part := head[start : start + size]:
        began = time.process_time()
        scores = scorer.scores(part, None)
        spent = time.process_time() - began
        rate, stored = spent / len(part), len(shard_bytes(part, scores)) / len(part)
        start += len(part)
        if start > FIRST and spent > ENOUGH_SECONDS / 2:
            break
        size = min(2 * size, MOST)
    return rate, start, stored


def _without_language_model(metrics: Sequence[Metric], models: ModelSet) -> tuple[Metric, ...]:
    asked = {LANGUAGE.name} if models.verifier == DEFAULT_VERIFIER else {LANGUAGE.name, VERIFIER.name}
    return tuple(metric for metric in metrics if asked.isdisjoint(metric.models))


def _bytes_of(head: Sequence[Sample]) -> float:
    """The bytes that a sample's texts take in memory while its shard is scored: many times their length."""
    lengths = (len(s.query) + len(s.answer or "") + sum(len(c.text) for c in s.contexts) for s in head)
    return 40 * sum(lengths) / max(len(head), 1)
