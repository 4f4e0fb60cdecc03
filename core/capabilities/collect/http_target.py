"""A system behind HTTP: queried by a templated request, read by JSONPath."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from hcat.core.capabilities.collect.addresses import checked_transport
from hcat.core.capabilities.collect.contexts import read_context
from hcat.core.capabilities.collect.description import (
    QUERY,
    REASON,
    ChatTargetFile,
    HttpTargetFile,
    described,
    with_query,
    with_secrets,
)
from hcat.core.capabilities.collect.reply import NoReply, SystemReply, with_reason
from hcat.core.display.addresses import keep_addresses_out_of_logs
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    import httpx2
    from jsonpath import JSONPath

MOST_BYTES = 20_000_000
"""The most bytes of a reply; more is refused while it is read."""

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
KEY_HEADER = "Idempotency-Key"


class HttpSystem:
    """A system behind HTTP. Raises FileFormatError if a path is not a JSONPath, HcatError if a secret is missing."""

    def __init__(self, target: HttpTargetFile, *, allow_private: bool) -> None:
        import httpx2

        self.description: Mapping[str, JsonValue] = described(target)
        self._target = target
        self._url = str(with_secrets(target.url))
        self._headers = {name: str(with_secrets(value)) for name, value in target.headers.items()}
        self._body = with_secrets(target.body)
        self._paths = {
            name: _path(name, path)
            for name in ("answer", "contexts", "context_ids", "candidates")
            if (path := getattr(target, name)) is not None
        }
        if not self._url.startswith(("http://", "https://")):
            raise FileFormatError("url: expected an address that begins with http:// or https://")
        if QUERY not in json.dumps([target.url, target.body]):
            raise FileFormatError(f"the target nowhere holds {QUERY}: put it where the question belongs")
        self._takes_reason = REASON in json.dumps([target.url, target.body])
        transport = checked_transport(allow_private=allow_private, concurrency=target.concurrency)
        keep_addresses_out_of_logs()
        self._client = httpx2.Client(
            transport=transport, timeout=target.timeout, follow_redirects=False, trust_env=False
        )

    def ask(self, query: str, *, key: str, reason: str = "") -> SystemReply:
        import httpx2

        text = query if self._takes_reason else with_reason(query, reason)
        url = self._url.replace(REASON, quote(reason, safe=""))
        deadline = time.monotonic() + self._target.timeout
        try:
            with self._client.stream(
                self._target.method,
                url.replace(QUERY, quote(text, safe="")),
                headers={**self._headers, KEY_HEADER: key},
                json=None if self._body is None else with_query(self._body, text, reason=reason),
            ) as response:
                _refuse(response)
                content = _read(response, deadline)
        except httpx2.TimeoutException:
            raise NoReply(f"no reply within {self._target.timeout:g} seconds", passing=True) from None
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise NoReply(f"no connection: {error}", passing=True) from None
        return self._reply(content)

    def close(self) -> None:
        self._client.close()

    def _reply(self, content: object) -> SystemReply:
        answers = self._found("answer", content)
        if not answers:
            raise NoReply(f"the reply holds nothing at {self._target.answer}")
        if isinstance(answers[0], dict | list):
            raise NoReply(f"the reply holds no text at {self._target.answer}")
        ids = [str(name) for name in self._found("context_ids", content)]
        contexts = self._found("contexts", content)
        if ids and len(ids) != len(contexts):
            raise NoReply(f"the reply holds {len(contexts)} contexts and {len(ids)} ids of contexts")
        return SystemReply(
            None if answers[0] is None else str(answers[0]),
            tuple(read_context(context, ids[rank] if ids else None) for rank, context in enumerate(contexts)),
            tuple(str(name) for name in self._found("candidates", content)),
        )

    def _found(self, name: str, content: object) -> Sequence[object]:
        path = self._paths.get(name)
        return [] if path is None else path.findall(content)  # type: ignore[arg-type]


def chat_system(target: ChatTargetFile, *, allow_private: bool) -> HttpSystem:
    """An OpenAI-compatible chat endpoint as an HTTP request."""
    messages = [{"role": "system", "content": target.system}] if target.system else []
    return HttpSystem(
        HttpTargetFile(
            kind="http",
            url=f"{target.url.rstrip('/')}/chat/completions",
            headers={"Authorization": f"Bearer {target.key}"} if target.key else {},
            body={
                **target.options,
                "model": target.model,
                "messages": [*messages, {"role": "user", "content": QUERY}],
            },
            answer="$.choices[0].message.content",
            contexts=target.contexts,
            context_ids=target.context_ids,
            **{name: getattr(target, name) for name in ("concurrency", "requests_per_minute", "attempts", "budget")},
            **{name: getattr(target, name) for name in ("timeout", "backoff", "price")},
        ),
        allow_private=allow_private,
    )


def _path(name: str, path: str) -> JSONPath:
    import jsonpath

    try:
        return jsonpath.compile(path)  # type: ignore[return-value]
    except jsonpath.JSONPathError as error:
        raise FileFormatError(f"{name}: {path!r} is no JSONPath: {str(error).splitlines()[0]}") from None


def _refuse(response: httpx2.Response) -> None:
    """Raise an error if the status says that there is no answer."""
    status = response.status_code
    if status in (401, 403):
        raise HcatError(f"the system refuses access (HTTP {status}): check the secrets in the target's headers")
    if status == 404:
        raise HcatError(f"the system has nothing at {response.request.url.path} (HTTP 404): check the target's url")
    if 300 <= status < 400:
        raise HcatError(
            f"the system redirects to {response.headers.get('location', 'another address')}: redirects are not "
            "followed; name the final address in the target's url"
        )
    if status in PASSING:
        raise NoReply(f"HTTP {status}", passing=True, wait=_retry_after(response.headers.get("retry-after")))
    if status >= 400:
        raise NoReply(f"HTTP {status}")


def _read(response: httpx2.Response, deadline: float) -> object:
    """The JSON of a reply. Raises NoReply if it is too long, too slow or not JSON."""
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        parts.append(part)
        if size > MOST_BYTES:
            raise NoReply(f"the reply is longer than {MOST_BYTES // 1_000_000} MB")
        if time.monotonic() > deadline:
            raise NoReply("the reply did not end in time", passing=True)
    try:
        return json.loads(b"".join(parts))
    except ValueError:
        raise NoReply("the reply is no JSON") from None


def _retry_after(header: str | None) -> float:
    """Seconds to wait, from seconds or a date; 0 if none are given."""
    if header is None:
        return 0.0
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return 0.0
