"""Scoring by Ray's workers: the same bytes whatever is killed, nothing outside loopback, and nothing left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from hcat.core.errors import ModelError
from hcat.core.executors.ray_cluster import RayExecutor
from hcat.core.models.opened import OpenModels
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.shards import shard as shards
from hcat.core.scoring.shards.sharded import scored_in_shards
from hcat.core.settings import ROOT
from hcat.core.types import Progress
from tests.core.executors.ray_watch import KILLS, Watched, by_value, processes, sent_outside
from tests.core.scoring.shards import stub_run as stubs
from tests.core.scoring.shards.stub_run import METRICS, open_stub, stub_run


@pytest.fixture(scope="module", autouse=True)
def _stubs_travel_by_value() -> Iterable[None]:
    with by_value(stubs):
        yield


@KILLS
def test_killed_workers_change_no_byte_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    monkeypatch.setattr(shards, "SHARD", 10)
    run, watched = stub_run(295), Watched(kills)
    told: list[Progress] = []
    with scored_in_shards(
        run, metrics=METRICS, open_models=open_stub, executor=watched, root=str(tmp_path), on_progress=told.append
    ) as table:
        scored = table.to_bytes()
    assert scored == score_samples(run, metrics=METRICS, models=open_stub().models).to_bytes()
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert told[-1].done == len(run)
    watched.check()
    for needless in ("dashboard.py", "monitor.py"):
        assert not [command for command in watched.commands if needless in command]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not (Path.home() / ".ray" / "auth_token").exists()


def test_what_a_worker_refuses_is_said_as_it_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 2)
    here = os.getpid()

    def other_model_elsewhere() -> OpenModels:
        return open_stub("a" * 64 if os.getpid() == here else "b" * 64)

    with (
        pytest.raises(ModelError, match="A worker has other models"),
        scored_in_shards(
            stub_run(3),
            metrics=METRICS,
            open_models=other_model_elsewhere,
            executor=RayExecutor(workers=1),
            root=str(tmp_path),
        ),
    ):
        pass
    assert not [process for process in processes() if "ray" in process.name()]


def test_no_packet_leaves_the_machine(tmp_path: Path) -> None:
    try:
        sent = sent_outside(
            sys.executable,
            "-c",
            "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('203.0.113.1', 53))",
        )
    except (OSError, AssertionError) as error:
        pytest.skip(f"no network namespace can be made here: {error}")
    assert sent == 1  # so that silence is told from a count that does not count
    scores = tmp_path / "scores.parquet"
    sent = sent_outside(sys.executable, stubs.__file__, str(tmp_path), str(scores), HOME=str(tmp_path))
    assert sent == 0
    assert scores.read_bytes() == score_samples(stub_run(30), metrics=METRICS, models=open_stub().models).to_bytes()
    assert not (tmp_path / ".ray").exists()


def test_little_shared_memory_as_in_a_container_changes_no_byte(tmp_path: Path) -> None:
    mount = 'mount -t tmpfs -o size=32m tmpfs /dev/shm && exec "$@"'
    little = ["unshare", "--mount", "--map-root-user", "sh", "-c", mount, "sh"]
    tried = subprocess.run([*little, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no namespace of file systems can be made here: {tried.stderr.strip()}")
    scores = tmp_path / "scores.parquet"
    command = [*little, sys.executable, stubs.__file__, str(tmp_path), str(scores)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert scores.read_bytes() == score_samples(stub_run(30), metrics=METRICS, models=open_stub().models).to_bytes()
