"""Encoding and test generation by Ray's workers: the same bytes whatever is killed, and no packet to the outside."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from hcat.core.capabilities.test_sets import rule_source
from hcat.core.capabilities.test_sets.rule_source import RuleSource
from hcat.core.executors import encoding
from hcat.core.executors.encoding import encode_by
from hcat.core.models import cache
from tests.core.executors import working
from tests.core.executors.ray_watch import KILLS, Watched, by_value, sent_outside
from tests.core.executors.working import TEXTS, HashEncoder, OpenHash, as_text, asks, corpus, rows_of, written


@pytest.fixture(scope="module", autouse=True)
def _stubs_travel_by_value() -> Iterable[None]:
    with by_value(working):
        yield


@KILLS
def test_killed_workers_change_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int) -> None:
    monkeypatch.setattr(cache, "CHUNK_SIZE", 4)
    monkeypatch.setattr(encoding, "CHUNK_SIZE", 4)
    watched = Watched(kills)
    encode_by(watched, TEXTS, open_models=OpenHash(str(tmp_path)))
    assert rows_of(tmp_path).tobytes() == HashEncoder().encode(TEXTS).tobytes()
    watched.check()


@KILLS
def test_killed_workers_change_no_test_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int) -> None:
    monkeypatch.setattr(rule_source, "SHARD", 2)
    watched = Watched(kills)
    given = written(tmp_path, watched, n=40)
    assert as_text(given) == as_text(RuleSource(corpus(40), seed=7).write(asks(corpus(40))))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    watched.check()


def test_encoding_sends_nothing_outside(tmp_path: Path) -> None:
    try:
        assert sent_outside("true") == 0
    except (OSError, AssertionError) as error:
        pytest.skip(f"no network namespace can be made here: {error}")
    output = tmp_path / "rows"
    sent = sent_outside(sys.executable, working.__file__, str(tmp_path), str(output), HOME=str(tmp_path))
    assert sent == 0
    assert output.read_bytes() == HashEncoder().encode(TEXTS).tobytes()
