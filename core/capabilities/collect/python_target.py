"""A system that is a Python function of the user's."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from hcat.core.capabilities.collect.contexts import read_context
from hcat.core.capabilities.collect.description import with_secrets
from hcat.core.capabilities.collect.reply import NoReply, SystemReply, with_reason
from hcat.core.errors import FileFormatError
from hcat.core.types import JsonValue


class PythonSystem:
    """A function of a query that returns the answer, or a dictionary of `answer`, `contexts` and `candidates`.

    It is called from several threads, with the target's settings as keywords. A call that hangs can't be ended. Raises
    FileFormatError if there is no such function."""

    def __init__(
        self,
        function: str,
        settings: Mapping[str, object],
        *,
        description: Mapping[str, JsonValue],
    ) -> None:
        self.description = description
        self._function = _function(function)
        self._settings = cast("dict[str, object]", with_secrets(settings))

    def ask(self, query: str, *, key: str, reason: str = "") -> SystemReply:  # noqa: ARG002 - a function is not paid for
        try:
            found = self._function(with_reason(query, reason), **self._settings)
        except Exception as error:
            raise NoReply(f"the function raised {type(error).__name__}: {error}") from error
        if found is None or isinstance(found, str):
            return SystemReply(found)
        if not isinstance(found, Mapping) or "answer" not in found:
            raise NoReply("the function returned neither a text nor a dictionary with answer")
        answer = found["answer"]
        return SystemReply(
            None if answer is None else str(answer),
            tuple(read_context(context, None) for context in found.get("contexts") or ()),
            tuple(str(name) for name in found.get("candidates") or ()),
        )


def _function(name: str) -> Callable[..., object]:
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise FileFormatError(f"callable: expected module:function, not {name!r}")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise FileFormatError(f"callable: {name} can't be imported: {error}") from None
    if not callable(function):
        raise FileFormatError(f"callable: {name} is no function")
    return cast("Callable[..., object]", function)
