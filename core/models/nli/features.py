"""Features of a premise and a hypothesis that need no network: shared words, numbers, names, negation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

FEATURES = (
    "share of words found",
    "share of content words found",
    "share of word pairs found",
    "all content words found",
    "numbers not found",
    "holds a number",
    "names not found",
    "negated without the premise",
    "premise negated alone",
    "opposites",
    "log of hypothesis words",
    "log of premise words",
)
"""The columns of `lexical_features`, in order."""

MOST = 3
"""The largest count of numbers, names and opposites, so that one unusual pair is not far from all others."""

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_NUMBER = re.compile(
    r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(thousand|million|billion|trillion|k|m|bn|b)?\b"
)
_NAME = re.compile(r"(?<![.!?])\s[\"'(]?([A-Z][^\W\d_]+)")
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12}
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NEGATION_WORDS = "no not never none nothing nobody neither nor without cannot fail fails failed refused"
_STOP_WORDS = (
    "a an the and or but of in on at to for from by with as is are was were be been being am it its this that these "
    "those there he she they them his her their i you we our your my me him us do does did has have had will would can "
    "could should may might must so than then too very also just who whom which what when where how if into about over "
    "s t ll ve re d m not no"
)
_NEGATIONS, _STOP = frozenset(_NEGATION_WORDS.split()), frozenset(_STOP_WORDS.split())
_OPPOSITES = """increase/decrease rise/fall rose/fell grew/shrank higher/lower high/low more/less most/least above/below
before/after up/down gain/loss profit/loss maximum/minimum first/last earlier/later approve/reject accept/refuse allow/
forbid open/close include/exclude buy/sell long/short large/small big/little old/young man/woman boy/girl inside/outside
indoors/outdoors sit/stand sleep/awake hot/cold early/late win/lose won/lost always/never all/none many/few start/end
begin/end north/south east/west left/right same/different strong/weak improve/worsen exceed/miss fixed/variable
lend/borrow debit/credit asset/liability import/export hire/fire raise/cut upper/lower best/worst"""


def lexical_features(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """Shape (n, len(FEATURES)) for n pairs of premise and hypothesis; each row depends on its own pair alone."""
    rows = [_row(premise, hypothesis) for premise, hypothesis in pairs]
    return np.asarray(rows, dtype=np.float32).reshape(len(pairs), len(FEATURES))


def unsupported_numbers(premise: str, hypothesis: str) -> list[str]:
    """The hypothesis's numbers that the premise lacks, at any scale ("3.2 billion" is "3,200" in millions)."""
    premise_values = [value for _, value in _numbers(premise)]
    return [text for text, value in _numbers(hypothesis) if not any(_same(value, other) for other in premise_values)]


def _row(premise: str, hypothesis: str) -> list[float]:
    premise_words, words = _words(premise), _words(hypothesis)
    stems = {_stem(word) for word in premise_words}
    content = [_stem(word) for word in words if word not in _STOP] or [_stem(word) for word in words]
    overlap = _share(content, stems)
    return [
        _share(words, set(premise_words)),
        overlap,
        _share(list(pairwise(words)), set(pairwise(premise_words))),
        float(overlap == 1.0),
        min(len(unsupported_numbers(premise, hypothesis)), MOST),
        float(any(word[0].isdigit() for word in words)),
        min(sum(name.casefold() not in premise_words for name in _NAME.findall(hypothesis)), MOST),
        float(_negated(words) and not _negated(premise_words)),
        float(_negated(premise_words) and not _negated(words)),
        min(_opposites(stems, set(content)), MOST),
        float(np.log1p(len(words))),
        float(np.log1p(len(premise_words))),
    ]


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    normal = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return tuple(word.replace(",", "").removesuffix("'s") for word in _WORD.findall(normal))


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "ly", "d", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _share(items: Sequence[object], among: Collection[object]) -> float:
    return sum(item in among for item in items) / len(items) if items else 1.0


def _negated(words: Sequence[str]) -> bool:
    return any(word in _NEGATIONS or word.endswith("n't") for word in words)


def _numbers(text: str) -> list[tuple[str, float]]:
    """Numbers as they stand, with their value; the words from zero to twelve count as numbers that support."""
    lowered = text.casefold()
    digits = [
        (match.group().strip(), float(match.group(1).replace(",", "")) * _SCALES.get(match.group(2) or "", 1.0))
        for match in _NUMBER.finditer(lowered)
    ]
    return digits + [(word, float(_SMALL.index(word))) for word in _words(text) if word in _SMALL]


def _same(value: float, other: float) -> bool:
    """Equal, or equal up to a factor of a thousand, million or billion, to half a per cent where both are large."""
    if value == other:
        return True
    if min(abs(value), abs(other)) < 1:
        return False
    return any(abs(value - other * scale) <= 0.0005 * abs(value) for scale in (1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9))


def _opposites(premise: set[str], hypothesis: set[str]) -> int:
    """How many words of the hypothesis have their opposite in the premise, and are not in it themselves."""
    return sum(
        word in hypothesis and word not in premise and opposite in premise and opposite not in hypothesis
        for pair in _pairs()
        for word, opposite in (pair, pair[::-1])
    )


@cache
def _pairs() -> list[tuple[str, str]]:
    joined = _OPPOSITES.replace("/\n", "/").split()
    return [(_stem(word), _stem(opposite)) for word, opposite in (pair.split("/") for pair in joined)]
