"""Checks that the head of a running Ray cluster answers at an address, and accepts the token of this machine.

Ray's own client tries for minutes if something else answers, and may then end its own process. So another process asks
first, and is ended at a time-out."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hcat.core.errors import HcatError

REACHED_WITHIN = 10.0
"""The seconds within which a connection must be accepted."""
ANSWERS_WITHIN = 10.0
"""The seconds within which the head must answer."""
_QUESTION = """
import os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
try:
    from ray._private.authentication.authentication_token_setup import ensure_token_if_auth_enabled
    from ray._raylet import GcsClient
except ImportError:  # a version of Ray that has them elsewhere, which is left to ask by itself
    sys.exit()
ensure_token_if_auth_enabled(create_token_if_missing=False)
print("asks", flush=True)
GcsClient(address=sys.argv[1])
"""
_NO_TOKEN = "no authentication token was found"  # noqa: S105 - a message of Ray
_OF_TOKENS = ("authentication", "unauthenticated")


@contextmanager
def asked_head(address: str) -> Iterator[None]:
    """Query the head at "host:port" while something else is done; HcatError at the end if it does not answer."""
    _check_reached(address)
    command = [sys.executable, "-c", _QUESTION, address]
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield
            said = _answer(process)
        finally:
            process.kill()
    if said is None:
        return
    if _NO_TOKEN in said:
        raise HcatError(
            "RAY_AUTH_MODE is token, and there is no token: set RAY_AUTH_TOKEN to that of the head of the cluster at "
            f"{address}."
        )
    if any(word in said.lower() for word in _OF_TOKENS):
        raise HcatError(
            f"The Ray cluster at {address} takes no work without its token: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN "
            "to what its head has."
        )
    raise HcatError(
        f"What answers at {address} is no head of a Ray cluster: see that host and port are those that "
        "`ray start --head` named, and that its version of Ray is the one installed here."
    )


def check_head(address: str) -> None:
    """Raise HcatError if no head of a Ray cluster answers at the address, or it rejects this machine's token."""
    with asked_head(address):
        pass


def _check_reached(address: str) -> None:
    """Raise HcatError if nothing accepts connections at the address."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=REACHED_WITHIN).close()
    except (OSError, ValueError, OverflowError) as error:
        raise HcatError(
            f"No Ray cluster at {address}: {error}. Start its head, or see that it can be reached from this machine."
        ) from error


def _answer(process: subprocess.Popen[str]) -> str | None:
    """The complaint of the process that asks, empty after a time-out; None if all is well."""
    assert process.stdout is not None
    process.stdout.readline()  # it has loaded Ray by now, however busy the machine is
    try:
        _, complaint = process.communicate(timeout=ANSWERS_WITHIN)
    except subprocess.TimeoutExpired:
        return ""
    return None if process.returncode == 0 else complaint
