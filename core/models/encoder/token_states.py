"""Token states: an encoder's vector for each word piece of a whole text; a long text is read in windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

MOST_PIECES = 4096
"""The word pieces that are read of a text. The states say how many were left out."""


@dataclass(frozen=True, eq=False, slots=True)
class TokenStates:
    """A text's n word pieces in order: `ids`, their text (`words`), and the last layer's `states`.

    States are unit rows (n, dimension). `special` marks pieces that the tokenizer adds, such as [CLS]. `left_out`
    counts the pieces beyond `MOST_PIECES`. `row` is the text's sentence embedding if this very pass gives it: if the
    text fits into one sentence's input."""

    ids: NDArray[np.int64]
    words: tuple[str, ...]
    special: NDArray[np.bool_]
    states: NDArray[np.float32]
    row: NDArray[np.float32] | None
    left_out: int = 0


@runtime_checkable
class TokenEncoder(Protocol):
    """An encoder that also gives the states of the word pieces."""

    def token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]]:
        """Each text's word pieces, special ones included, for any length."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> tuple[TokenStates, ...]:
        """The states of each text, in the order of the texts."""
        ...


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces `start` to `end` are read together; the states of `first` to `last` are used."""

    start: int
    end: int
    first: int
    last: int


def windows(length: int, most: int) -> Iterator[Window]:
    """Windows of at most `most` pieces, each overlapping half of the one before.

    Together they use each piece once: in the window in which it is farther from an edge."""
    starts = list(range(0, max(1, length - most // 2), max(1, most // 2))) if length > most else [0]
    starts = [min(start, max(0, length - most)) for start in starts]
    for number, start in enumerate(starts):
        end = min(start + most, length)
        first = 0 if number == 0 else (start + starts[number - 1] + most + 1) // 2
        last = length if number == len(starts) - 1 else (starts[number + 1] + end + 1) // 2
        yield Window(start, end, first, last)
