"""Work on shards by the workers of a Ray cluster: one on this machine that ends with the work, or one elsewhere.

A cluster on this machine is accessible on loopback only, with a secret token; it has no dashboard and reports no usage.
Source: https://docs.ray.io/en/latest/ray-security/token-auth.html"""

from __future__ import annotations

import logging
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import psutil

from hcat.core.errors import HcatError, MissingExtraError
from hcat.core.executors.executor import Work
from hcat.core.executors.local import LocalExecutor
from hcat.core.executors.ray_head import asked_head
from hcat.core.executors.ray_workers import RayWorkers, RemoteWorker
from hcat.core.executors.shard import Item, Shard
from hcat.core.types import OnProgress

LOOPBACK = "127.0.0.1"
STORE_SHARE, STORE_PER_WORKER, STORE_LEAST = 0.3, 128 << 20, 256 << 20
"""Bytes of shared memory for shards in transit: so many per worker, at most this share of all memory."""
_NEEDLESS = ("start_api_server", "start_monitor", "start_log_monitor")
"""Functions that start processes of Ray that a cluster on this machine, which ends with its work, does not need."""
GONE_WITHIN = 10.0
"""The seconds to wait for the end of a cluster's processes."""


@dataclass(frozen=True)
class RayExecutor:
    """Ray's workers.

    Without an `address` a cluster of `workers` (one per processor by default), which share the processors, is started
    here and ended with the work. `address` is that of the head of a running one, "host:port"; then as many workers are
    started as it has processors, or as are requested, one processor each. With `on_gpus` each worker has a graphics
    card to itself. A single shard is done by this process: starting workers would take longer. `on_workers` is called
    with the number of started workers."""

    address: str | None = None
    workers: int | None = None
    on_gpus: bool = False
    on_workers: Callable[[int], None] | None = None

    def run(
        self,
        work: Work[Item],
        shards: Iterable[Shard[Item]],
        on_done: Callable[[int], None],
        on_progress: OnProgress | None,
    ) -> None:
        """Do every shard; lost workers are replaced, and their shards are assigned again.

        Raises MissingExtraError if Ray is not installed, HcatError if the cluster can't be reached or a shard loses its
        worker repeatedly, and what a worker raises. Steps within a shard are visible for this process only."""
        rest = iter(shards)
        first = list(islice(rest, 2))
        if len(first) > 1:
            with self._cluster() as ray:
                self._do(ray, work, chain(first, rest), on_done)
        elif first:
            LocalExecutor().run(work, first, on_done, on_progress)

    def _do(self, ray: Any, work: Work[Item], shards: Iterator[Shard[Item]], on_done: Callable[[int], None]) -> None:
        parts = work.among(self._size(ray))
        if self.on_workers is not None:
            self.on_workers(len(parts))
        kind = ray.remote(num_gpus=int(self.on_gpus), num_cpus=self._processors(len(parts)))(RemoteWorker)
        # what the work brings along, such as a corpus, is stored once and read by every worker
        stored = {id(part): ray.put(part) for part in parts}
        workers = RayWorkers(ray, kind.remote, lambda: self._places(ray) > 0, [stored[id(part)] for part in parts])
        workers.run(shards, on_done)

    def _processors(self, workers: int) -> int:
        """The number of processors of each worker: on this machine all are divided, elsewhere one each."""
        return max(1, (os.cpu_count() or 1) // workers) if self.address is None else 1

    def _size(self, ray: Any) -> int:
        """The number of workers to start."""
        there = self._places(ray)
        if there < 1:
            kind = "graphics card" if self.on_gpus else "processor"
            raise HcatError(
                f"The Ray cluster has no {kind} to compute on: choose another --device, or add machines to it."
            )
        return min(self.workers or there, there)

    def _places(self, ray: Any) -> int:
        """The number of workers that the cluster has room for."""
        return int(ray.cluster_resources().get("GPU" if self.on_gpus else "CPU", 0))

    @contextmanager
    def _cluster(self) -> Iterator[Any]:
        """Ray, connected, and disconnected at the end."""
        with nullcontext() if self.address is None else asked_head(self.address):
            ray = import_ray(for_this_machine=self.address is None)
        lean = nullcontext() if self.address is not None else _without_needless_processes()
        with _private_folder() as folder, lean:
            before = _started()
            try:
                ray.init(**self._options(folder))
            except (ConnectionError, ValueError, RuntimeError, OSError) as error:
                where = "on this machine" if self.address is None else f"at {self.address}"
                raise HcatError(f"No Ray cluster {where}: {str(error).strip().splitlines()[0]}") from error
            try:
                if self.address is None and ray.util.get_node_ip_address() != LOOPBACK:
                    raise HcatError("Ray was loaded before in this process, not on loopback: start a process for it.")
                yield ray
            finally:
                own = _started() - before
                ray.shutdown()
                psutil.wait_procs(own, timeout=GONE_WITHIN)  # one that still writes would have the folder stay

    def _options(self, folder: str) -> dict[str, Any]:
        quiet = {"log_to_driver": False, "configure_logging": False}
        if self.address is not None:
            return {"address": self.address, **quiet}
        processors = os.cpu_count() or 1
        workers = self.workers or processors
        memory = psutil.virtual_memory().total
        return {
            "address": "local",
            "num_cpus": max(workers, processors),
            "object_store_memory": int(min(STORE_SHARE * memory, max(STORE_LEAST, workers * STORE_PER_WORKER))),
            "include_dashboard": False,
            "_node_ip_address": LOOPBACK,
            "_temp_dir": folder,
            **quiet,
        }


def _started() -> set[psutil.Process]:
    """All processes that this process has started, and their children."""
    return set(psutil.Process().children(recursive=True))


def import_ray(*, for_this_machine: bool) -> Any:
    """The ray module, configured not to report usage, and to use loopback for a cluster on this machine.

    MissingExtraError if it is not installed."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if for_this_machine:
        # Ray replaces 127.0.0.1 by this machine's outer address, unless it may build no cluster at all. The setting is
        # named after the systems with this default.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        # Ray requires a token on clusters that it starts; one that it makes itself would remain in the user's folder.
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("Ray is not installed: pip install hcat[ray], or use --engine local.") from error
    logging.getLogger("ray").setLevel(logging.ERROR)
    return ray


@contextmanager
def _without_needless_processes() -> Iterator[None]:
    """Prevent Ray from starting processes for its dashboard, for adding machines, and for passing logs on.

    With `include_dashboard=False` it still starts one, which serves nothing, but queries the metadata servers of three
    cloud providers, also if usage is not to be reported."""
    from ray._private.node import Node

    started = {name: getattr(Node, name) for name in _NEEDLESS}
    for name in _NEEDLESS:
        setattr(Node, name, lambda *_, **__: None)
    try:
        yield
    finally:
        for name, method in started.items():
            setattr(Node, name, method)


@contextmanager
def _private_folder() -> Iterator[str]:
    """A private folder for Ray's sockets and logs, with a short name: names of sockets have at most 107 bytes."""
    shortest = min((folder for folder in ("/tmp", tempfile.gettempdir()) if os.path.isdir(folder)), key=len)  # noqa: S108, PTH112
    with tempfile.TemporaryDirectory(prefix="hcat-ray-", dir=shortest, ignore_cleanup_errors=True) as folder:
        yield folder
