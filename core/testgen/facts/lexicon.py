"""Short lists of English words, written as one text each."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text between its spaces."""
    return frozenset(text.split())
