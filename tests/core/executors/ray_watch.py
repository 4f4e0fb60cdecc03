"""Ray's workers watched and killed from outside, and commands whose packets are counted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import psutil
import pytest

from hcat.core.executors.executor import Work
from hcat.core.executors.ray_cluster import LOOPBACK, RayExecutor, import_ray
from hcat.core.executors.shard import Item, Shard
from hcat.core.settings import ROOT
from hcat.core.types import OnProgress

KILLS = pytest.mark.parametrize("kills", [2, pytest.param(5, marks=pytest.mark.slow)])
"""How many workers a test of a cluster has killed."""


def processes() -> list[psutil.Process]:
    """All that this process has started, and what these have."""
    return psutil.Process().children(recursive=True)


@contextmanager
def by_value(stubs: ModuleType) -> Iterator[None]:
    """What this module of stubs holds goes to workers whole: they don't have the folder of the tests. They get their
    share of a busy machine, where Ray would have them take what other tests leave."""
    cloudpickle = import_ray(for_this_machine=True).cloudpickle
    cloudpickle.register_pickle_by_value(stubs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")
        try:
            yield
        finally:
            cloudpickle.unregister_pickle_by_value(stubs)


@dataclass
class Watched:
    """Two workers. After each of the first shards one of them is killed; what the cluster listens on is noted."""

    kills: int
    executor: RayExecutor = field(default_factory=lambda: RayExecutor(workers=2))
    killed: set[int] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)
    processes: list[psutil.Process] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)

    def run(
        self,
        work: Work[Item],
        given: Iterable[Shard[Item]],
        on_done: Callable[[int], None],
        on_progress: OnProgress | None,
    ) -> None:
        def watch(scored: int) -> None:
            if not self.folders:
                self._note()
            if len(self.killed) < self.kills:
                self._kill()
            on_done(scored)

        self.executor.run(work, given, watch, on_progress)

    def check(self) -> None:
        """So many workers were killed, all was on loopback, and of this cluster nothing is left."""
        assert len(self.killed) == self.kills
        assert self.addresses == {LOOPBACK}
        assert not [process for process in self.processes if process.is_running()]
        assert len(self.folders) == 1
        assert not [folder for folder in self.folders if Path(folder).exists()]

    def _note(self) -> None:
        self.processes = processes()
        self.commands = [" ".join(process.cmdline()) for process in self.processes]
        self.folders = {found for command in self.commands for found in re.findall(r"/[^\s=]*/hcat-ray-\w+", command)}
        for process in self.processes:
            for connection in process.net_connections("inet"):
                ends = [end.ip for end in (connection.laddr, connection.raddr) if end]
                self.addresses |= {ip.removeprefix("::ffff:") for ip in ends}

    def _kill(self) -> None:
        """Kill a worker that is alive, if there is one: both may be being replaced."""
        for process in processes():
            if process.pid not in self.killed and process.name().startswith("ray::RemoteWorker"):
                process.send_signal(signal.SIGKILL)
                self.killed.add(process.pid)
                return


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


def sent_outside(*command: str, **environment: str) -> int:
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
