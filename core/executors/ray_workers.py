"""Distributes shards among the workers of a Ray cluster: a shard of a lost worker goes to another.

Ray would restart a lost worker by itself, but its shards would wait until some machine has room for it, for example
after the loss of one of two machines. So workers and shards are managed separately here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hcat.core.errors import HcatError
from hcat.core.executors.executor import DoShard, Work
from hcat.core.executors.shard import Shard

RETRIES = 5
"""The number of times that a shard is assigned again after the loss of its worker."""
AT_ONCE = 2
"""The shards in transit per worker: one is worked on while the next is sent."""
PATIENCE = 10.0
"""The seconds without news after which the cluster is checked for room for a worker."""


class RemoteWorker:
    """The process in the cluster: it loads what the work needs with its first shard."""

    def __init__(self) -> None:
        self._do: DoShard[Any] | None = None

    def ready(self) -> None:
        """Do nothing: once this returns, the process exists."""

    def do(self, stored: list[Any], shard: Shard[Any]) -> int:
        """Do the work that the list refers to on the shard; returns the number of items."""
        if self._do is None:
            import ray

            work: Work[Any] = ray.get(stored[0])
            self._do = work.worker()
        self._do(shard, None)
        return len(shard.items)


@dataclass(frozen=True, eq=False, slots=True)
class _Worker:
    actor: Any
    part: Any
    """The cluster's reference to this worker's work."""


@dataclass(frozen=True, eq=False, slots=True)
class _Attempt:
    shard: Shard[Any]
    losses: int = 0


@dataclass(eq=False)
class RayWorkers:
    """The workers that `start` starts, one for each of the stored `parts` of the work.

    `has_room` says whether the cluster could have any worker at all."""

    ray: Any
    start: Callable[[], Any]
    has_room: Callable[[], bool]
    parts: list[Any]
    _starting: dict[Any, _Worker] = field(default_factory=dict)
    _free: list[_Worker] = field(default_factory=list)
    _busy: dict[Any, tuple[_Worker, _Attempt]] = field(default_factory=dict)
    _lost: list[_Attempt] = field(default_factory=list)
    _failed_starts: int = 0

    def run(self, shards: Iterator[Shard[Any]], on_done: Callable[[int], None]) -> None:
        """Do every shard. Raises what the work raises, and HcatError if workers are lost repeatedly."""
        rest: Iterator[_Attempt] | None = map(_Attempt, shards)
        for part in self.parts:
            self._start(part)
        try:
            while rest is not None or self._lost or self._busy:
                while self._free and (self._lost or rest is not None):
                    attempt = self._lost.pop() if self._lost else next(rest, None) if rest is not None else None
                    if attempt is None:
                        rest = None
                    else:
                        worker = self._free.pop(0)
                        self._busy[worker.actor.do.remote([worker.part], attempt.shard)] = worker, attempt
                if self._busy or rest is not None or self._lost:
                    self._take_news(on_done)
        finally:
            for worker in {*self._starting.values(), *self._free, *(worker for worker, _ in self._busy.values())}:
                self.ray.kill(worker.actor)

    def _start(self, part: Any) -> None:
        worker = _Worker(self.start(), part)
        self._starting[worker.actor.ready.remote()] = worker

    def _take_news(self, on_done: Callable[[int], None]) -> None:
        """Wait until a worker has started, has done a shard, or is lost."""
        waiting = [*self._busy, *self._starting]
        heard, _ = self.ray.wait(waiting, num_returns=1, timeout=PATIENCE)
        if not heard:
            if not self._busy and not self.has_room():
                raise HcatError(
                    "The Ray cluster has no processor left. What is done stays; the same command goes on from there."
                )
            return
        (news,) = heard
        attempt = None
        if news in self._starting:
            worker = self._starting.pop(news)
        else:
            worker, attempt = self._busy.pop(news)
        try:
            done = self.ray.get(news)
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self.ray.exceptions.RayError as error:
            self._replace(worker, attempt, error)
            return
        if attempt is None:
            self._failed_starts = 0
            self._free += [worker] * AT_ONCE
        else:
            on_done(done)
            self._free.append(worker)

    def _replace(self, worker: _Worker, attempt: _Attempt | None, error: Exception) -> None:
        """Start another worker in the place of a lost one, and take back its shards."""
        gone = [ref for ref, (other, _) in self._busy.items() if other is worker]
        attempts = [self._busy.pop(ref)[1] for ref in gone] + ([] if attempt is None else [attempt])
        self._lost += [_Attempt(each.shard, each.losses + 1) for each in attempts]
        self._free = [other for other in self._free if other is not worker]
        self._failed_starts += attempt is None
        if self._failed_starts > RETRIES or any(each.losses > RETRIES for each in self._lost):
            raise HcatError(
                f"Workers of the Ray cluster were lost {RETRIES + 1} times with the same shard, most likely for want "
                "of memory: use fewer with --workers. What is done stays; the same command goes on from there. "
                f"({error})"
            ) from error
        self.ray.kill(worker.actor)
        self._start(worker.part)
