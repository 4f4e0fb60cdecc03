"""A sampling design over 100,000 passages: its time against reading the file alone, and the memory that it takes."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core.capabilities.test_sets.design import SamplingDesign, draw
from hcat.core.capabilities.test_sets.frame import frame_of
from hcat.core.records.passages import iterate_passages

PASSAGES, DOCUMENTS, CASES, WORDS = 100_000, 500, 1000, 100


def rows(pairs: int) -> Iterator[Measured]:
    """Reading the passages into strata by document and length and drawing the cases, against JSON alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "passages.jsonl"
        _write(path)
        ratio = interleaved(partial(_design, path), partial(_read, path), pairs=min(pairs, 3))
        tracemalloc.start()
        _design(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        megabytes = path.stat().st_size / 1e6
    note = (
        f"{PASSAGES / ratio.upper_seconds:,.0f} passages a second; {peak / 1e6:.0f} MB for a file of {megabytes:.0f} MB"
    )
    yield Measured("design", f"{PASSAGES:,} passages", "design / read the JSON", ratio, note=note)


def _write(path: Path) -> None:
    rng = np.random.default_rng(3)
    with path.open("w", encoding="utf-8") as file:
        for number, words in enumerate(rng.integers(WORDS // 2, 2 * WORDS, PASSAGES).tolist()):
            row = {"id": f"p{number}", "text": "passage " * words, "document": f"d{number % DOCUMENTS}"}
            file.write(json.dumps(row) + "\n")


def _design(path: Path) -> SamplingDesign:
    strata = frame_of(iterate_passages(path), by=("document", "length")).strata
    return draw(strata, CASES, kind="proportional", rng=np.random.default_rng(4))


def _read(path: Path) -> int:
    with path.open(encoding="utf-8") as lines:
        return sum(len(json.loads(line)["text"]) for line in lines)
