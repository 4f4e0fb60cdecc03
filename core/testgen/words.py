"""Words as lengths of passages count them: between white space; Chinese, Japanese characters each by itself."""

from __future__ import annotations

import re

_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")


def count_words(text: str) -> int:
    """How many words a text has."""
    return len(text.split()) if text.isascii() else sum(1 for _ in _WORD.finditer(text))


def word_ends(text: str, *, every: int) -> list[int]:
    """The offsets at which a text is cut so that each piece has so many words, the last one what is left."""
    ends = [match.end() for match in _WORD.finditer(text)]
    return [*ends[every - 1 : -1 : every], len(text)]
