"""Stores of embeddings: atomic, resumable, and unharmed by broken shards."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hcat.core.errors import StorageError
from hcat.core.models.cache import (
    CHUNK_SIZE,
    EmbeddingStore,
    MemoryEmbeddings,
    ParquetEmbeddings,
    embed_texts,
    text_key,
)
from hcat.core.types import Progress

REVISION = "ab" * 32
TEXTS = [f"sentence {number} {'x' * (number % 17)}" for number in range(3 * CHUNK_SIZE + 10)]


class NeighbourlyEncoder:
    """Rows that depend on the whole batch, as floating point may make them: only equal batches give equal bits."""

    name, revision, dimension = "fake", REVISION, 4

    def __init__(self, *, fail_after: int | None = None) -> None:
        self.encoded: list[str] = []
        self._calls_left = fail_after

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._calls_left is not None:
            if self._calls_left == 0:
                raise KeyboardInterrupt
            self._calls_left -= 1
        self.encoded += texts
        salt = hashlib.sha256("\n".join(texts).encode()).digest()
        seeds = [int.from_bytes(hashlib.sha256(salt + text.encode()).digest()[:4]) for text in texts]
        rows = np.stack([np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def _stores(tmp_path: Path) -> list[EmbeddingStore]:
    return [MemoryEmbeddings(), ParquetEmbeddings(str(tmp_path), revision=REVISION)]


def _shards(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "embeddings" / REVISION[:16]).glob("*.parquet"))


@pytest.mark.parametrize("which", [0, 1])
def test_each_distinct_text_is_encoded_once(tmp_path: Path, which: int) -> None:
    store, encoder = _stores(tmp_path)[which], NeighbourlyEncoder()
    first = embed_texts([*TEXTS, *TEXTS], encoder=encoder, store=store)
    again = embed_texts(reversed(TEXTS), encoder=encoder, store=store)
    assert sorted(encoder.encoded) == sorted(TEXTS)
    assert first.keys() == set(TEXTS)
    assert all(np.array_equal(first[text], again[text]) for text in TEXTS)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("chunks", [0, 1, 2, 3])
def test_an_interrupted_job_resumes_to_bitwise_the_same_rows(tmp_path: Path, which: int, chunks: int) -> None:
    undisturbed = embed_texts(TEXTS, encoder=NeighbourlyEncoder(), store=MemoryEmbeddings())
    store = _stores(tmp_path)[which]
    with pytest.raises(KeyboardInterrupt):
        embed_texts(TEXTS, encoder=NeighbourlyEncoder(fail_after=chunks), store=store)
    if which == 1:  # another process goes on
        store = ParquetEmbeddings(str(tmp_path), revision=REVISION)
    resuming = NeighbourlyEncoder()
    resumed = embed_texts(TEXTS, encoder=resuming, store=store)
    assert len(resuming.encoded) == len(TEXTS) - chunks * CHUNK_SIZE
    assert all(resumed[text].tobytes() == undisturbed[text].tobytes() for text in TEXTS)


def test_memory_forgets_the_oldest_rows_and_no_other() -> None:
    store = MemoryEmbeddings(most=3)
    store.put(["a", "b"], np.eye(2, dtype=np.float32))
    store.put(["c", "d"], np.eye(2, dtype=np.float32))
    assert store.get(["a", "b", "c", "d"]).keys() == {"b", "c", "d"}
    bounded = embed_texts(TEXTS, encoder=NeighbourlyEncoder(), store=MemoryEmbeddings(most=10))
    assert bounded.keys() == set(TEXTS)  # what was asked for at once is all there


def test_progress_counts_texts() -> None:
    steps: list[Progress] = []
    embed_texts(TEXTS, encoder=NeighbourlyEncoder(), store=MemoryEmbeddings(), on_progress=steps.append)
    assert [step.done for step in steps] == [CHUNK_SIZE, 2 * CHUNK_SIZE, 3 * CHUNK_SIZE, len(TEXTS)]
    assert {(step.stage, step.total) for step in steps} == {("encode", len(TEXTS))}


def test_no_texts_need_no_encoder() -> None:
    assert embed_texts([], encoder=NeighbourlyEncoder(fail_after=0), store=MemoryEmbeddings()) == {}


@pytest.mark.parametrize("damage", ["truncate", "empty", "flip", "foreign"])
def test_a_broken_shard_is_reported_and_its_texts_encoded_again(tmp_path: Path, damage: str) -> None:
    store = ParquetEmbeddings(str(tmp_path), revision=REVISION)
    whole = embed_texts(TEXTS, encoder=NeighbourlyEncoder(), store=store)
    victim = _shards(tmp_path)[0]
    content = victim.read_bytes()
    row = next(iter(whole.values())) if damage != "flip" else _a_row_of(content, whole)
    flipped = content.replace(row.tobytes(), (row + 1).tobytes())
    damaged = {"truncate": content[:-40], "empty": b"", "flip": flipped, "foreign": b"PAR1 nothing of ours PAR1"}
    victim.write_bytes(damaged[damage])

    fresh, encoder = ParquetEmbeddings(str(tmp_path), revision=REVISION), NeighbourlyEncoder()
    again = embed_texts(TEXTS, encoder=encoder, store=fresh)
    assert [ignored.path for ignored in fresh.ignored] == [str(victim)]
    assert 0 < len(encoder.encoded) <= CHUNK_SIZE
    assert all(again[text].tobytes() == whole[text].tobytes() for text in TEXTS)


def _a_row_of(content: bytes, rows: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    return next(row for row in rows.values() if row.tobytes() in content)


def test_half_written_files_are_not_read(tmp_path: Path) -> None:
    store = ParquetEmbeddings(str(tmp_path), revision=REVISION)
    embed_texts(TEXTS[:5], encoder=NeighbourlyEncoder(), store=store)
    shard = _shards(tmp_path)[0]
    shard.rename(shard.with_name(".0123.part"))
    assert ParquetEmbeddings(str(tmp_path), revision=REVISION).get([text_key(TEXTS[0])]) == {}


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "embeddings").write_text("a file where a folder should be")
    store = ParquetEmbeddings(str(tmp_path), revision=REVISION)
    with pytest.raises(StorageError, match="can't be written"):
        store.put(["k"], np.ones((1, 4), dtype=np.float32))
    assert store.get(["k"]) == {}


def test_one_store_sees_what_another_writes(tmp_path: Path) -> None:
    reader = ParquetEmbeddings(str(tmp_path), revision=REVISION)
    assert reader.get(["k"]) == {}
    ParquetEmbeddings(str(tmp_path), revision=REVISION).put(["k"], np.ones((1, 4), dtype=np.float32))
    np.testing.assert_array_equal(reader.get(["k", "absent"])["k"], np.ones(4))


def test_revisions_do_not_mix(tmp_path: Path) -> None:
    ParquetEmbeddings(str(tmp_path), revision=REVISION).put(["k"], np.ones((1, 4), dtype=np.float32))
    assert ParquetEmbeddings(str(tmp_path), revision="cd" * 32).get(["k"]) == {}
    same_folder = ParquetEmbeddings(str(tmp_path), revision=REVISION[:16] + "0" * 48)
    assert same_folder.get(["k"]) == {}
    assert "another kind or model revision" in same_folder.ignored[0].reason


def test_shards_may_lie_on_any_filesystem() -> None:
    ParquetEmbeddings("memory://bucket", revision=REVISION).put(["k"], np.ones((1, 4), dtype=np.float32))
    assert ParquetEmbeddings("memory://bucket", revision=REVISION).get(["k"]).keys() == {"k"}


def test_keys_and_rows_must_agree(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="2 keys"):
        ParquetEmbeddings(str(tmp_path), revision=REVISION).put(["a", "b"], np.ones((1, 4), dtype=np.float32))


def test_the_key_is_the_sha_256_of_the_text() -> None:
    assert text_key("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert text_key("\ud800") != text_key("\ud801")  # broken characters are texts too
