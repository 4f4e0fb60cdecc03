"""Models on a graphics card against the CPU, all its cores at work. Not measured, saying so, where there is no card."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.growth import each_sample
from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core.capabilities.demo.bank import read_handbook
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.devices import CPU, CUDA
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.loading import ENTAILMENT, load_entailment
from hcat.core.models.toxicity.loading import load_toxicity
from hcat.core.scoring.evaluate import score_samples
from hcat.core.text import sentences

TEXTS, PAIRS, SAMPLES = 4_000, 2_000, 400
METRICS = ("groundedness", "completeness", "answer_relevancy", "groundedness_nli", "faithfulness")
Job = Callable[[], object]


def rows(pairs: int) -> Iterator[Measured]:
    """Each model by itself, and the scores of made-up samples with nothing kept from before."""
    import torch

    if not torch.cuda.is_available():
        yield Measured("card", "models", "CPU / graphics card", None, note="no graphics card here")
        return
    torch.set_num_threads(os.cpu_count() or 1)
    card = torch.cuda.get_device_name()
    texts = _texts(TEXTS)
    claims = [(texts[-1 - place % 97], text) for place, text in enumerate(texts[:PAIRS])]
    jobs: tuple[tuple[str, Callable[[str], Job]], ...] = (
        (f"encoder, {len(texts):,} texts", lambda device: _job(load_encoder(device=device).encode, texts)),
        (f"entailment, {len(claims):,} pairs", lambda device: _job(load_entailment(device=device).entail, claims)),
        (f"toxicity, {len(texts):,} texts", lambda device: _job(load_toxicity(device=device).probabilities, texts)),
        (f"{len(METRICS)} metrics of {SAMPLES:,} samples", _scored),
    )
    for name, job_on in jobs:
        on_cpu, on_card = job_on(CPU), job_on(CUDA)
        on_card()
        note = f"{os.cpu_count()} cores and {card}"
        yield Measured("card", name, "CPU / graphics card", interleaved(on_cpu, on_card, pairs=pairs), note=note)


def _job(compute: Callable[[Sequence[Any]], object], items: Sequence[Any]) -> Job:
    return lambda: compute(items)


def _scored(device: str) -> Job:
    models = ModelSet((ENCODER.of(load_encoder(device=device)), ENTAILMENT.of(load_entailment(device=device))))
    samples = list(each_sample(SAMPLES))
    return lambda: score_samples(samples, metrics=METRICS, models=models, store=MemoryEmbeddings())


def _texts(count: int) -> list[str]:
    """So many distinct sentences and passages: the handbook's, each with a number of its own."""
    passages = [passage.text for passage in read_handbook()]
    basis = [*passages, *(sentence.text for text in passages for sentence in sentences(text))]
    return [f"{number}: {basis[number % len(basis)]}" for number in range(count)]
