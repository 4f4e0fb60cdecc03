"""Checks a target that was typed into a page: no secrets in plain text, and no code of the server.

A target is stored with what was collected by it, so a secret in it would be stored too. And anyone with access to the
dashboard could make the server run any function, or send any of its environment anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from hcat.core.capabilities.collect.description import PythonTargetFile, Target, secret_names, target_record
from hcat.core.errors import HcatError

PAGE_PREFIX = "HCAT_TARGET_"
"""The prefix of environment variables that a target from a page may name."""

_SECRET = re.compile(r"authori[sz]ation|api[-_]?key|^key$|token|secret|password|passwd|cookie", re.IGNORECASE)


def check_stored(target: Target) -> None:
    """Raise HcatError if the target itself contains a secret, since it is going to be stored."""
    for place, value in _strings(target_record(target), ""):
        name = place.rpartition(".")[2]
        if _SECRET.search(name) and value.strip() and not secret_names(value):
            raise HcatError(
                f"{place} holds a secret, which would be stored: write ${{NAME}} there and set NAME in the environment"
            )
        if "://" in value:
            _check_url(place, value)


def check_from_page(target: Target, *, allow_python: bool) -> None:
    """Raise HcatError for what a page may not request of the server: see the docstring of this module."""
    check_stored(target)
    if isinstance(target, PythonTargetFile) and not allow_python:
        raise HcatError(
            "a Python function can't be called from a page: use `hcat collect` on the command line, or set "
            "HCAT_ALLOW_PYTHON_TARGETS=1 for the server"
        )
    for place, value in _strings(target_record(target), ""):
        for name in secret_names(value):
            if not name.startswith(PAGE_PREFIX):
                raise HcatError(
                    f"{place} names the variable {name}: a target from a page may name only those that begin with "
                    f"{PAGE_PREFIX}"
                )


def _check_url(place: str, value: str) -> None:
    try:
        parts = urlsplit(value)
        password, query = parts.password, parse_qsl(parts.query)
    except ValueError:
        return
    stated = [name for name, said in query if _SECRET.search(name) and not secret_names(said)]
    if (password and not secret_names(password)) or stated:
        raise HcatError(
            f"{place} holds a secret in its address, which would be stored: write ${{NAME}} there and set NAME in the "
            "environment"
        )


def _strings(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Every text of the target, with its path."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _strings(part, f"{place}.{name}".lstrip("."))
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part, place)
