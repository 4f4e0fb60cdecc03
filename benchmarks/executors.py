"""Scoring in shards: by Ray's workers against this process, against scoring in one go, and how its cost grows.

`python -m benchmarks.executors sharded|whole SAMPLES FOLDER` is the child of the growth rows, with the stub encoder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growth import NAMES, StubEncoder, each_sample
from benchmarks.growth_rows import Command, growth, measure
from benchmarks.rows import Measured
from benchmarks.timing import Ratio, interleaved
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.model_set import ModelSet
from hcat.core.models.opened import OpenModels
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.shards.sharded import scored_in_shards
from hcat.core.types import Sample

WORKERS = 2
SAMPLES, MOST_PAIRS = 4_000, 2
"""Samples and pairs of the Ray row: what starting a cluster takes is shared among them, and it ends in minutes."""
MOST_GIGABYTES = 2.0
COMMAND_METRICS = ("groundedness", "completeness", "answer_relevancy", "answer_f1")


@dataclass(frozen=True, slots=True)
class MadeUp:
    """So many made-up samples, made anew each time that they are gone through."""

    count: int

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Sample]:
        return each_sample(self.count)


def rows(options: argparse.Namespace) -> Iterator[Measured]:
    """Ray's workers, shards against one go at the smallest size, and growth."""
    yield _ray(min(options.pairs, MOST_PAIRS))
    yield _whole(options.sizes[0])
    yield from growth(
        "executors", _child("sharded"), options.sizes, 1.1, what="samples in shards", at_most_gigabytes=MOST_GIGABYTES
    )


def _whole(size: int) -> Measured:
    shards, one_go = (measure(_child(way), size) for way in ("sharded", "whole"))
    ratio = Ratio(*[shards.seconds / one_go.seconds] * 3, shards.seconds, one_go.seconds, 1)
    note = f"processor time, stub encoder; shards {shards}; one go {one_go}"
    return Measured("executors", f"{size:,} made-up samples", "in shards / in one go", ratio, 1.25, note=note)


def _child(way: str) -> Command:
    return lambda size, folder: (sys.executable, "-m", "benchmarks.executors", way, str(size), str(folder))


def _ray(pairs: int) -> Measured:
    """`hcat score` with the packaged encoder, from its start to its end, with an empty cache each time."""
    with tempfile.TemporaryDirectory() as place:
        run = Path(place, "run.jsonl")
        run.write_text(to_jsonl(MadeUp(SAMPLES)), "utf-8")
        scores = {engine: Path(place, f"{engine}.parquet") for engine in ("ray", "local")}
        ratio = interleaved(
            lambda: _command(run, scores["ray"], "ray", "--workers", str(WORKERS)),
            lambda: _command(run, scores["local"], "local"),
            pairs=pairs,
        )
        if scores["ray"].read_bytes() != scores["local"].read_bytes():
            raise RuntimeError("Ray's scores are not those of this process")
    note = f"{len(COMMAND_METRICS)} metrics, the whole command with reading and starting; the same bytes"
    return Measured("executors", f"{SAMPLES:,} made-up samples", "Ray, 2 workers / local", ratio, 1.25, note=note)


def _command(run: Path, output: Path, engine: str, *options: str) -> None:
    command = (sys.executable, "-m", "hcat.dashboard.cli", "score", str(run), "-o", str(output), "--metrics")
    with tempfile.TemporaryDirectory() as artifacts:
        subprocess.run(
            [*command, ",".join(COMMAND_METRICS), "--engine", engine, *options],
            check=True,
            capture_output=True,
            env={**os.environ, "HCAT_ARTIFACTS": artifacts},
        )


def main() -> None:
    """The child's work: score in one of two ways, and print the processor seconds."""
    way, count, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    models = ModelSet((ENCODER.of(StubEncoder()),))
    score_samples(list(MadeUp(10)), metrics=NAMES, models=models)  # what is loaded on first use
    start = time.process_time()
    if way == "whole":
        score_samples(list(MadeUp(count)), metrics=NAMES, models=models).write(folder / "scores.parquet")
    else:
        with scored_in_shards(
            MadeUp(count), metrics=NAMES, open_models=lambda: OpenModels(models), root=str(folder)
        ) as table:
            written = sum(file.stat().st_size for file in folder.rglob("*.parquet"))
            table.write(folder / "scores.parquet")
        print(f"{written / 1e6:.1f} MB in shards")
    print(json.dumps({"seconds": time.process_time() - start}))


if __name__ == "__main__":
    main()
