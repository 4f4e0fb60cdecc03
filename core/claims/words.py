"""Words in the form for comparing premises and hypotheses: stems of content words, names and numbers, with weights."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

SMALL_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)
"""Words for numbers; their indexes are their values."""
NUMBER, NAME, CONTENT = 2.0, 2.0, 1.0
"""The weights of a number, a name and another content word of a hypothesis when evidence is chosen by shared words."""

_STOP_TEXT = (
    "a an the and or but of in on at to for from by with as is are was were be been being am it its this that these "
    "those there he she they them his her their i you we our your my me him us do does did has have had will would can "
    "could should may might must so than then too very also just who whom which what when where how if into about over "
    "s t ll ve re d m not no"
)
STOP_WORDS = frozenset(_STOP_TEXT.split())
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
NAME_WITHIN = re.compile(r"(?<![.!?:])\s[\"'“(]?([A-Z][^\W\d_]+)")
"""A capitalised word that does not begin a sentence."""


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Words and numbers in order, case-folded; numbers without thousands separators, words without 's."""
    normal = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return tuple(word.replace(",", "").removesuffix("'s") for word in _WORD.findall(normal))


def stem(word: str) -> str:
    """The word without the commonest English endings."""
    for ending in ("ing", "ed", "es", "s", "ly", "d", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65_536)
def stems(text: str) -> frozenset[str]:
    """All stems of a text, numbers in digits."""
    return frozenset(_term(word) for word in words(text))


def terms(text: str) -> Mapping[str, float]:
    """Stem -> weight of the words that evidence for a text should share with it; all words if none is a content
    word."""
    said = words(text)
    names = {stem(name.casefold()) for name in NAME_WITHIN.findall(text)}
    content = [word for word in said if word not in STOP_WORDS] or said
    return {term: _weight(term, names) for term in map(_term, content)}


def _term(word: str) -> str:
    return str(SMALL_NUMBERS.index(word)) if word in SMALL_NUMBERS else stem(word)


def _weight(term: str, names: set[str]) -> float:
    return NUMBER if term[0].isdigit() else NAME if term in names else CONTENT
