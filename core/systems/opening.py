"""The system that a target file describes."""

from __future__ import annotations

from core.systems.description import ChatTargetFile, DemoTargetFile, PythonTargetFile, Target, described
from core.systems.reply import System

_DEMO = "core.demo.system:ask"


def open_system(target: Target, *, allow_private: bool) -> System:
    """Raises HcatError where a secret is missing, or the description can't work."""
    if isinstance(target, DemoTargetFile | PythonTargetFile):
        from core.systems.python_target import PythonSystem

        if isinstance(target, PythonTargetFile):
            return PythonSystem(target.callable, target.settings, description=described(target))
        return PythonSystem(_DEMO, {"configuration": target.configuration}, description=described(target))
    from core.systems.http_target import HttpSystem, chat_system

    if isinstance(target, ChatTargetFile):
        return chat_system(target, allow_private=allow_private)
    return HttpSystem(target, allow_private=allow_private)
