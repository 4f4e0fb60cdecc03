"""Premises for a hypothesis out of a long context, and the one that supports it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.models.nli.entailment import EntailmentModel, EntailmentResult
from core.text import estimated_pieces

TOP = 3
"""Sentences of a long context that a hypothesis is compared with."""
PIECES = 90
"""Estimated word pieces of a premise."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A text that a hypothesis is compared with, and the context sentences that it consists of, in order."""

    text: str
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Support:
    """How well a context supports one hypothesis: its best premise, with D and σ(D), and how many were tried."""

    D: float
    score: float
    premise: Premise
    tried: int

    @property
    def entailed(self) -> bool:
        return self.D > 0


def top_premises(
    context: Sequence[str],
    similarity: NDArray[np.float64],
    *,
    top: int = TOP,
    pieces: int = PIECES,
) -> tuple[Premise, ...]:
    """The passage around each of the `top` sentences most similar to the hypothesis, and those sentences together.

    `similarity` (n,) holds the hypothesis's cosine with each of the n context sentences. A passage takes in
    neighbours, the next one first, while it has at most `pieces` estimated word pieces. A context that fits as a whole
    is one premise. None for an empty context.
    """
    sizes = [_size(text) for text in context]
    if not sizes:
        return ()
    if sum(sizes) <= pieces:
        return (_premise(context, range(len(context))),)
    best = [int(index) for index in np.argsort(-similarity, kind="stable")[:top]]
    chosen = [_around(sizes, index, pieces) for index in best]
    together: list[int] = []
    for index in best:
        if not together or sum(sizes[i] for i in together) + sizes[index] <= pieces:
            together.append(index)
    chosen.append(tuple(sorted(together)))
    return tuple(_premise(context, indices) for indices in dict.fromkeys(chosen))


def supports(
    model: EntailmentModel,
    hypotheses: Sequence[str],
    premises: Sequence[Sequence[Premise]],
) -> tuple[Support | None, ...]:
    """The premise with the greatest D for each hypothesis, among its candidates; the first where several tie.

    None where there is no candidate. All pairs go into one call, the distinct ones once.
    """
    pairs = [
        (premise.text, text) for text, candidates in zip(hypotheses, premises, strict=True) for premise in candidates
    ]
    result = model.entail(pairs)
    ends = np.cumsum([len(candidates) for candidates in premises])
    return tuple(
        _best(candidates, result, int(end) - len(candidates)) for candidates, end in zip(premises, ends, strict=True)
    )


def _best(candidates: Sequence[Premise], result: EntailmentResult, start: int) -> Support | None:
    if not candidates:
        return None
    winner = int(np.argmax(result.D[start : start + len(candidates)]))
    at = start + winner
    return Support(float(result.D[at]), float(result.score[at]), candidates[winner], len(candidates))


@lru_cache(maxsize=16_384)
def _size(text: str) -> int:
    """Each hypothesis of a sample asks for the sizes of the same sentences."""
    return estimated_pieces(text)


def _premise(context: Sequence[str], indices: Sequence[int]) -> Premise:
    return Premise(" ".join(context[index] for index in indices), tuple(indices))


def _around(sizes: Sequence[int], index: int, pieces: int) -> tuple[int, ...]:
    """The sentence, one after, one before: as far as there is room."""
    first, last = index, index + 1
    if last < len(sizes) and sum(sizes[first : last + 1]) <= pieces:
        last += 1
    if first > 0 and sum(sizes[first - 1 : last]) <= pieces:
        first -= 1
    return tuple(range(first, last))
