"""The system that a target file describes."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlsplit

from hcat.core.capabilities.collect.addresses import checked_address
from hcat.core.capabilities.collect.description import (
    ChatTargetFile,
    DemoTargetFile,
    PythonTargetFile,
    Target,
    described,
    with_secrets,
)
from hcat.core.capabilities.collect.reply import System

_DEMO = "hcat.core.capabilities.demo.system:ask"


def open_system(target: Target, *, allow_private: bool) -> System:
    """The system of a target. Raises HcatError if a secret is missing, or the description can't work."""
    if isinstance(target, DemoTargetFile | PythonTargetFile):
        from hcat.core.capabilities.collect.python_target import PythonSystem

        if isinstance(target, PythonTargetFile):
            return PythonSystem(target.callable, target.settings, description=described(target))
        return PythonSystem(_DEMO, {"configuration": target.configuration}, description=described(target))
    from hcat.core.capabilities.collect.http_target import HttpSystem, chat_system

    if isinstance(target, ChatTargetFile):
        return chat_system(target, allow_private=allow_private)
    return HttpSystem(target, allow_private=allow_private)


def check_address(target: Target, *, allow_private: bool) -> None:
    """Raise HcatError if the address of the system would be refused in a request.

    Names that can't be looked up pass: they may be known by then."""
    if isinstance(target, DemoTargetFile | PythonTargetFile):
        return
    url = urlsplit(str(with_secrets(target.url)))
    if url.hostname:
        with suppress(OSError):
            port = url.port or (443 if url.scheme == "https" else 80)
            checked_address(url.hostname, port, allow_private=allow_private)
