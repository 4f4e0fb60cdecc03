"""Versions by their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from hcat.core.errors import NotFoundError


class Numbered(Protocol):
    """One version of something that has a name."""

    @property
    def version(self) -> int: ...


V = TypeVar("V", bound=Numbered)


def numbered(versions: Sequence[V], number: int | None, *, of: str) -> V:
    """The version of this number, by default the newest; `versions` are newest first. NotFoundError where there is no
    such version, naming those that `of` has."""
    if number is None:
        return versions[0]
    chosen = next((version for version in versions if version.version == number), None)
    if chosen is None:
        raise NotFoundError(f"{of} has versions 1 to {versions[0].version}, not {number}")
    return chosen
