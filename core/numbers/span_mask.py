"""Which characters of a text are already read as a number."""

from __future__ import annotations


class SpanMask:
    """A mask over a text: each span is reserved only once."""

    def __init__(self, length: int) -> None:
        self._mask = bytearray(length)

    def reserve(self, start: int, end: int) -> bool:
        """Reserve the span unless a part of it is reserved; return whether it was free."""
        if self._mask.find(1, start, end) >= 0:
            return False
        self._mask[start:end] = b"\x01" * (end - start)
        return True
