"""A client with bounded calls: each has a limit of seconds and bytes in all, however slow or long the reply is.

The library's own time-out is for each piece that arrives: an endpoint that sends a letter a minute would block a call
for ever. So the time is counted where bytes are read and written, also through a proxy from the environment."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import httpcore2
import httpx2

from hcat.core.display.addresses import keep_addresses_out_of_logs

Client = httpx2.Client


class RefusedAnswer(httpcore2.ReadError):
    """An answer that is not read to its end; its text says why."""


class Budget(threading.local):
    """The remaining budget of the call that this thread makes."""

    def __init__(self) -> None:
        self.ends, self.most, self.read = float("inf"), 0, 0

    @contextmanager
    def call(self, *, seconds: float, most: int) -> Iterator[None]:
        """A call that takes at most so many seconds and bytes."""
        self.ends, self.most, self.read = time.monotonic() + seconds, most, 0
        try:
            yield
        finally:
            self.ends = float("inf")

    def seconds(self, timeout: float | None) -> float:
        """The seconds to wait for one piece. Raises the library's time-out if none are left."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the call has had its time")
        return left if timeout is None else min(left, timeout)

    def note(self, data: bytes) -> bytes:
        """Count the bytes that were read. Raises RefusedAnswer if there are too many."""
        self.read += len(data)
        if self.read > self.most:
            raise RefusedAnswer(f"an answer of more than {self.most / 1e6:g} MB")
        return data


def bound(client: Client, budget: Budget) -> Client:
    """The client with all connections limited by the budget, and without compressed answers."""
    keep_addresses_out_of_logs()
    client.headers["accept-encoding"] = "identity"
    client.event_hooks["response"] = [_refuse_compressed]
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx2.HTTPTransport):
            pool = transport._pool
            pool._network_backend = _Backend(pool._network_backend, budget)
    return client


def refusal(error: BaseException) -> RefusedAnswer | None:
    """The reason why an answer was not read, if that caused the error; else None."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, RefusedAnswer):
        cause = cause.__cause__
    return cause


def _refuse_compressed(response: httpx2.Response) -> None:
    """Refuse a compressed answer: a kilobyte may unpack to a gigabyte."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.ReadError("", request=response.request) from RefusedAnswer("a compressed answer")


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream, budget: Budget) -> None:
        self._stream, self._budget = stream, budget

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._budget.note(self._stream.read(max_bytes, self._budget.seconds(timeout)))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._budget.seconds(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        encrypted = self._stream.start_tls(ssl_context, server_hostname, self._budget.seconds(timeout))
        return _Stream(encrypted, self._budget)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, backend: httpcore2.NetworkBackend, budget: Budget) -> None:
        self._backend, self._budget = backend, budget

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        wait = self._budget.seconds(timeout)
        return _Stream(self._backend.connect_tcp(host, port, wait, local_address, socket_options), self._budget)

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(min(seconds, self._budget.seconds(seconds)))
