"""Parts of scoring measured as ratios against what they replace: transport, segmentation, entailment, ragas."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.inputs import Input
from benchmarks.rows import Measured
from benchmarks.scoring import distinct_sentences, plain_encoder
from benchmarks.timing import interleaved
from hcat.core.metrics.registry import METRICS
from hcat.core.metrics.sample_view import placed_sentences
from hcat.core.metrics.transport import cosine_distances, least_cost
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.entailment import EntailmentModel, EntailmentResult, Pair
from hcat.core.models.nli.loading import ENTAILMENT, load_entailment
from hcat.core.scoring.evaluate import score_samples
from hcat.core.text import estimated_pieces, sentences
from hcat.core.types import Sample

PROBLEMS = 2_000
ENCODER_PIECES = 256
"""Word pieces that the packaged encoder reads of a text."""
ANSWER_METRICS = ["answer_recall", "answer_precision", "answer_f1"]
ENTAILMENT_METRICS = [metric.name for metric in METRICS if {"entailment", "verifier"} & set(metric.models)]


def transport(data: Input, pairs: int) -> Iterator[Measured]:
    """POT's `emd2` in a loop against ours, on random embedded sentences: ragged sizes, and the input's own sizes."""
    import ot

    rng = np.random.default_rng(3)
    ragged = [(int(rng.integers(1, 21)), int(rng.integers(1, 9))) for _ in range(PROBLEMS)]
    for name, sizes in (("1–20 × 1–8 sentences", ragged), (f"sizes of {data.name}", _sizes(data.samples))):
        problems = [_distances(rng, n, k) for n, k in sizes]

        def library(problems: Sequence[NDArray[np.float64]] = problems) -> None:
            for costs in problems:
                n, k = costs.shape
                ot.emd2(np.full(n, 1 / n), np.full(k, 1 / k), costs)

        def ours(problems: Sequence[NDArray[np.float64]] = problems) -> None:
            for costs in problems:
                least_cost(costs)

        ours()
        note = f"{len(problems)} problems"
        ratio = interleaved(library, ours, pairs=pairs)
        yield Measured("transport", name, "ot.emd2 loop / ours", ratio, at_least=8.0, note=note)


def segmentation(data: Input, pairs: int) -> Iterator[Measured]:
    """pysbd against ours on the input's texts, and ours against encoding their distinct sentences."""
    texts = sorted({text for sample in data.samples for text in _texts(sample)})
    encoder, distinct = load_encoder(), distinct_sentences(data.samples)

    def ours() -> None:
        for text in texts:
            sentences(text)

    ours()
    encoder.encode(distinct[:8])
    note = f"{len(texts)} texts, {sum(map(len, texts)) / 1000:.0f} thousand characters"
    try:
        import pysbd
    except ImportError:
        yield Measured("segmentation", data.name, "pysbd / ours", None, at_least=20.0, note="pysbd is not installed")
    else:
        segmenter = pysbd.Segmenter(language="en", clean=False)
        ratio = interleaved(_each(segmenter.segment, texts), ours, pairs=pairs)
        yield Measured("segmentation", data.name, "pysbd / ours", ratio, at_least=20.0, note=note)
    ratio = interleaved(ours, lambda: encoder.encode(distinct), pairs=pairs)
    yield Measured("segmentation", data.name, "segmentation / encoding", ratio, at_most=0.02, note=note)


class _Recorder:
    """An entailment model that remembers the distinct pairs it was asked, and the seconds that it took."""

    def __init__(self) -> None:
        self._model = load_entailment()
        self.name, self.revision, self.pieces = self._model.name, self._model.revision, self._model.pieces
        self.pairs: dict[Pair, None] = {}
        self.seconds = 0.0

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        self.pairs.update(dict.fromkeys(pairs))
        start = time.perf_counter()
        result = self._model.entail(pairs)
        self.seconds += time.perf_counter() - start
        return result


def entailment(data: Input, pairs: int) -> Iterator[Measured]:
    """All metrics by entailment, embeddings at hand, against the model on their distinct pairs and nothing else."""
    encoder, store, recorder = load_encoder(), MemoryEmbeddings(), _Recorder()

    def score(model: EntailmentModel) -> None:
        score_samples(
            data.samples,
            metrics=ENTAILMENT_METRICS,
            models=ModelSet((ENCODER.of(encoder), ENTAILMENT.of(model))),
            store=store,
        )

    score(recorder)
    recorder.seconds, start = 0.0, time.perf_counter()
    score(recorder)
    outside = 1 - recorder.seconds / (time.perf_counter() - start)
    model, distinct = load_entailment(), list(recorder.pairs)
    ratio = interleaved(lambda: score(model), lambda: model.entail(distinct), pairs=pairs)
    note = f"{len(ENTAILMENT_METRICS)} metrics; {len(distinct)} distinct pairs; {outside:.1%} of it outside the model"
    yield Measured("entailment", data.name, "NLI stage / bare forward", ratio, at_most=1.05, note=note)
    yield cost_of_entailment(data, lambda: score(model), passes=len(distinct))


def cost_of_entailment(data: Input, score: Callable[[], None], *, passes: int) -> Measured:
    """What 1,000 answers of this length cost: seconds of scoring, forward passes, and the most memory so far."""
    start = time.perf_counter()
    score()
    thousands = sum(sample.answer is not None for sample in data.samples) / 1000
    words = np.mean([len(sample.answer.split()) for sample in data.samples if sample.answer is not None])
    note = (
        f"per 1,000 answers of {words:.0f} words: {(time.perf_counter() - start) / thousands:.0f} s, "
        f"{passes / thousands:.0f} forward passes; at most {_megabytes():.0f} MB of memory so far"
    )
    return Measured("entailment", data.name, "cost of the NLI stage", None, note=note)


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ragas(data: Input, pairs: int) -> Iterator[Measured]:
    """ragas' `SemanticSimilarity` over the library's encode, one text per call, against our three answer metrics."""
    what = "ragas SemanticSimilarity / ours"
    samples = [sample for sample in data.samples if (sample.answer or "").strip() and (sample.reference or "").strip()]
    scorer = _ragas_scorer()
    if isinstance(scorer, str):
        yield Measured("ragas", data.name, f"{what}, cold", None, at_least=4.0, note=scorer)
        return
    encoder, store = load_encoder(), MemoryEmbeddings()

    def ours(store: MemoryEmbeddings | None = None) -> None:
        score_samples(samples, metrics=ANSWER_METRICS, models=ModelSet((ENCODER.of(encoder),)), store=store)

    ours(store)
    scorer(samples[:1])
    note = f"{_answers_note(samples)}; ragas: one vector a text, cut after 256 pieces"
    ratio = interleaved(lambda: scorer(samples), ours, pairs=pairs)
    yield Measured("ragas", data.name, f"{what}, cold", ratio, at_least=4.0, note=note)
    ratio = interleaved(lambda: scorer(samples), lambda: ours(store), pairs=pairs)
    note = "ours from cached embeddings; ragas caches none"
    yield Measured("ragas", data.name, f"{what}, warm", ratio, at_least=4.0, note=note)


def _answers_note(samples: Sequence[Sample]) -> str:
    """What each side encodes: ragas two texts a sample, ours each distinct sentence of them once. Where the word
    pieces are about as many, only what a call costs can differ."""
    texts = [text for sample in samples for text in (sample.answer, sample.reference) if text]
    ours = {sentence.text for text in texts for sentence in sentences(text)}
    theirs = sum(min(ENCODER_PIECES, estimated_pieces(text)) for text in texts)
    pieces = f"{sum(map(estimated_pieces, ours)) / 1000:.0f} against {theirs / 1000:.0f} thousand word pieces"
    return f"{len(samples)} samples; {len(ours)} distinct sentences against {len(texts)} texts, {pieces}"


def _ragas_scorer() -> Callable[[Sequence[Sample]], None] | str:
    """Scores samples by ragas 0.4 or later; or says why that can't be done."""
    try:
        from ragas.embeddings.base import BaseRagasEmbedding
        from ragas.metrics.collections import SemanticSimilarity
    except ImportError as error:
        return f"not measured: ragas 0.4 can't be imported here, and hcat does not install it ({error})"
    import asyncio

    class Wrapped(BaseRagasEmbedding):  # type: ignore[misc]
        """The same model under ragas' own interface."""

        def embed_text(self, text: str, **_: object) -> list[float]:
            return [float(value) for value in plain_encoder().encode([text])[0]]

        async def aembed_text(self, text: str, **_: object) -> list[float]:
            return self.embed_text(text)

    metric = SemanticSimilarity(embeddings=Wrapped())

    async def score(samples: Sequence[Sample]) -> None:
        for sample in samples:
            await metric.ascore(reference=sample.reference, response=sample.answer)

    return lambda samples: asyncio.run(score(samples))


def _sizes(samples: Sequence[Sample]) -> list[tuple[int, int]]:
    counts = [
        (len(placed_sentences(sample, "contexts", sentences)), len(placed_sentences(sample, "answer", sentences)))
        for sample in samples
    ]
    return [(n, k) for n, k in counts if n and k]


def _distances(rng: np.random.Generator, n: int, k: int) -> NDArray[np.float64]:
    shared = rng.normal(size=384)
    rows = rng.normal(size=(n + k, 384)) + shared
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return cosine_distances(rows[:n] @ rows[n:].T)


def _texts(sample: Sample) -> list[str]:
    texts = [sample.query, sample.answer, sample.reference, *(passage.text for passage in sample.contexts)]
    return [text for text in texts if text]


def _each(job: Callable[[str], object], texts: Sequence[str]) -> Callable[[], None]:
    def run() -> None:
        for text in texts:
            job(text)

    return run
