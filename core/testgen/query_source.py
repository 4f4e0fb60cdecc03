"""Who writes candidates for a test set: rules, or a language model behind an endpoint. Both are asked the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hcat.core.testgen.passages import CorpusPassage
from hcat.core.testgen.test_case import QueryType, TestCase
from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class Ask:
    """A query of one type is wanted that asks for something in this passage, or just misses it."""

    passage: CorpusPassage
    type: QueryType


@dataclass(frozen=True, slots=True)
class Written:
    """The candidates that an ask gave, and why there are fewer than there might be, such as an answer without JSON.

    `nothing` says why no query of any type can be written of the passage, if that is so.
    """

    candidates: tuple[TestCase, ...] = ()
    problems: tuple[str, ...] = ()
    nothing: str = ""


class QuerySource(Protocol):
    """Writes candidates. `types_at_once` is how many types are asked of a passage in one round: rules cost nothing, so
    that all are, and the best fitting are chosen; a language model is asked for what is needed."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """What is recorded of how it writes. Never a secret."""
        ...

    @property
    def types_at_once(self) -> int: ...

    def write(self, asks: Sequence[Ask]) -> tuple[Written, ...]:
        """What each ask gave, in their order."""
        ...
