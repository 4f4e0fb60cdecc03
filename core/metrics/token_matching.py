"""Greedy matching of two texts' word pieces by the cosine of their hidden states. (BERTScore, Zhang et al. 2020)"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hcat.core.models.encoder.token_states import TokenStates


@dataclass(frozen=True, eq=False, slots=True)
class MatchedTokens:
    """A text's n word pieces, each with its largest cosine with a piece of the other text, and the first such piece.

    `special` marks pieces that the tokenizer added; `left_out` counts those that were not read."""

    ids: NDArray[np.int64]
    words: tuple[str, ...]
    special: NDArray[np.bool_]
    cosines: NDArray[np.float64]
    best: NDArray[np.intp]
    left_out: int

    def weights(self, idf: Idf | None) -> NDArray[np.float64] | None:
        """Shares (n,) that sum to 1, equal or by idf, 0 for special pieces; None if all would be 0."""
        weights = np.ones(len(self.ids)) if idf is None else np.array([idf.weight(int(piece)) for piece in self.ids])
        weights[self.special] = 0.0
        total = float(weights.sum())
        return weights / total if total > 0 else None


@dataclass(frozen=True, eq=False, slots=True)
class TokenMatches:
    """The matches of answer and reference in both directions."""

    answer: MatchedTokens
    reference: MatchedTokens


@dataclass(frozen=True, eq=False, slots=True)
class Idf:
    """Inverse document frequencies over `texts` reference answers: ln((texts + 1) / (texts with the piece + 1)).

    Source: BERTScore, section 3, with the plus-one smoothing of its package."""

    texts: int
    holding: Mapping[int, int]

    @classmethod
    def of(cls, references: Iterable[Sequence[int]]) -> Idf:
        """The frequencies in these references, each given by its word pieces, as often as it occurs."""
        texts, holding = 0, Counter[int]()
        for pieces in references:
            texts += 1
            holding.update(set(pieces))
        return cls(texts, holding)

    def weight(self, piece: int) -> float:
        return math.log((self.texts + 1) / (self.holding.get(piece, 0) + 1))


def greedy_matches(answer: TokenStates, reference: TokenStates) -> TokenMatches:
    """The best match of each piece in the other text. Special pieces can be matched, but have no weight themselves."""
    cosines = np.clip(answer.states @ reference.states.T, -1.0, 1.0).astype(np.float64)
    return TokenMatches(_matched(answer, cosines), _matched(reference, cosines.T))


def _matched(text: TokenStates, cosines: NDArray[np.float64]) -> MatchedTokens:
    best = cosines.argmax(axis=1)
    return MatchedTokens(text.ids, text.words, text.special, cosines[np.arange(len(best)), best], best, text.left_out)
