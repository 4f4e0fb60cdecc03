"""A run's samples in blocks: those whose sentences and embeddings are in memory at one time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.records.samples.right_answers import with_nearest_reference
from hcat.core.text import sentences
from hcat.core.types import OnProgress, Progress, Sample

BLOCK = 500
"""Samples per block."""

Block = Sequence[SampleView]


def segmented_blocks(samples: Iterable[Sample]) -> Iterator[tuple[int, Block]]:
    """Each block's first position in the run, and its samples in sentences; equal texts are segmented once.

    Of several right answers of a sample, the reference is that which shares most words with its answer.
    """
    segment = lru_cache(maxsize=16 * BLOCK)(sentences)
    coming, start = iter(samples), 0
    while some := list(islice(coming, BLOCK)):
        yield (
            start,
            [
                SampleView(sample, {part: placed_sentences(sample, part, segment) for part in PARTS})
                for sample in map(with_nearest_reference, some)
            ],
        )
        start += len(some)


def in_samples(on_progress: OnProgress, *, start: int, size: int, total: int) -> OnProgress:
    """Converts the progress of a block to a number of the run's samples."""
    return lambda step: on_progress(Progress(step.stage, start + size * step.done // step.total, total))
