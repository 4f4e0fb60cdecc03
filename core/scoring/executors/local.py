"""Scoring of shards in this process, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.scoring.block import OnProgress
from core.scoring.executors.executor import ScoringJob
from core.scoring.executors.shard import Shard


class LocalExecutor:
    """This process: the default."""

    def run(
        self, job: ScoringJob, shards: Iterable[Shard], on_done: Callable[[int], None], on_progress: OnProgress | None
    ) -> None:
        """Score and store every shard."""
        score = job.worker()
        for shard in shards:
            score(shard, on_progress)
            on_done(len(shard.samples))
