"""Exclude objects that a server keeps for as long as it runs from Python's search for garbage.

Streamlit looks for garbage among all objects after every redraw. Modules and models bring most of them, and looking at
those holds each press up by some tenths of a second.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def frozen_objects() -> Iterator[None]:
    """No garbage is looked for in this block, and none later among all that is there at its end."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


_seen = {"modules": 0}


def freeze_new_modules() -> None:
    """Exclude all present objects from later garbage collection if modules were imported since the last call.

    A page imports what it needs when it is first opened, and a model its libraries when it first reads a text.
    """
    if len(sys.modules) > _seen["modules"]:
        _seen["modules"] = len(sys.modules)
        gc.freeze()
