"""Consecutive items of a long input, which are given to a worker together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False, slots=True)
class Shard(Generic[Item]):
    """Items from position `start` on. `name` is their content hash."""

    start: int
    name: str
    items: tuple[Item, ...]


def shards_of(items: Iterable[Item], size: int, name: Callable[[Sequence[Item]], str]) -> Iterator[Shard[Item]]:
    """The items in shards of `size`, in their order; only one is in memory at a time if items are read lazily."""
    rest, start = iter(items), 0
    while some := tuple(islice(rest, size)):
        yield Shard(start, name(some), some)
        start += len(some)
