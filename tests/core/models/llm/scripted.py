"""A loopback endpoint that answers chat completions as a test tells it to, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRET = "sk-test-5b7e0f2c9a"


@dataclass(frozen=True)
class Asked:
    """One call: the body, and the headers in lower case."""

    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def prompt(self) -> str:
        """The prompt's name, where a schema was sent."""
        return str(self.body["response_format"]["json_schema"]["name"])

    @property
    def data(self) -> dict[str, Any]:
        """What the prompt is applied to."""
        return json.loads(self.body["messages"][1]["content"])  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Raw:
    """An HTTP answer. `body` is sent as it is."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"


Answer = Raw | str | dict[str, Any] | list[Any]
"""A raw HTTP answer, the text of the model's message, or the JSON of it."""


def completion(content: str, *, finish: str = "stop", **message: Any) -> Raw:
    """A chat completion of 100 tokens read and 10 written."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return Raw(body=json.dumps({"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage}))


def refusal(status: int, message: str = "no", **error: Any) -> Raw:
    """An error in the shape that OpenAI gives it."""
    return Raw(status, json.dumps({"error": {"message": message, **error}}))


@dataclass
class Endpoint:
    """The running server. `answer` is called for every call, possibly by several threads at once."""

    url: str
    answer: Callable[[Asked], Answer]
    asked: list[Asked] = field(default_factory=list)

    @property
    def calls(self) -> int:
        return len(self.asked)


@contextmanager
def endpoint(answer: Callable[[Asked], Answer] = lambda asked: {}) -> Iterator[Endpoint]:
    """A server on a free port of the loopback, which stops at the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked = Asked(body, {name.lower(): value for name, value in self.headers.items()})
            running.asked.append(asked)
            given = running.answer(asked)
            raw = (
                given if isinstance(given, Raw) else completion(given if isinstance(given, str) else json.dumps(given))
            )
            payload = raw.body.encode()
            try:
                self.send_response(raw.status)
                for name, value in {
                    "Content-Type": raw.kind,
                    "Content-Length": str(len(payload)),
                    **raw.headers,
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(payload)
            except OSError:  # the caller did not wait
                self.close_connection = True

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
