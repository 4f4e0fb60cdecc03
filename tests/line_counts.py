"""How much work a call does, counted and not timed: the same on any machine, busy or not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def lines_run(call: Callable[[], object]) -> int:
    """How many lines of Python a call runs; each turn of a loop or comprehension counts anew."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        nonlocal count
        count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
