"""Work of the tests: passages read by rules, texts encoded by a stub, killed at a moment or done by Ray's workers."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hcat.core.capabilities.test_sets import rule_source
from hcat.core.capabilities.test_sets.query_source import Ask, Written
from hcat.core.capabilities.test_sets.rule_source import sharded_rules
from hcat.core.executors import encoding
from hcat.core.executors.executor import Executor
from hcat.core.executors.local import LocalExecutor
from hcat.core.models import cache
from hcat.core.models.cache import ParquetEmbeddings
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.model_set import ModelSet
from hcat.core.models.opened import OpenModels
from hcat.core.records.passages import CorpusPassage

TEXTS = tuple(f"Text {number} of many {'words ' * (number % 7)}." for number in range(120))


class HashEncoder:
    """A unit vector made from the text's hash."""

    name, dimension, revision = "hash", 8, "c" * 64

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) for text in texts]
        rows = np.stack([np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@dataclass(frozen=True)
class OpenHash:
    """Opens the stub with a store below this folder."""

    root: str

    def __call__(self) -> OpenModels:
        store = ParquetEmbeddings(self.root, revision=HashEncoder.revision)
        return OpenModels(ModelSet((ENCODER.of(HashEncoder()),)), store)


def corpus(n: int) -> tuple[CorpusPassage, ...]:
    """n passages of one or two facts each, under a heading each; every tenth has none."""
    return tuple(
        CorpusPassage(
            f"d{number // 10}#p{number}",
            "See below."
            if number % 10 == 9
            else f"The {_NAMES[number % 5]} account costs EUR {number + 3} a month. "
            f"Customers must give notice {number % 6 + 2} weeks before they close it.",
            f"d{number // 10}",
            heading=("Accounts", f"{_NAMES[number % 5].title()} account {number}"),
        )
        for number in range(n)
    )


_NAMES = ("current", "savings", "youth", "business", "joint")


def asks(passages: Sequence[CorpusPassage]) -> list[Ask]:
    """A factual query of each passage, and one that it does not answer."""
    return [Ask(passage, of) for passage in passages for of in ("simple factual", "unanswerable")]


def written(root: Path, executor: Executor | None = None, *, n: int = 60) -> tuple[Written, ...]:
    """What the rules write of n passages, in shards."""
    passages = corpus(n)
    with sharded_rules(passages, seed=7, executor=executor, root=str(root)) as source:
        return source.write(asks(passages))


def as_text(given: Sequence[Written]) -> str:
    """All that was written, for comparing."""
    return "\n".join(repr((one.candidates, one.nothing)) for one in given)


def write_some(store: Path, output: Path, kill_after: int | None, delay: float) -> None:
    """Read 60 passages in shards of four; with `kill_after`, SIGKILL so many seconds after so many were stored."""
    from tests.core.executors.killing import kill_after_shards

    rule_source.SHARD = 4
    kill_after_shards(kill_after, delay)
    output.write_text(as_text(written(store)))


def encode_some(store: Path, output: Path, kill_after: int | None, delay: float) -> None:
    """Encode 120 texts in chunks of four, to be killed alike."""
    cache.CHUNK_SIZE = encoding.CHUNK_SIZE = 4
    if kill_after is not None:
        put, stored = ParquetEmbeddings.put, [0]

        def counted(self: ParquetEmbeddings, keys: Sequence[str], rows: NDArray[np.float32]) -> None:
            if stored[0] == kill_after:
                threading.Timer(delay, os.kill, [os.getpid(), signal.SIGKILL]).start()
            put(self, keys, rows)
            stored[0] += 1

        ParquetEmbeddings.put = counted  # type: ignore[method-assign]
    encoding.encode_by(LocalExecutor(), TEXTS, open_models=OpenHash(str(store)))
    output.write_bytes(rows_of(store).tobytes())


def rows_of(store: Path) -> NDArray[np.float32]:
    """The rows of the texts that the store holds, in their order."""
    opened = OpenHash(str(store))().store
    assert opened is not None
    rows = opened.get([cache.text_key(text) for text in TEXTS])
    return np.array([rows[cache.text_key(text)] for text in TEXTS])


def encode_by_ray(store: Path, output: Path) -> None:
    """Encode the texts by one worker of a cluster on this machine."""
    from hcat.core.executors.ray_cluster import RayExecutor

    cache.CHUNK_SIZE = encoding.CHUNK_SIZE = 50
    encoding.encode_by(RayExecutor(workers=1), TEXTS, open_models=OpenHash(str(store)))
    output.write_bytes(rows_of(store).tobytes())


if __name__ == "__main__":  # a module of that name travels to workers by value
    encode_by_ray(*map(Path, sys.argv[1:]))
