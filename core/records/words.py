"""Counts of words, for lengths of passages: separated by white space; each Chinese or Japanese character counts as
one."""

from __future__ import annotations

import re

_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")


def count_words(text: str) -> int:
    """Number of words of a text."""
    return len(text.split()) if text.isascii() else sum(1 for _ in _WORD.finditer(text))


def word_ends(text: str, *, every: int) -> list[int]:
    """The offsets at which a text is cut so that each piece has `every` words, the last one the remainder."""
    ends = [match.end() for match in _WORD.finditer(text)]
    return [*ends[every - 1 : -1 : every], len(text)]
