"""Queries that ask the same again, in the same words or nearly so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hcat.core.claims.words import words

SAME_MEANING = 0.95
"""Cosine of two queries' embeddings from which on they ask the same."""
SIMILAR_MEANING, SAME_WORDING = 0.85, 95.0
"""Cosine from which on wording decides, and which similarity of wording (rapidfuzz's ratio, 0 to 100) is the same."""
BLOCK = 1024


def near_duplicates(queries: Sequence[str], vectors: NDArray[np.float32], *, first: int = 0) -> dict[int, int]:
    """Position of each query that repeats an earlier one → the position of that one, which is no repetition itself.

    Queries before `first` are not examined: they are there to be compared with. Two queries with different numbers
    never ask the same.
    """
    from rapidfuzz.fuzz import ratio

    wording = [" ".join(words(query)) for query in queries]
    numbers = [_numbers(text) for text in wording]
    unique = np.ones(len(queries), dtype=bool)
    repeats: dict[int, int] = {}
    for start in range(first, len(queries), BLOCK):
        end = min(start + BLOCK, len(queries))
        similarity = vectors[start:end] @ vectors[:end].T
        for position in range(start, end):
            row = similarity[position - start, :position]
            for other in np.flatnonzero((row >= SIMILAR_MEANING) & unique[:position]):
                if numbers[other] != numbers[position]:
                    continue
                if row[other] >= SAME_MEANING or ratio(wording[other], wording[position]) >= SAME_WORDING:
                    unique[position] = False
                    repeats[position] = int(other)
                    break
    return repeats


def _numbers(wording: str) -> tuple[str, ...]:
    return tuple(sorted(word for word in wording.split() if any(map(str.isdigit, word))))
