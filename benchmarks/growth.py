"""`python -m benchmarks.growth SAMPLES`: score so many made-up samples in this process; print seconds and peak memory.

The encoder is a stub (a fixed random unit row for each of 4,096 hashes), so that it takes minutes: everything
around the encoder is measured. One sentence in three is new to the run, the rest repeat.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.rows import Measured
from benchmarks.timing import Ratio
from hcat.core.metrics.registry import METRICS
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.evaluate import score_samples
from hcat.core.types import Passage, Sample

PASSAGES = 2_000
MOST_GIGABYTES = 4.0
REPEATS = 3
"""Runs of each size: their medians are compared."""
NAMES = [metric.name for metric in METRICS if metric.models == ("encoder",)]
"""The metrics of sentence similarity: other work on text costs the same per sample at any number of samples."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The time and memory of a child process."""

    samples: int
    seconds: float
    peak_gigabytes: float


class StubEncoder:
    """Rows by a checksum of the text, so that there is nothing to compute."""

    name, revision, dimension = "stub", "0" * 64, 384

    def __init__(self) -> None:
        rows = np.random.default_rng(0).normal(size=(4096, self.dimension)).astype(np.float32)
        self._rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._rows[[zlib.crc32(text.encode()) % len(self._rows) for text in texts]]


def samples(count: int) -> list[Sample]:
    """The same samples at once."""
    return list(each_sample(count))


def each_sample(count: int) -> Iterator[Sample]:
    """Made-up samples: three passages out of two thousand, an answer that is partly the sample's own, a reference."""
    rng = np.random.default_rng(1)
    passages = [
        Passage(f"p{number}", " ".join(f"Item {number} of area {area} rose by {number % 90}%." for area in range(4)))
        for number in range(PASSAGES)
    ]
    chosen = rng.integers(PASSAGES, size=(count, 3))
    for number in range(count):
        yield Sample(
            f"s{number}",
            f"By how much did item {number % 5_000} rise?",
            f"It rose by {number % 90}%. In case {number}, area {number % 7} was spared.",
            tuple(passages[index] for index in chosen[number]),
            f"Item {number % 5_000} rose by {number % 90}%.",
        )


def measure(count: int) -> Growth:
    """Score `count` samples in a child process."""
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", str(count)], check=True, capture_output=True, text=True
    )
    return Growth(**json.loads(process.stdout.splitlines()[-1]))


def rows(count: int) -> Iterator[Measured]:
    """Time from a tenth of the samples to all of them, and the peak memory of the latter against four gigabytes."""
    small, large = _median(count // 10), _median(count)
    name = f"{count:,} made-up samples"
    time_ratio = Ratio(*[large.seconds / small.seconds] * 3, large.seconds, small.seconds, 1)
    peak = f"a tenth peaks at {small.peak_gigabytes:.2f} GB"
    note = f"stub encoder, {len(NAMES)} metrics, processor time, medians of {REPEATS} runs of each size; {peak}"
    yield Measured("growth", name, "time, all / a tenth", time_ratio, at_most=10.5, note=note)
    memory = Ratio(*[large.peak_gigabytes / MOST_GIGABYTES] * 3, large.seconds, large.seconds, 1)
    note = f"peak of the child process: {large.peak_gigabytes:.2f} GB"
    yield Measured("growth", name, "peak memory / 4 GB", memory, at_most=1.0, note=note)


def _median(count: int) -> Growth:
    """The run with the median time."""
    return sorted((measure(count) for _ in range(REPEATS)), key=lambda growth: growth.seconds)[REPEATS // 2]


def main() -> None:
    """The child's work."""
    count = int(sys.argv[1])
    run = samples(count)
    score_samples(run[:10], metrics=NAMES, models=ModelSet((ENCODER.of(StubEncoder()),)))  # what is loaded on first use
    start = time.process_time()  # one thread: what else the machine does is left out
    score_samples(run, metrics=NAMES, models=ModelSet((ENCODER.of(StubEncoder()),)))
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(json.dumps({"samples": count, "seconds": seconds, "peak_gigabytes": peak}))


if __name__ == "__main__":
    main()
