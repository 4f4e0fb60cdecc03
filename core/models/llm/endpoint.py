"""Any OpenAI-compatible endpoint: chat completions in JSON, which the server enforces or which is checked here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit, urlunsplit

from hcat.core.errors import ModelError
from hcat.core.models.llm.dialect import Dialect
from hcat.core.models.llm.json_answer import parsed_answer
from hcat.core.models.llm.language import JsonObject, Reply, Request, Usage
from hcat.core.records.hashing import sha256_of_json
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI
    from openai.types.chat import ChatCompletion
    from pydantic import SecretStr

    from hcat.core.models.llm.bounded import Budget
    from hcat.core.settings import Settings

LONGEST_WAIT = 30.0
"""The most seconds between two calls, even if the server asks for more."""
GIVE_UP_AFTER = 3
"""The number of consecutive requests without an answer after which the endpoint is paused."""
PAUSE = 30.0
"""The seconds of the pause; requests in that time fail at once."""
PASSING = frozenset({408, 409, 425, 429})
MISTAKES = {
    401: "refused the key: check HCAT_LLM_API_KEY",
    403: "refused the key: check HCAT_LLM_API_KEY",
    404: "has no such model or path: check HCAT_LLM_BASE_URL and HCAT_LLM_MODEL",
}


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a million tokens, read and written."""

    tokens_in: float
    tokens_out: float

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1e6


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one request: at most `attempts` calls, with pauses from `backoff` seconds on, and `tokens` written.

    Each call has a limit of seconds and bytes in all."""

    timeout: float = 60.0
    attempts: int = 4
    backoff: float = 1.0
    tokens: int = 2048
    parallel: int = 4
    size: int = 16_000_000


@dataclass(frozen=True, slots=True)
class _Call:
    """One call's outcome: content, or why there is none; whether another call may help, and the least pause before
    it."""

    content: JsonObject | None = None
    reason: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    passing: bool = False
    answered: bool = True
    wait: float = 0.0


def open_language(settings: Settings, *, temperature: float = 0.0) -> OpenAILanguage:
    """The model of the settings LLM_*, which must name an address and a model."""
    prices = (settings.llm_price_in, settings.llm_price_out)
    return OpenAILanguage(
        name=settings.llm_model or "",
        base_url=settings.llm_base_url or "",
        api_key=settings.llm_api_key,
        seed=settings.seed,
        limits=Limits(timeout=settings.llm_timeout, tokens=settings.llm_max_tokens, parallel=settings.llm_parallel),
        prices=None if prices[0] is None or prices[1] is None else Prices(prices[0], prices[1]),
        temperature=temperature,
    )


class OpenAILanguage:
    """A model behind an OpenAI-compatible endpoint. The key is sent in the request's header and nowhere else.

    A temperature, 0 by default, and a seed are sent. Calls that fail for a temporary cause (429, 5xx, no connection,
    timeout, no JSON of the schema) are repeated with growing pauses; settings that the server refuses are left out."""

    def __init__(
        self,
        *,
        name: str,
        base_url: str,
        api_key: SecretStr | None = None,
        seed: int = 7,
        limits: Limits | None = None,
        prices: Prices | None = None,
        temperature: float = 0.0,
    ) -> None:
        self.name = name
        self.limits = limits or Limits()
        self.parallel = self.limits.parallel
        self.settings: Mapping[str, JsonValue] = {
            "endpoint": shown_address(base_url),
            "temperature": temperature,
            "seed": seed,
            "max_tokens": self.limits.tokens,
        }
        self.revision = sha256_of_json([name, self.settings])
        self._seed, self._prices = seed, prices
        self._base_url, self._api_key = base_url, api_key
        self._dialect = Dialect(degree=temperature)
        self._unanswered, self._alone_until = 0, 0.0
        self._client: tuple[OpenAI, Budget] | None = None
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Reply:
        """The answer, or why there is none after all attempts.

        Raises ModelError if the endpoint rejects the key or does not know the model."""
        if time.monotonic() < self._alone_until:
            return Reply(None, Usage(), "language model: the endpoint does not answer")
        start, calls = time.perf_counter(), [self._call(request)]
        while calls[-1].passing and len(calls) < self.limits.attempts:
            time.sleep(min(LONGEST_WAIT, max(calls[-1].wait, self.limits.backoff * 2 ** (len(calls) - 1))))
            calls.append(self._call(request))
        self._note(answered=calls[-1].answered)
        usage = self._usage(calls, time.perf_counter() - start)
        sent = self._dialect.sent(self._seed, self.limits.tokens)
        if calls[-1].content is not None:
            return Reply(calls[-1].content, usage, sent=sent)
        times = f" ({len(calls)} calls)" if len(calls) > 1 else ""
        return Reply(None, usage, f"language model: {calls[-1].reason}{times}", sent)

    def _call(self, request: Request) -> _Call:
        """The outcome of one call; if the server refuses a setting, of the same without it."""
        import openai

        from hcat.core.models.llm.bounded import refusal

        dialect: Dialect | None = self._dialect
        while dialect is not None:
            options = dialect.options(request, seed=self._seed, tokens=self.limits.tokens)
            try:
                completion = self._create(options)
            except openai.APITimeoutError:
                return _Call(reason=f"no answer within {self.limits.timeout:g} s", passing=True, answered=False)
            except openai.APIConnectionError as error:
                refused = refusal(error)
                if refused is not None:
                    return _Call(reason=str(refused))
                return _Call(reason="no connection to the endpoint", passing=True, answered=False)
            except openai.APIStatusError as error:
                simpler = dialect.simpler(error) if error.status_code in (400, 422) else None
                if simpler is None:
                    return self._refused(error)
                dialect = simpler
            except (openai.OpenAIError, ValueError):  # ValueError: a body that is not the JSON it says it is
                return _Call(reason="the endpoint's answer is not a chat completion", passing=True)
            else:
                self._dialect = dialect
                return _read(completion, request, self.limits.tokens)
        raise AssertionError("a dialect has only finitely many settings to leave out")

    def _create(self, options: Mapping[str, JsonValue]) -> ChatCompletion:
        client, budget = self._connected()
        create = cast("Callable[..., ChatCompletion]", client.chat.completions.create)
        with budget.call(seconds=self.limits.timeout, most=self.limits.size):
            return create(model=self.name, **options)

    def _connected(self) -> tuple[OpenAI, Budget]:
        from openai import DefaultHttpxClient, OpenAI

        from hcat.core.models.llm.bounded import Budget, bound

        with self._lock:
            if self._client is None:
                budget = Budget()
                key = self._api_key.get_secret_value() if self._api_key else ""
                client = OpenAI(
                    base_url=self._base_url,
                    api_key=key or "none",  # else the library would send OPENAI_API_KEY, which is another endpoint's
                    timeout=self.limits.timeout,
                    max_retries=0,
                    # texts go to the endpoint and nowhere else
                    http_client=bound(DefaultHttpxClient(follow_redirects=False), budget),
                )
                self._client = client, budget
            return self._client

    def _refused(self, error: APIStatusError) -> _Call:
        """The outcome for a status. The server's own words are left out, since they may contain the key."""
        status = error.status_code
        if status in MISTAKES:
            raise ModelError(
                f"The language model endpoint {self.settings['endpoint']} {MISTAKES[status]} (HTTP {status})."
            ) from None
        passing = status in PASSING or status >= 500
        reason = f"the endpoint answered HTTP {status}"
        return _Call(reason=reason, passing=passing, answered=not passing, wait=_retry_after(error))

    def _note(self, *, answered: bool) -> None:
        with self._lock:
            self._unanswered = 0 if answered else self._unanswered + 1
            if self._unanswered >= GIVE_UP_AFTER:
                self._alone_until = time.monotonic() + PAUSE
                self._unanswered = GIVE_UP_AFTER - 1  # after the pause one request may try

    def _usage(self, calls: list[_Call], seconds: float) -> Usage:
        tokens_in, tokens_out = sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)
        cost = None if self._prices is None else self._prices.cost(tokens_in, tokens_out)
        return Usage(tokens_in, tokens_out, seconds, len(calls), cost)


def _read(completion: ChatCompletion, request: Request, tokens: int) -> _Call:
    """The outcome of a completion. The library does not check its form: any other answer is a temporary failure."""
    try:
        choice, usage = completion.choices[0], completion.usage
        text, cut, refusal = choice.message.content, choice.finish_reason == "length", choice.message.refusal
        read, written = (usage.prompt_tokens, usage.completion_tokens) if usage else (0, 0)
    except (AttributeError, IndexError, TypeError):
        return _Call(reason="the endpoint's answer is not a chat completion", passing=True)
    if refusal:
        return _Call(reason="the model declined to answer", tokens_in=read, tokens_out=written)
    answer = parsed_answer(text or "", request.accepted)
    if isinstance(answer, dict):
        return _Call(content=answer, tokens_in=read, tokens_out=written)
    if cut:  # at temperature 0 it would be cut again
        reason = f"an answer cut at {tokens} tokens: raise HCAT_LLM_MAX_TOKENS"
        return _Call(reason=reason, tokens_in=read, tokens_out=written)
    return _Call(reason=answer, tokens_in=read, tokens_out=written, passing=True)


def _retry_after(error: APIStatusError) -> float:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "0")))
    except ValueError:  # a date: the growing pauses will do
        return 0.0


def shown_address(url: str) -> str:
    """The address without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an address that is none"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
