"""Explanations by way of shards: the lines of `explanations`, whatever was killed, and no file left."""

from __future__ import annotations

import json
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from hcat.core.executors.local import LocalExecutor
from hcat.core.executors.shard_folder import EXPLANATIONS, forget_shards
from hcat.core.scoring.evaluate import explanations
from hcat.core.scoring.shards import shard as shards
from hcat.core.scoring.shards.sharded import explained_in_shards
from hcat.core.types import Sample
from tests.core.executors.killing import ends_of_killed
from tests.core.scoring.shards.stub_run import METRICS, explain_some, open_stub, stub_run

KILLS = 12


def _plain(samples: Sequence[Sample]) -> list[object]:
    return list(explanations(samples, metrics=METRICS, models=open_stub().models))


def _sharded(samples: Sequence[Sample], root: Path, executor: LocalExecutor | None) -> list[object]:
    parts = explained_in_shards(samples, metrics=METRICS, open_models=open_stub, executor=executor, root=str(root))
    return [json.loads(line) for part in parts for line in part.splitlines()]


@pytest.mark.parametrize("executor", [None, LocalExecutor()])
@pytest.mark.parametrize("n", [0, 7, 25])
def test_shards_give_the_same_lines_and_leave_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int, executor: LocalExecutor | None
) -> None:
    monkeypatch.setattr(shards, "SHARD", 10)
    run = stub_run(n)
    assert _sharded(run, tmp_path, executor) == _plain(run)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_explaining_goes_on_after_kills(tmp_path: Path) -> None:
    output, store = tmp_path / "explanations.jsonl", tmp_path / "store"
    ends = ends_of_killed(explain_some, store, output, kills=KILLS, most_shards=3)
    assert ends == [-signal.SIGKILL] * KILLS + [0]
    assert [json.loads(line) for line in output.read_text().splitlines()] == _plain(stub_run(120))
    assert not [path for path in store.rglob("*") if path.is_file() and EXPLANATIONS in path.parts]


def test_what_an_interrupted_explaining_left_can_be_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 10)
    forget_shards(str(tmp_path), EXPLANATIONS)  # nothing is there yet
    parts = explained_in_shards(
        stub_run(25), metrics=METRICS, open_models=open_stub, executor=LocalExecutor(), root=str(tmp_path)
    )
    next(parts)  # all shards are made before the first is given
    assert len(list(tmp_path.rglob("*.jsonl"))) == 3
    forget_shards(str(tmp_path), EXPLANATIONS)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    rest = [json.loads(line) for part in parts for line in part.splitlines()]
    assert rest == _plain(stub_run(25))[-len(rest) :]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
