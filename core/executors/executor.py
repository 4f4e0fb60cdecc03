"""What an executor is, and the work that it has done on each part of an input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from hcat.core.executors.shard import Item, Shard
from hcat.core.types import OnProgress

DoShard = Callable[[Shard[Item], OnProgress | None], None]
"""Does the work on one shard and stores what comes of it."""
AnyItem = TypeVar("AnyItem")


class Work(Protocol[Item]):
    """Work as it can be sent to another process. What it stores of a shard hangs on the shard alone."""

    def worker(self) -> DoShard[Item]:
        """Load what the work needs, once in each process that does it.

        Raises ModelError where that is not what the process has that handed out the work.
        """
        ...

    def among(self, workers: int) -> Sequence[Work[Item]]:
        """The work as each of so many workers does it, or fewer where that is all that a limit allows: limits that
        hold for all of them together, such as that of a language model's endpoint, are shared out."""
        ...


class Executor(Protocol):
    """Has the work done on every shard, in any order. What is stored does not depend on who did it."""

    def run(
        self,
        work: Work[AnyItem],
        shards: Iterable[Shard[AnyItem]],
        on_done: Callable[[int], None],
        on_progress: OnProgress | None,
    ) -> None:
        """`on_done` is told of each shard how many items it had; `on_progress` of steps within, where they are seen.

        Raises what the work raises, StorageError, and HcatError where workers are lost again and again.
        """
        ...
