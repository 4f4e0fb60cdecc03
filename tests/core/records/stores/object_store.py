"""An S3-compatible server on loopback, by moto, whose packages are in an environment of their own."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

VARIABLE = "HCAT_TEST_STORE"
BUCKET = "bucket"
_SERVER = """
import sys
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(*server.get_host_and_port(), flush=True)
sys.stdin.read()
"""
"""Says where it listens, and ends with whoever started it."""


@dataclass(frozen=True)
class ObjectStore:
    """A running server with one bucket."""

    url: str

    @property
    def environment(self) -> dict[str, str]:
        """The variables that say where it is, with keys that it takes."""
        return {"AWS_ENDPOINT_URL": self.url, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}

    def names(self, below: str = "") -> list[str]:
        """The names of up to 1,000 objects, as the server itself lists them."""
        return re.findall(r"<Key>([^<]*)</Key>", self._ask("GET", f"{BUCKET}?list-type=2&prefix={below}"))

    def empty(self) -> None:
        """Forget all objects, and have one bucket."""
        self._ask("POST", "moto-api/reset")
        self._ask("PUT", BUCKET)

    def _ask(self, method: str, what: str) -> str:
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}/{what}", method=method)) as answer:
            return str(answer.read().decode())


def store_python() -> str:
    """The Python that has the server; the test is skipped where none is named."""
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"{VARIABLE} names no Python with an S3-compatible server: run `make cluster-trial`")
    return named


@contextmanager
def object_store(python: str) -> Iterator[ObjectStore]:
    """The server, for as long as it is needed."""
    with subprocess.Popen([python, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        host, port = server.stdout.readline().split()
        store = ObjectStore(f"http://{host}:{port}")
        try:
            store.empty()
            yield store
        finally:
            server.kill()
