"""The system that a target file describes."""

from __future__ import annotations

from core.systems.description import ChatTargetFile, HttpTargetFile, PythonTargetFile
from core.systems.reply import System


def open_system(target: HttpTargetFile | ChatTargetFile | PythonTargetFile, *, allow_private: bool) -> System:
    """Raises HcatError where a secret is missing, or the description can't work."""
    if isinstance(target, PythonTargetFile):
        from core.systems.python_target import PythonSystem

        return PythonSystem(target)
    from core.systems.http_target import HttpSystem, chat_system

    if isinstance(target, ChatTargetFile):
        return chat_system(target, allow_private=allow_private)
    return HttpSystem(target, allow_private=allow_private)
