"""Language models behind any OpenAI-compatible endpoint: a prompt and data in, JSON of a stated schema out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from hcat.core.prompts import Prompt
from hcat.core.records.hashing import sha256_of_json
from hcat.core.types import JsonValue

JsonObject = dict[str, JsonValue]


@dataclass(frozen=True)
class Request:
    """A prompt, its data, and the JSON schema of the answer.

    The data is a message of its own as one JSON object: no text in it can end its own quotation, and the prompt says
    that nothing in it is an instruction. The server should enforce `schema`; an answer is valid if it matches
    `accepts`, if the caller reads the parts of an answer one by one."""

    prompt: Prompt
    data: Mapping[str, JsonValue]
    schema: Mapping[str, JsonValue]
    accepts: Mapping[str, JsonValue] | None = None

    @cached_property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """Role and text of each message."""
        return (("system", self.prompt.text), ("user", _readable(json.dumps(self.data, ensure_ascii=False, indent=1))))

    @cached_property
    def prompt_hash(self) -> str:
        """SHA-256 of everything that the model reads."""
        return sha256_of_json([list(message) for message in self.messages])

    @cached_property
    def schema_hash(self) -> str:
        """SHA-256 of the schema."""
        return sha256_of_json(dict(self.schema))

    @property
    def accepted(self) -> Mapping[str, JsonValue]:
        """The schema that a valid answer must match."""
        return self.schema if self.accepts is None else self.accepts

    @property
    def key(self) -> str:
        """The key that distinguishes this request from others."""
        return f"{self.prompt_hash[:32]}{self.schema_hash[:32]}"


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of one answer: tokens, seconds, calls of the endpoint and, with prices, money.

    `cached` answers are from an earlier request; their numbers are of that time."""

    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    calls: int = 0
    cost: float | None = None
    cached: bool = False

    def record(self) -> JsonObject:
        """The usage as JSON."""
        return {
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "seconds": self.seconds,
            "calls": self.calls,
            "cost": self.cost,
            "cached": self.cached,
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """The parsed answer, which matches the request's schema; or None, and the reason why there is none.

    `sent` are the settings of the request: response format, temperature, seed, limit of tokens."""

    content: JsonObject | None
    usage: Usage
    reason: str | None = None
    sent: Mapping[str, JsonValue] = field(default_factory=dict)


class LanguageModel(Protocol):
    """Answers requests. `revision` hashes the endpoint, the model's name and the settings of the requests."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def parallel(self) -> int:
        """The most requests that may run at once."""
        ...

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """The settings that the scores' provenance records: endpoint, temperature, seed. Never a secret."""
        ...

    def ask(self, request: Request) -> Reply:
        """The answer, or why there is none. Raises ModelError only if no request could succeed."""
        ...


def ask_all(
    model: LanguageModel, requests: Sequence[Request], *, on_reply: Callable[[int, int], None] | None = None
) -> tuple[Reply, ...]:
    """The reply to each request, in their order; equal requests are sent once.

    At most `model.parallel` run at once. `on_reply` is called with (done, of) after each, in the calling thread; an
    exception that it raises stops the work, as does a ModelError: no further request is begun then."""
    distinct = {request.key: request for request in requests}
    replies: dict[str, Reply] = {}
    with ThreadPoolExecutor(max_workers=max(1, model.parallel), thread_name_prefix="language") as pool:
        under_way = {pool.submit(model.ask, request): key for key, request in distinct.items()}
        try:
            for done in as_completed(under_way):
                replies[under_way[done]] = done.result()
                if on_reply is not None:
                    on_reply(len(replies), len(distinct))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return tuple(replies[request.key] for request in requests)


def total(usages: Sequence[Usage]) -> Usage:
    """The sum of usages. Money is unknown if any part is; cached only if all are."""
    costs = [usage.cost for usage in usages]
    return Usage(
        tokens_in=sum(usage.tokens_in for usage in usages),
        tokens_out=sum(usage.tokens_out for usage in usages),
        seconds=sum(usage.seconds for usage in usages),
        calls=sum(usage.calls for usage in usages),
        cost=sum(cost for cost in costs if cost is not None) if None not in costs else None,
        cached=bool(usages) and all(usage.cached for usage in usages),
    )


def _readable(text: str) -> str:
    """The text without lone surrogates, which are not Unicode and which endpoints reject."""
    return text.encode("utf-8", "replace").decode()
