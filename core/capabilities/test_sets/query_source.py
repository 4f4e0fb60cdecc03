"""Sources of candidates for a test set with the same interface: rules, or a language model behind an endpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import QueryType, TestCase
from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for a query of one type that asks for content of this passage, or narrowly misses it."""

    passage: CorpusPassage
    type: QueryType


@dataclass(frozen=True, slots=True)
class Written:
    """The candidates for a request, and the reasons for missing ones, such as an answer without JSON.

    `nothing` is the reason why no query of any type can be made from the passage, if so."""

    candidates: tuple[TestCase, ...] = ()
    problems: tuple[str, ...] = ()
    nothing: str = ""


class QuerySource(Protocol):
    """Writes candidates. `types_at_once` is the number of types requested of a passage in one round. Rules, which are
    cheap, are asked for all, so that the best match can be chosen; a language model is asked only for the number
    needed."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """Settings of the writer for the record; never a secret."""
        ...

    @property
    def types_at_once(self) -> int: ...

    def write(self, asks: Sequence[Ask]) -> tuple[Written, ...]:
        """The result of each request, in their order."""
        ...
