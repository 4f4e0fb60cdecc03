"""Encoding, test generation and explanations go on after a kill, and come out as if nothing had happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.test_sets import rule_source
from hcat.core.capabilities.test_sets.rule_source import READINGS, RuleSource
from hcat.core.executors import encoding
from hcat.core.executors.encoding import encode_by
from hcat.core.executors.local import LocalExecutor
from hcat.core.models import cache
from hcat.core.models.cache import MemoryEmbeddings, embed_texts, missing_chunks, text_key
from hcat.core.settings import ROOT
from hcat.core.types import Progress
from tests.core.executors import working
from tests.core.executors.killing import ends_of_killed
from tests.core.executors.working import (
    TEXTS,
    HashEncoder,
    OpenHash,
    as_text,
    asks,
    corpus,
    encode_some,
    rows_of,
    write_some,
    written,
)

KILLS = 12


def _plain(n: int) -> str:
    return as_text(RuleSource(corpus(n), seed=7).write(asks(corpus(n))))


def test_passages_read_in_shards_give_what_reading_them_at_once_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_source, "SHARD", 7)
    given = written(tmp_path, LocalExecutor(), n=25)
    assert as_text(given) == _plain(25)
    assert any(one.candidates for one in given)
    assert any(one.nothing for one in given)
    assert not list(tmp_path.rglob("*.jsonl"))


def test_few_passages_are_read_without_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_files(*_: object) -> None:
        raise AssertionError("a file was written")

    monkeypatch.setattr(rule_source.ShardFolder, "put", no_files)
    assert as_text(written(tmp_path, n=10)) == _plain(10)


def test_generation_goes_on_after_kills(tmp_path: Path) -> None:
    output, store = tmp_path / "written.txt", tmp_path / "store"
    assert ends_of_killed(write_some, store, output, kills=KILLS, most_shards=1) == [-signal.SIGKILL] * KILLS + [0]
    assert output.read_text() == _plain(60)
    assert not [path for path in store.rglob("*") if path.is_file() and READINGS in path.parts]


def test_encoding_goes_on_after_kills(tmp_path: Path) -> None:
    output, store = tmp_path / "rows", tmp_path / "store"
    assert ends_of_killed(encode_some, store, output, kills=KILLS, most_shards=1) == [-signal.SIGKILL] * KILLS + [0]
    assert output.read_bytes() == HashEncoder().encode(TEXTS).tobytes()


def test_texts_that_are_stored_are_not_encoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CHUNK_SIZE", 8)
    monkeypatch.setattr(encoding, "CHUNK_SIZE", 8)
    store = OpenHash(str(tmp_path))().store
    assert store is not None
    stored = sorted(set(TEXTS), key=lambda text: (len(text), text))[:20]
    store.put([text_key(text) for text in stored], HashEncoder().encode(stored))
    assert [len(chunk) for chunk in missing_chunks(TEXTS, store)] == [4, *[8] * 12]
    told: list[Progress] = []
    encode_by(LocalExecutor(), TEXTS, open_models=OpenHash(str(tmp_path)), on_progress=told.append)
    assert told[-1] == Progress("encode", 100, 100)
    expected = embed_texts(TEXTS, encoder=HashEncoder(), store=MemoryEmbeddings())
    assert np.array_equal(rows_of(tmp_path), np.array([expected[text] for text in TEXTS]))


def test_a_few_texts_are_left_to_whoever_needs_them(tmp_path: Path) -> None:
    encode_by(LocalExecutor(), TEXTS[:5], open_models=OpenHash(str(tmp_path)))
    encode_by(None, TEXTS, open_models=OpenHash(str(tmp_path)))
    assert not list(tmp_path.rglob("*.parquet"))


@pytest.mark.parametrize("seeds", [("0", "1"), pytest.param(("2", "3", "4", "5"), marks=pytest.mark.slow)])
def test_rules_write_the_same_in_every_process(seeds: tuple[str, ...]) -> None:
    """Python orders a set of words by a seed of its own in each process."""
    code = (
        "import runpy; from hcat.core.capabilities.test_sets.rule_source import RuleSource; "
        f"made = runpy.run_path({working.__file__!r}); passages = made['corpus'](40); "
        "print(made['as_text'](RuleSource(passages, seed=7).write(made['asks'](passages[:8]))))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in seeds
    }
    assert len(outputs) == 1
    assert outputs != {b"\n"}
