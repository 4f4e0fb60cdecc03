"""Samples and models that cost nothing, for shards that are scored in other processes."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hcat.core.executors.local import LocalExecutor
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.model_set import ModelSet
from hcat.core.models.opened import OpenModels
from hcat.core.scoring.shards import shard
from hcat.core.scoring.shards.sharded import explained_in_shards, scored_in_shards
from hcat.core.types import Passage, Sample

METRICS = ["groundedness", "answer_f1", "answer_relevancy", "refusal"]


class HashEncoder:
    """A unit vector made from the text's hash."""

    name, dimension = "hash", 8

    def __init__(self, revision: str) -> None:
        self.revision = revision

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) for text in texts]
        rows = np.stack([np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def open_stub(revision: str = "a" * 64) -> OpenModels:
    """The encoder alone, and no store."""
    return OpenModels(ModelSet((ENCODER.of(HashEncoder(revision)),)))


def stub_run(n: int) -> list[Sample]:
    """n samples; every fifth has no answer, every seventh no reference."""
    shared = Passage("doc#1", "Every sample has this. And this too.")
    return [
        Sample(
            f"s{i}",
            f"Question {i % 7}?",
            None if i % 5 == 4 else f"Answer {i + 100}. It is so. {'I cannot answer that.' if i % 3 == 0 else ''}",
            (shared, Passage(f"doc#{i}", f"Fact {i} is {i * 7}.")),
            None if i % 7 == 6 else f"Reference {i}.",
        )
        for i in range(n)
    ]


def score_some(store: Path, output: Path, kill_after: int | None, delay: float) -> None:
    """Score 60 shards of two samples; with `kill_after`, SIGKILL so many seconds after so many of them were stored."""
    from tests.core.executors.killing import kill_after_shards

    kill_after_shards(kill_after, delay)
    shard.SHARD = 2
    with scored_in_shards(
        stub_run(120), metrics=METRICS, open_models=open_stub, executor=LocalExecutor(), root=str(store)
    ) as table:
        table.write(output)


def explain_some(store: Path, output: Path, kill_after: int | None, delay: float) -> None:
    """Explain the scores of 60 shards of two samples, to be killed alike."""
    from tests.core.executors.killing import kill_after_shards

    kill_after_shards(kill_after, delay)
    shard.SHARD = 2
    parts = explained_in_shards(
        stub_run(120), metrics=METRICS, open_models=open_stub, executor=LocalExecutor(), root=str(store)
    )
    output.write_bytes(b"".join(parts))


def score_by_ray(store: Path, output: Path) -> None:
    """Score three shards by one worker of a cluster on this machine."""
    from hcat.core.executors.ray_cluster import RayExecutor

    shard.SHARD = 10
    started: list[int] = []
    executor = RayExecutor(workers=1, on_workers=started.append)
    with scored_in_shards(
        stub_run(30), metrics=METRICS, open_models=open_stub, executor=executor, root=str(store)
    ) as table:
        table.write(output)
    assert started == [1]


if __name__ == "__main__":  # a module of that name travels to workers by value
    score_by_ray(*map(Path, sys.argv[1:]))
