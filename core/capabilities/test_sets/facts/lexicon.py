"""Short lists of English words, written as one text each."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text between its spaces."""
    return frozenset(text.split())


def lowered(text: str) -> str:
    """The words with a small first letter."""
    return text[:1].lower() + text[1:]
