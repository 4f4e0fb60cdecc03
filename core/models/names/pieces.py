"""Word pieces of a text with features of their spelling, and the spans of words of one kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

KINDS = ("person", "place", "organisation", "nationality", "address", "post", "age", "number")
"""The classes of the head. A post is somebody's occupation or office; a number identifies somebody or something."""
SHAPES = 8
"""The number of features of the spelling of a piece: the encoder reads everything in lower case."""

Offsets = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class NameSpan:
    """`text[start:end]` is of a kind; `probability` is that of its least probable word."""

    start: int
    end: int
    kind: str
    probability: float


def shapes(text: str, offsets: Offsets) -> NDArray[np.float32]:
    """A row (SHAPES) of features for each piece.

    Continues a word; begins with a capital; its word is in capitals; has a digit; is a sign; follows a new line; begins
    the text or a sentence; the text has no capital or nothing else."""
    rows = np.zeros((len(offsets), SHAPES), dtype=np.float32)
    cased = [letter for letter in text if letter.isalpha()]
    of_one_case = all(map(str.islower, cased)) or all(map(str.isupper, cased))
    for row, (start, end), word in zip(rows, offsets, words(text, offsets), strict=True):
        piece, before = text[start:end], text[max(0, start - 3) : start]
        whole = text[offsets[word][0] : end]
        row[:] = (
            start > offsets[word][0],
            piece[:1].isupper(),
            len(whole) > 1 and whole.isupper(),
            any(map(str.isdigit, piece)),
            not any(map(str.isalnum, piece)),
            "\n" in before,
            not before.strip() or before.strip()[-1] in ".?!:",
            of_one_case,
        )
    return rows


def words(text: str, offsets: Offsets) -> list[int]:
    """For each piece the index of the piece that begins its word: letters without a gap are a word."""
    begins: list[int] = []
    for number, (start, end) in enumerate(offsets):
        goes_on = (
            number > 0
            and offsets[number - 1][1] == start
            and text[start:end].isalnum()
            and text[offsets[number - 1][0] : start].isalnum()
        )
        begins.append(begins[-1] if goes_on else number)
    return begins


def spans(text: str, offsets: Offsets, probabilities: NDArray[np.float64]) -> Iterator[NameSpan]:
    """The spans of adjacent words of one kind.

    A word's probabilities (pieces, 1 + kinds) are the mean of its pieces'; signs at the ends of a span are cut off."""
    begins = np.array(words(text, offsets), dtype=np.int64)
    if not len(begins):
        return
    first_pieces, word, pieces = np.unique(begins, return_inverse=True, return_counts=True)
    means = (np.add.reduceat(probabilities, first_pieces, axis=0) / pieces[:, None])[word]
    kinds = means.argmax(1)
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    for first, end in pairwise(edges):
        inside = [number for number in range(first, end) if text[slice(*offsets[number])].strip(_SIGNS)]
        if kinds[first] and inside:
            least = float(means[inside, kinds[first]].min())
            yield NameSpan(offsets[inside[0]][0], offsets[inside[-1]][1], KINDS[kinds[first] - 1], least)


_SIGNS = ".,;:!?-–—'’\"“”()[]{}|/#&"
