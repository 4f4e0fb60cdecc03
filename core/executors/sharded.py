"""Computes results of a long input by shards: in constant memory, resumable after any kill, by any executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from hcat.core.errors import StorageError
from hcat.core.executors.executor import DoShard, Executor, Work
from hcat.core.executors.shard import Item, Shard
from hcat.core.executors.shard_folder import ShardFolder, prefix
from hcat.core.types import OnProgress

ATTEMPTS = 5
"""The number of times that shards are made again if they are damaged, or removed by another process."""
Make = Callable[[Shard[Item], OnProgress | None], bytes]
"""Makes the bytes that are stored of one shard."""


class Maker(Protocol[Item]):
    """The same as `hcat.core.executors.executor.Work`, for work that does not store its results itself."""

    def worker(self) -> Make[Item]:
        """Load what the work needs."""
        ...

    def among(self, workers: int) -> Sequence[Maker[Item]]:
        """The work for each of so many workers, or fewer."""
        ...


@dataclass(frozen=True, slots=True)
class StoredWork(Generic[Item]):
    """Work whose results are files of a folder."""

    maker: Maker[Item]
    folder: ShardFolder

    def worker(self) -> DoShard[Item]:
        """Load what the work needs."""
        make = self.maker.worker()
        return lambda shard, on_progress: self.folder.put(shard.name, make(shard, on_progress))

    def among(self, workers: int) -> Sequence[Work[Item]]:
        """The work for each of so many workers, or fewer."""
        return [StoredWork(maker, self.folder) for maker in self.maker.among(workers)]


def made_of_shards(
    shards: Callable[[], Iterator[Shard[Item]]],
    maker: Maker[Item],
    *,
    folder: ShardFolder,
    executor: Executor,
    on_done: Callable[[int], None],
    on_progress: OnProgress | None = None,
) -> Iterator[bytes]:
    """The result of each shard, in their order, whoever made it when.

    `shards` iterates over the input from its beginning; `on_done` is called with the number of items done so far,
    including those in the folder already. The folder remains: delete it when the results are saved elsewhere. Raises
    StorageError if files vanish repeatedly, and what the executor and the work raise."""
    work, place, files = StoredWork(maker, folder), 0, folder.manifest()
    for _ in range(ATTEMPTS):
        if files is None:
            files = _make_missing(shards, work, executor, on_done, on_progress)
            folder.commit(files)
        while place < len(files):
            payload = folder.read(files[place])
            if payload is None:
                break
            yield payload
            place += 1
        else:
            return
        folder.withdraw()
        files = None
    raise StorageError(
        f"Results vanish from {folder.root} while they are read: start again when no other process works there."
    )


def _make_missing(
    shards: Callable[[], Iterator[Shard[Item]]],
    work: StoredWork[Item],
    executor: Executor,
    on_done: Callable[[int], None],
    on_progress: OnProgress | None,
) -> list[str]:
    """Do the shards without a file: returns the files of all, in the order of the input."""
    names: list[str] = []
    done = 0

    def tell(items: int) -> None:
        nonlocal done
        done += items
        on_done(done)

    def pending() -> Iterator[Shard[Item]]:
        files = work.folder.files()
        for shard in shards():
            names.append(shard.name)
            if prefix(shard.name) in files:
                tell(len(shard.items))
            else:
                yield shard

    executor.run(work, pending(), tell, on_progress)
    files = work.folder.files()
    return [files.get(prefix(name), name) for name in names]
