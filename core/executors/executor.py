"""The interface of an executor, and of the work that it does on each part of an input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from hcat.core.executors.shard import Item, Shard
from hcat.core.types import OnProgress

DoShard = Callable[[Shard[Item], OnProgress | None], None]
"""Does the work on one shard and stores its result."""
AnyItem = TypeVar("AnyItem")


class Work(Protocol[Item]):
    """Work in a form that can be sent to another process. Its stored result for a shard depends on the shard alone."""

    def worker(self) -> DoShard[Item]:
        """Load what the work needs, once in each process that does it.

        Raises ModelError if that is not what the process has that created the work."""
        ...

    def among(self, workers: int) -> Sequence[Work[Item]]:
        """The work for each of so many workers, or fewer if a limit allows only that.

        Limits for all of them together, such as that of a language model's endpoint, are divided among them."""
        ...


class Executor(Protocol):
    """Does the work on every shard, in any order. The stored results do not depend on the worker."""

    def run(
        self,
        work: Work[AnyItem],
        shards: Iterable[Shard[AnyItem]],
        on_done: Callable[[int], None],
        on_progress: OnProgress | None,
    ) -> None:
        """Do the work on every shard.

        `on_done` is called for each shard with its number of items; `on_progress` with steps within, if they are
        visible. Raises what the work raises, StorageError, and HcatError if workers are lost repeatedly."""
        ...
