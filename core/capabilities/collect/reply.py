"""The reply of a system to a query, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from hcat.core.types import JsonValue, Passage


@dataclass(frozen=True, slots=True)
class SystemReply:
    """An answer with what was retrieved for it. `candidates` are ids of the first retrieval stage, in rank order."""

    answer: str | None
    contexts: tuple[Passage, ...] = ()
    candidates: tuple[str, ...] = ()

    def record(self) -> dict[str, JsonValue]:
        """The reply as JSON, for the journal."""
        contexts: list[JsonValue] = [
            {"id": passage.id, "text": passage.text, "score": passage.score} for passage in self.contexts
        ]
        return {"answer": self.answer, "contexts": contexts, "candidates": list(self.candidates)}


class NoReply(Exception):
    """The system gave no usable reply. `passing`: a repetition may help, after at least `wait` seconds."""

    def __init__(self, reason: str, *, passing: bool = False, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.reason, self.passing, self.wait = reason, passing, wait


class System(Protocol):
    """A system that answers one query at a time, from several threads.

    `key` is the same whenever the same answer is requested again, so that the system may recognise it. `reason` says
    why an earlier answer was not accepted, "" if none was given."""

    @property
    def description(self) -> Mapping[str, JsonValue]:
        """The settings that determine the answers, as JSON, without any secret."""
        ...

    def ask(self, query: str, *, key: str, reason: str = "") -> SystemReply:
        """The reply to a query. Raises NoReply, or HcatError if no query can ever be answered."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests: at once, a minute, for each answer, in all; seconds to wait; the price of a request."""

    concurrency: int = 4
    per_minute: float | None = None
    attempts: int = 5
    requests: int | None = None
    timeout: float = 60.0
    backoff: float = 1.0
    price: float | None = None


def with_reason(query: str, reason: str) -> str:
    """The query followed by the reason why an earlier answer was not accepted, for systems with only a query."""
    return f"{query}\n\n{reason}" if reason else query
