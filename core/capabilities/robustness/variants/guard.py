"""Whether a reworded query has the same numbers, negations, names and units."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from hcat.core.capabilities.robustness.variants.sentence import NEGATIONS, Sentence

Touched = Literal["a number", "a negation", "a name or a unit"]

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_TOKEN = re.compile(r"[\w'’]+")


def touched(query: Sentence, changed: str) -> Touched | None:
    """The kind of item that a rewording lost, or added if a number or a negation; None if all are preserved."""
    before = query.text
    if numbers(before) != numbers(changed):
        return "a number"
    if _negations(before) != _negations(changed):
        return "a negation"
    kept = all(_occurrences(word, before) <= _occurrences(word, changed) for word in set(query.protected_words))
    return None if kept else "a name or a unit"


def numbers(text: str) -> Counter[str]:
    """The numbers of a text as they are written."""
    return Counter(_NUMBER.findall(text))


def holds_name(text: str, name: str) -> bool:
    """Whether a word occurs in the text with the same spelling, not as a part of another word."""
    return _occurrences(name, text) > 0


def _negations(text: str) -> Counter[str]:
    words = (word.lower().replace("’", "'") for word in _TOKEN.findall(text))
    return Counter(word for word in words if word in NEGATIONS or word.endswith("n't"))


def _occurrences(word: str, text: str) -> int:
    left = r"(?<!\w)" if word[:1].isalnum() else ""
    right = r"(?!\w)" if word[-1:].isalnum() else ""
    return len(re.findall(left + re.escape(word) + right, text))
