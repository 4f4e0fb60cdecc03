"""Counting how often functions are called, by whatever name they were imported."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, MethodType


@contextmanager
def calls_of(**functions: Callable[..., object]) -> Iterator[Counter[str]]:
    """How often each of these functions is called meanwhile, in this thread and in those that begin meanwhile."""
    names = {_own(function).__code__: name for name, function in functions.items()}
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code in names:
            counted[names[frame.f_code]] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    threading.setprofile(count)
    try:
        yield counted
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def _own(function: Callable[..., object]) -> Callable[..., object]:
    return function.__func__ if isinstance(function, MethodType) else function
