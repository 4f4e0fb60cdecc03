"""Scoring by Ray's workers: the same bytes whatever is killed, nothing outside loopback, and nothing left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from core.errors import HcatError, MissingExtraError, ModelError
from core.models.opened import OpenModels
from core.scoring.evaluate import score_samples
from core.scoring.executors import shard as shards
from core.scoring.executors.chosen import chosen_executor
from core.scoring.executors.executor import ScoringJob
from core.scoring.executors.ray_cluster import LOOPBACK, RayExecutor, import_ray
from core.scoring.executors.shard import Shard
from core.scoring.executors.sharded import scored_in_shards
from core.settings import ROOT, Settings
from core.types import Progress
from tests.core.scoring.executors import stub_run as stubs
from tests.core.scoring.executors.stub_run import METRICS, open_stub, stub_run

KILLS = 5


@pytest.fixture(scope="module", autouse=True)
def _stubs_travel_by_value() -> Iterable[None]:
    """Workers don't have the folder of the tests."""
    cloudpickle = import_ray(for_this_machine=True).cloudpickle
    cloudpickle.register_pickle_by_value(stubs)
    yield
    cloudpickle.unregister_pickle_by_value(stubs)


def _processes() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def _folders() -> set[str]:
    return {path.name for path in Path(tempfile.gettempdir()).glob("hcat-ray-*")}


@dataclass
class Watched:
    """Two workers. After each of the first shards one of them is killed; what the cluster listens on is noted."""

    executor: RayExecutor = field(default_factory=lambda: RayExecutor(workers=2))
    killed: set[int] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)
    processes: list[psutil.Process] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)

    def run(
        self,
        job: ScoringJob,
        given: Iterable[Shard],
        on_done: Callable[[int], None],
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        def watch(scored: int) -> None:
            if not self.folders:
                self._note()
            if len(self.killed) < KILLS:
                self._kill()
            on_done(scored)

        self.executor.run(job, given, watch, on_progress)

    def _note(self) -> None:
        self.processes = _processes()
        self.commands = [" ".join(process.cmdline()) for process in self.processes]
        self.folders = _folders()
        for process in self.processes:
            for connection in process.net_connections("inet"):
                ends = [end.ip for end in (connection.laddr, connection.raddr) if end]
                self.addresses |= {ip.removeprefix("::ffff:") for ip in ends}

    def _kill(self) -> None:
        """Kill a worker that is alive; wait for one where both are being replaced."""
        while True:
            for process in _processes():
                if process.pid not in self.killed and process.name().startswith("ray::_Worker"):
                    process.send_signal(signal.SIGKILL)
                    self.killed.add(process.pid)
                    return
            time.sleep(0.05)


def test_five_killed_workers_change_no_byte_and_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 10)
    run, watched = stub_run(295), Watched()
    told: list[Progress] = []
    with scored_in_shards(
        run, metrics=METRICS, open_models=open_stub, executor=watched, root=str(tmp_path), on_progress=told.append
    ) as table:
        scored = table.to_bytes()
    assert scored == score_samples(run, metrics=METRICS, models=open_stub().models).to_bytes()
    assert len(watched.killed) == KILLS
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert told[-1].done == len(run)
    assert watched.addresses == {LOOPBACK}
    assert not [command for command in watched.commands if "dashboard.py" in command]
    assert not [process for process in watched.processes if process.is_running()]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not watched.folders & _folders()
    assert not (Path.home() / ".ray" / "auth_token").exists()


def test_what_a_worker_refuses_is_said_as_it_is_here(tmp_path: Path) -> None:
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
    assert not [process for process in _processes() if "ray" in process.name()]


IN_A_NAMESPACE = """
set -eu
ip link set lo up
ip link add outside type veth peer name far
sysctl -qw net.ipv6.conf.outside.disable_ipv6=1 net.ipv6.conf.far.disable_ipv6=1
ip link set outside up
ip link set far up
ip address add 192.0.2.2/24 dev outside
ip neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev outside
ip route add default via 192.0.2.1
"$@"
awk '$1 == "outside:" {print $11}' /proc/net/dev
"""
"""A network of its own, whose way to the outside ends at once and counts what is sent there."""


def _sent_outside(*command: str, **environment: str) -> int:
    """How many packets the command sent to the outside."""
    finished = subprocess.run(
        ["unshare", "--net", "--map-root-user", "sh", "-c", IN_A_NAMESPACE, "sh", *command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return int(finished.stdout.splitlines()[-1])


def test_no_packet_leaves_the_machine(tmp_path: Path) -> None:
    try:
        sent = _sent_outside(
            sys.executable,
            "-c",
            "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('203.0.113.1', 53))",
        )
    except (OSError, AssertionError) as error:
        pytest.skip(f"no network namespace can be made here: {error}")
    assert sent == 1  # so that silence is told from a count that does not count
    scores = tmp_path / "scores.parquet"
    sent = _sent_outside(sys.executable, stubs.__file__, str(tmp_path), str(scores), HOME=str(tmp_path))
    assert sent == 0
    assert scores.read_bytes() == score_samples(stub_run(30), metrics=METRICS, models=open_stub().models).to_bytes()
    assert not (tmp_path / ".ray").exists()


def test_the_engine_follows_options_before_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, cluster = Settings(), Settings(engine="ray", ray_address="10.0.0.1:6379", device="cuda:0")
    assert chosen_executor(plain) is None
    assert chosen_executor(plain, engine="ray", workers=3) == RayExecutor(None, 3)
    assert chosen_executor(plain, address="10.0.0.2:6379") == RayExecutor("10.0.0.2:6379")
    assert chosen_executor(cluster) == RayExecutor("10.0.0.1:6379", on_gpus=True)
    assert chosen_executor(cluster, engine="local") is None
    assert chosen_executor(cluster, device="cpu") == RayExecutor("10.0.0.1:6379")
    with pytest.raises(HcatError, match="--engine ray"):
        chosen_executor(plain, workers=2)
    with pytest.raises(HcatError, match="host:port"):
        chosen_executor(plain, address="ray://10.0.0.2:10001")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"hcat\[ray\]"):
        import_ray(for_this_machine=True)
