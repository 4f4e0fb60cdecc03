"""Features of a premise and a hypothesis that need no network: shared words, numbers, names, negation."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hcat.core.claims.words import SMALL_NUMBERS, STOP_WORDS, stem, words

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

_NUMBER = re.compile(
    r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(thousand|million|billion|trillion|k|m|bn|b)?\b"
)
_NAME = re.compile(r"(?<![.!?])\s[\"'(]?([A-Z][^\W\d_]+)")
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12}
_NEGATION_WORDS = "no not never none nothing nobody neither nor without cannot fail fails failed refused"
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
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
    premise_words, hypothesis_words = words(premise), words(hypothesis)
    stems = {stem(word) for word in premise_words}
    content = [stem(word) for word in hypothesis_words if word not in STOP_WORDS] or [
        stem(word) for word in hypothesis_words
    ]
    overlap = _share(content, stems)
    return [
        _share(hypothesis_words, set(premise_words)),
        overlap,
        _share(list(pairwise(hypothesis_words)), set(pairwise(premise_words))),
        float(overlap == 1.0),
        min(len(unsupported_numbers(premise, hypothesis)), MOST),
        float(any(word[0].isdigit() for word in hypothesis_words)),
        min(sum(name.casefold() not in premise_words for name in _NAME.findall(hypothesis)), MOST),
        float(_negated(hypothesis_words) and not _negated(premise_words)),
        float(_negated(premise_words) and not _negated(hypothesis_words)),
        min(_opposites(stems, set(content)), MOST),
        float(np.log1p(len(hypothesis_words))),
        float(np.log1p(len(premise_words))),
    ]


def _share(items: Sequence[object], among: Collection[object]) -> float:
    return sum(item in among for item in items) / len(items) if items else 1.0


def _negated(words: Sequence[str]) -> bool:
    return any(word in _NEGATIONS or word.endswith("n't") for word in words)


def _numbers(text: str) -> list[tuple[str, float]]:
    """The numbers of a text with their values; the words from zero to twelve count as numbers that support."""
    lowered = text.casefold()
    digits = [
        (match.group().strip(), float(match.group(1).replace(",", "")) * _SCALES.get(match.group(2) or "", 1.0))
        for match in _NUMBER.finditer(lowered)
    ]
    return digits + [(word, float(SMALL_NUMBERS.index(word))) for word in words(text) if word in SMALL_NUMBERS]


def _same(value: float, other: float) -> bool:
    """Whether two values are equal, up to a factor of a thousand, million or billion, to half a per cent if both are
    large."""
    if value == other:
        return True
    if min(abs(value), abs(other)) < 1:
        return False
    return any(abs(value - other * scale) <= 0.0005 * abs(value) for scale in (1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9))


def _opposites(premise: set[str], hypothesis: set[str]) -> int:
    """The number of words of the hypothesis with an opposite in the premise, which are not in the premise
    themselves."""
    return sum(
        word in hypothesis and word not in premise and opposite in premise and opposite not in hypothesis
        for pair in _pairs()
        for word, opposite in (pair, pair[::-1])
    )


@cache
def _pairs() -> list[tuple[str, str]]:
    joined = _OPPOSITES.replace("/\n", "/").split()
    return [(stem(word), stem(opposite)) for word, opposite in (pair.split("/") for pair in joined)]
