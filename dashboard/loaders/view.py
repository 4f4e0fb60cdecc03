"""Answers of the store, read once for a view of a page: one run of its script, or of a part of it.

A view shows one state: a change by somebody else is seen by the next one. A change by this process is seen at once,
whoever made it. Outside of a view, in a thread of one's own, each call reads again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

P = ParamSpec("P")
R = TypeVar("R")
_ANSWERS: WeakKeyDictionary[object, dict[Hashable, object]] = WeakKeyDictionary()
"""By view: they go with it."""
_LOCK = Lock()


def once_a_view(ask: Callable[P, R]) -> Callable[P, R]:
    """The function, asked once a view for the same arguments, which are hashed. What it gives is not to be changed."""

    @wraps(ask)
    def asked(*given: P.args, **named: P.kwargs) -> R:
        answers = _answers()
        if answers is None:
            return ask(*given, **named)
        key = (ask, given, tuple(sorted(named.items())))
        if key not in answers:
            answers[key] = ask(*given, **named)
        return cast("R", answers[key])

    return asked


def forget_answers(*_: object) -> None:
    """Read again from now on, in all views: something was changed, by whomever. An observer of the workspace."""
    with _LOCK:
        _ANSWERS.clear()


def _answers() -> dict[Hashable, object] | None:
    """Those of the view that runs in this thread; None where none does."""
    context = get_script_run_ctx(suppress_warning=True)
    view = None if context is None else context.parallel_coordinator  # a new one for each run of script or fragment
    if view is None:
        return None
    with _LOCK:
        return _ANSWERS.setdefault(view, {})
