"""Realistic misspellings, fitted to a published list of common ones.

The shares of the kinds of slip, and their positions in the word, were measured on 63,742 pairs of codespell's
dictionary; the list itself is not needed."""

from __future__ import annotations

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin, how_many
from hcat.core.capabilities.robustness.variants.sentence import Edit, lexicon

LEAST_LETTERS = 4
KINDS = ("delete", "insert", "substitute", "transpose", "several")
SHARES = (0.291, 0.223, 0.166, 0.144, 0.176)
_FIRST, _LAST = 0.021, 0.075
_ADJACENT, _VOWEL = 0.31, 0.39
_DOUBLED = 0.315

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SHIFT = (0.0, 0.25, 0.75)
_KEYS = {letter: (row, column + _SHIFT[row]) for row, keys in enumerate(_ROWS) for column, letter in enumerate(keys)}
_VOWELS = "aeiou"
_TRIES = 60


def are_adjacent(key: str, other: str) -> bool:
    """Whether two letters are adjacent on an English keyboard."""
    (row, column), (other_row, other_column) = _KEYS[key], _KEYS[other]
    return key != other and abs(row - other_row) <= 1 and abs(column - other_column) <= 1


_NEIGHBOURS = {key: "".join(other for other in _KEYS if are_adjacent(key, other)) for key in _KEYS}


def misspell(word: str, rng: np.random.Generator, *, known: frozenset[str] = frozenset()) -> str | None:
    """The word with a slip, with the same capitalisation; None if many random tries gave none.

    The kind of slip is drawn once, so that kinds which succeed more easily don't displace the others. No slip gives a
    `known` word."""
    lower = word.lower()
    kind = KINDS[int(rng.choice(len(KINDS), p=np.array(SHARES) / sum(SHARES)))]
    for _ in range(_TRIES):
        slip = _several(lower, rng) if kind == "several" else _single(lower, kind, rng)
        if slip is not None and slip != lower and slip not in known:
            return slip.capitalize() if word[0].isupper() else slip
    return None


def spelling(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Misspell a share of the words that may be changed."""
    words = [token for token in origin.query.free_words if len(token.text) >= LEAST_LETTERS]
    if not words:
        return None
    edits: list[Edit] = []
    for position in rng.permutation(len(words)):
        token = words[int(position)]
        slip = misspell(token.text, rng, known=lexicon())
        if slip is not None:
            edits.append(Edit(token.idx, token.idx + len(token.text), slip))
        if len(edits) == how_many(strength, len(words)):
            break
    return Change(origin.query.edited(edits)) if edits else None


def _single(word: str, kind: str, rng: np.random.Generator) -> str | None:
    at = _place(len(word) - (kind == "transpose"), rng)
    if kind == "delete":
        return word[:at] + word[at + 1 :]
    if kind == "transpose":
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return _insert(word, rng) if kind == "insert" else _substitute(word, at, rng)


def _place(letters: int, rng: np.random.Generator) -> int:
    """The index of a letter; the first and the last have the low frequencies observed."""
    draw = rng.random()
    if draw < _FIRST or letters < 3:
        return 0
    return letters - 1 if draw < _FIRST + _LAST else int(rng.integers(1, letters - 1))


def _insert(word: str, rng: np.random.Generator) -> str | None:
    at = _place(len(word) + 1, rng)
    left, right = word[max(at - 1, 0)], word[min(at, len(word) - 1)]
    if rng.random() < _DOUBLED:
        at = int(rng.integers(1, len(word)))
        return word[:at] + word[at - 1] + word[at:]
    near = _NEIGHBOURS[left] + _NEIGHBOURS[right] + _VOWELS
    letter = near[int(rng.integers(len(near)))]
    return None if letter in (left, right) else word[:at] + letter + word[at:]


def _substitute(word: str, at: int, rng: np.random.Generator) -> str | None:
    """The word with a letter replaced by an adjacent key, a vowel by another one, or by any other letter; else None."""
    letter, draw = word[at], rng.random()
    if draw < _ADJACENT:
        choice = _NEIGHBOURS[letter]
    elif draw < _ADJACENT + _VOWEL:
        at = _vowel_near(word, at)
        letter = word[at]
        choice = "".join(v for v in _VOWELS if v not in _NEIGHBOURS[letter]) if letter in _VOWELS else ""
    else:
        choice = "".join(
            other
            for other in _KEYS
            if other not in _NEIGHBOURS[letter] and not (letter in _VOWELS and other in _VOWELS)
        )
    options = [other for other in choice if other != letter]
    return word[:at] + options[int(rng.integers(len(options)))] + word[at + 1 :] if options else None


def _vowel_near(word: str, at: int) -> int:
    """The index of the vowel nearest to an index, not at the ends of the word unless the index is."""
    inner = [i for i, letter in enumerate(word) if letter in _VOWELS and (0 < i < len(word) - 1 or i == at)]
    return min(inner, key=lambda i: abs(i - at), default=at)


def _several(word: str, rng: np.random.Generator) -> str | None:
    """Two slips; None if together they look like one."""
    kinds = rng.choice(len(KINDS) - 1, size=2, p=np.array(SHARES[:-1]) / sum(SHARES[:-1]))
    first = _single(word, KINDS[int(kinds[0])], rng)
    second = None if first is None or len(first) < LEAST_LETTERS else _single(first, KINDS[int(kinds[1])], rng)
    return None if second is None or slip_kind(word, second) != "several" else second


def slip_kind(word: str, slip: str) -> str:
    """The kind of slip that changes one word to another: the difference between their common beginning and end."""
    start = 0
    while start < min(len(word), len(slip)) and word[start] == slip[start]:
        start += 1
    end = 0
    while end < min(len(word), len(slip)) - start and word[-1 - end] == slip[-1 - end]:
        end += 1
    left, right = word[start : len(word) - end], slip[start : len(slip) - end]
    sizes = (len(left), len(right))
    single = {(1, 0): "delete", (0, 1): "insert", (1, 1): "substitute"}
    if sizes == (2, 2) and right == left[::-1]:
        return "transpose"
    return single.get(sizes, "several")


SPELLING = Family(
    name="spelling",
    title="Spelling",
    kind="input variation",
    expectation="stay",
    strength=f"share of the words of {LEAST_LETTERS} letters or more that are misspelled, at least one",
    needs=f"a word of {LEAST_LETTERS} letters or more that is neither name, number, unit nor negation",
    description="Slips of the kinds, and in the places, in which people make them.",
    make=spelling,
)
