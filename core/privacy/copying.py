"""Runs of words that two texts share."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

LONG_COPY = 20
"""The least number of consecutive words from one context that count as copied rather than paraphrased."""

_WORD = re.compile(r"\w+(?:['’.,]\w+)*")


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word of a text, in lower case, and its position."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CopiedRun:
    """Words of a text, from `start` to `end`, that are consecutive in a source.

    They are in the source numbered `source`, from `source_start` to `source_end`."""

    start: int
    end: int
    words: int
    source: int
    source_start: int
    source_end: int


@lru_cache(maxsize=8192)
def placed_words(text: str) -> tuple[PlacedWord, ...]:
    """The words of a text in order. Signs between them are ignored, so that layout hides no copy."""
    return tuple(PlacedWord(match.group().casefold(), *match.span()) for match in _WORD.finditer(text))


def copied_runs(text: str, sources: Sequence[str], *, minimum: int) -> tuple[CopiedRun, ...]:
    """The runs of at least `minimum` words that a text shares with a source: the longest at each position, no
    overlaps."""
    words = placed_words(text)
    inside = [placed_words(source) for source in sources]
    starts: defaultdict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for number, source in enumerate(inside):
        for at in range(len(source) - minimum + 1):
            starts[tuple(each.word for each in source[at : at + minimum])].append((number, at))
    runs: list[CopiedRun] = []
    at = 0
    while at + minimum <= len(words):
        places = starts.get(tuple(each.word for each in words[at : at + minimum]), [])
        if not places:
            at += 1
            continue
        sizes = [_shared(words, at, inside[number], first) for number, first in places]
        size = max(sizes)
        number, first = places[sizes.index(size)]
        source, end = inside[number], words[at + size - 1].end
        runs.append(CopiedRun(words[at].start, end, size, number, source[first].start, source[first + size - 1].end))
        at += size
    return tuple(runs)


def _shared(words: Sequence[PlacedWord], at: int, source: Sequence[PlacedWord], first: int) -> int:
    """The number of equal words from these two positions on."""
    size = 0
    while at + size < len(words) and first + size < len(source) and words[at + size].word == source[first + size].word:
        size += 1
    return size
