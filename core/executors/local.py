"""Work on shards in this process, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hcat.core.executors.executor import Work
from hcat.core.executors.shard import Item, Shard
from hcat.core.types import OnProgress


class LocalExecutor:
    """This process: the default."""

    def run(
        self,
        work: Work[Item],
        shards: Iterable[Shard[Item]],
        on_done: Callable[[int], None],
        on_progress: OnProgress | None,
    ) -> None:
        """Do the work on every shard."""
        do = work.worker()
        for shard in shards:
            do(shard, on_progress)
            on_done(len(shard.items))
