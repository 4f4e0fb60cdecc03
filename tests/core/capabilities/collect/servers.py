"""Real HTTP servers on the loopback, for tests: they answer, count what they were asked, and fail on purpose."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answering = Callable[["Seen"], "Response"]


@dataclass(frozen=True)
class Seen:
    """A request: its number from 1, when it came, its path, headers and JSON."""

    number: int
    at: float
    path: str
    headers: Mapping[str, str]
    content: object

    @property
    def key(self) -> str:
        return self.headers["idempotency-key"]


@dataclass(frozen=True)
class Response:
    content: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass
class Server:
    url: str
    seen: list[Seen] = field(default_factory=list)


@contextmanager
def serving(answer: Answering) -> Iterator[Server]:
    """A server with a thread for each request, which ends with the block."""
    lock = threading.Lock()
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(length)
            headers = {name.lower(): value for name, value in self.headers.items()}
            with lock:
                request = Seen(
                    len(server.seen) + 1, time.monotonic(), self.path, headers, json.loads(body) if body else None
                )
                server.seen.append(request)
            response = answer(request)
            ended.wait(response.delay)
            content = json.dumps(response.content).encode()
            try:
                self.send_response(response.status)
                for name, value in response.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                pass  # whoever asked has gone

        do_POST = do_GET = handle_any  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = True
    server = Server(f"http://127.0.0.1:{httpd.server_address[1]}")
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        ended.set()
        httpd.shutdown()
        httpd.server_close()
        thread.join()
