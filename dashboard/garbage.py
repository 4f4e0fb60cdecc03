"""What a server keeps for as long as it runs is taken out of Python's search for garbage.

Streamlit looks for garbage among all objects after every redraw. Modules and models bring most of them, and looking at
those holds each press up by some tenths of a second.
"""

from __future__ import annotations

import gc
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
