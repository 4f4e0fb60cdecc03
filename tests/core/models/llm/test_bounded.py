"""A call to an endpoint ends: what drips, swells or unpacks is refused. Each server here ends with a good answer, which
is what a client without bounds would take."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.models.llm.language import Reply, Request
from hcat.core.prompts import Prompt
from hcat.core.types import JsonValue
from tests.core.models.llm.scripted import completion

SCHEMA: Mapping[str, JsonValue] = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
GOOD = completion(json.dumps({"word": "yes"})).body.encode()
DRIPS, PAUSE = 40, 0.1

Answering = Callable[[BaseHTTPRequestHandler], None]


def _head(handler: BaseHTTPRequestHandler, length: int, **headers: str) -> None:
    handler.send_response(200)
    for name, value in {"content-type": "application/json", "content-length": str(length), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


def _good(handler: BaseHTTPRequestHandler) -> None:
    _head(handler, len(GOOD))
    handler.wfile.write(GOOD)


def _dripping_body(handler: BaseHTTPRequestHandler) -> None:
    _head(handler, len(GOOD) + DRIPS)
    _drip(handler)
    handler.wfile.write(GOOD)


def _dripping_head(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-slow:")
    _drip(handler)
    handler.wfile.write(f"\r\ncontent-length: {len(GOOD)}\r\n\r\n".encode() + GOOD)


def _drip(handler: BaseHTTPRequestHandler) -> None:
    for _ in range(DRIPS):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        threading.Event().wait(PAUSE)


def _swollen(handler: BaseHTTPRequestHandler) -> None:
    _head(handler, len(GOOD) + 300_000)
    handler.wfile.write(b" " * 300_000 + GOOD)


def _compressed(handler: BaseHTTPRequestHandler) -> None:
    body = gzip.compress(b" " * 300_000 + GOOD)
    _head(handler, len(body), content_encoding="gzip")
    handler.wfile.write(body)


@contextmanager
def _serving(answering: Answering) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            try:
                answering(self)
            except OSError:  # the client has gone
                self.close_connection = True

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _reply(url: str, *, timeout: float = 120.0) -> Reply:
    limits = Limits(timeout=timeout, attempts=1, backoff=0.0, size=200_000)
    asked = Request(Prompt("say_word", 1, "Say a word."), {"text": "text"}, SCHEMA)
    return OpenAILanguage(name="m", base_url=url, limits=limits).ask(asked)


@pytest.mark.parametrize("answering", [_dripping_body, _dripping_head])
def test_an_answer_that_drips_is_not_waited_for(answering: Answering) -> None:
    with _serving(answering) as url:
        reply = _reply(url, timeout=DRIPS * PAUSE / 8)
    assert (reply.content, reply.reason) == (None, "language model: no answer within 0.5 s")


def test_an_answer_that_is_too_long_is_not_read_and_not_asked_for_again() -> None:
    with _serving(_swollen) as url:
        reply = _reply(url)
    assert (reply.content, reply.reason) == (None, "language model: an answer of more than 0.2 MB")


def test_a_compressed_answer_is_not_unpacked() -> None:
    with _serving(_compressed) as url:
        reply = _reply(url)
    assert (reply.content, reply.reason) == (None, "language model: a compressed answer")


def test_the_same_server_without_tricks_is_read_also_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with _serving(_good) as url:
        assert _reply(url).content == {"word": "yes"}
    with _serving(_swollen) as proxy:  # what answers for an address that is reached through it
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.setenv("HTTP_PROXY", proxy.removesuffix("/v1"))
        assert _reply("http://endpoint.example/v1").reason == "language model: an answer of more than 0.2 MB"
