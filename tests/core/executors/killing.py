"""Processes that are killed at a moment of their work."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from hcat.core.executors.shard_folder import ShardFolder
from hcat.dashboard.cli import app

FORK = multiprocessing.get_context("fork")
Task = Callable[[Path, Path, int | None, float], None]
"""Does all of the work from the store to the output; with a number, it is killed so many seconds after so many shards
were stored (`kill_after_shards`)."""


def ends_of_killed(task: Task, store: Path, output: Path, *, kills: int, most_shards: int) -> list[int | None]:
    """How processes ended that were each to do all of the work: all but the last are killed at a random moment."""
    draw, ends = random.Random(18), list[int | None]()
    for attempt in range(kills + 1):
        kill_after = draw.randint(0, most_shards) if attempt < kills else None
        process = FORK.Process(target=task, args=[store, output, kill_after, draw.randint(0, 9) / 10_000])
        process.start()
        process.join()
        ends.append(process.exitcode)
    return ends


def ends_of_killed_commands(
    command: Sequence[str], requests: Callable[[], int], *, kills: int, most: int
) -> list[int | None]:
    """How processes of the same command ended, all but the last of which are killed from outside: each a random moment
    after it sent a random number of further `requests`, at most `most`."""
    draw, ends = random.Random(18), list[int | None]()
    for attempt in range(kills + 1):
        until = requests() + draw.randint(1, most) if attempt < kills else None
        process = FORK.Process(target=_run, args=[command])
        process.start()
        while until is not None and process.is_alive() and requests() < until:
            process.join(0.001)
        if until is not None:
            process.join(draw.randint(0, 9) / 1000)
            process.kill()
        process.join()
        ends.append(process.exitcode)
    return ends


def _run(command: Sequence[str]) -> None:
    """Run hcat as its command line does, quietly."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):  # noqa: PTH123
        app(list(command))


def kill_after_shards(shards: int | None, delay: float) -> None:
    """Have this process killed so many seconds after it stored so many shards; None lets it live."""
    stored, put = [0], ShardFolder.put

    def counted(self: ShardFolder, name: str, payload: bytes) -> None:
        if stored[0] == shards:
            threading.Timer(delay, os.kill, [os.getpid(), signal.SIGKILL]).start()
        put(self, name, payload)
        stored[0] += 1

    ShardFolder.put = counted  # type: ignore[method-assign]
