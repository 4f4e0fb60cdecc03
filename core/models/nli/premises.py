"""Premises for a hypothesis out of a long context, and the one that supports it best.

A premise consists of the sentences that share words, names and numbers with the hypothesis, or are similar to it, and
of their neighbours in the same passage. Nothing else of the context enters it, so that passages without relation to the
hypothesis change nothing, in any position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hcat.core.claims.words import stems, terms
from hcat.core.models.nli.entailment import EntailmentModel, EntailmentResult
from hcat.core.text import estimated_pieces
from hcat.core.types import JsonValue

PREMISE_PIECES = 180
"""The most estimated word pieces of a premise: the packaged model reads 256 of premise and hypothesis together."""
SPECIAL_PIECES = 3
"""The word pieces that a model adds around a pair."""
LEAST_GAIN = 0.06
"""The share of the hypothesis's terms, by weight, that a further sentence must add to join a premise."""
SIMILARITY_WEIGHT = 0.5
"""The weight of a cosine of 1 relative to all terms of the hypothesis being in a sentence."""
TIE = 1e-6
"""The largest difference of scores that count as equal."""
HEADING_WORDS = 12
"""The most words of a line without a full stop that is a heading of what follows it."""


READING: dict[str, JsonValue] = {
    "premises": "sentences that share the claim's words, names and numbers or are similar to it, with their "
    f"neighbours in the passage, at most {PREMISE_PIECES} word pieces",
}
"""The description of how evidence is read in the scores' provenance."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A text that a hypothesis is compared with, and its sentences of the context, in the text's order."""

    text: str
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A premise and the hypothesis that is compared with it."""

    premise: Premise
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Support:
    """The support of a context for one claim: its best comparison, with D and σ(D), and the number tried."""

    D: float
    score: float
    comparison: Comparison
    tried: int

    @property
    def entailed(self) -> bool:
        return self.D > 0


@dataclass(frozen=True)
class Evidence:
    """The sentences of a context, the passage of each, and the similarity of each to a hypothesis (n,)."""

    texts: Sequence[str]
    passages: Sequence[int]
    similarity: NDArray[np.float64]

    @property
    def sizes(self) -> list[int]:
        return [_size(text) for text in self.texts]

    def shared(self, wanted: Mapping[str, float]) -> list[dict[str, float]]:
        """For each sentence, its terms among the wanted ones, each with its share of all weights."""
        total = sum(wanted.values()) or 1.0
        return [{term: wanted[term] / total for term in wanted.keys() & stems(text)} for text in self.texts]


def best_window(
    context: Sequence[str],
    hypothesis: str,
    *,
    passages: Sequence[int] | None = None,
    similarity: NDArray[np.float64] | None = None,
    pieces: int = PREMISE_PIECES,
) -> Premise:
    """The sentences of a context that together contain the terms of a hypothesis, with their neighbours.

    `passages` (n,) numbers the passage of each of the n sentences, one and the same by default; `similarity` (n,) is
    the hypothesis's cosine with each, left out by default. An empty premise if the context is empty."""
    alone = np.zeros(len(context)) if similarity is None else similarity
    evidence = Evidence(context, passages or [0] * len(context), alone)
    return _premise(evidence, _joined(evidence, hypothesis, pieces))


def premises_for(evidence: Evidence, hypothesis: str, *, pieces: int = PREMISE_PIECES) -> tuple[Premise, ...]:
    """The premises for a hypothesis; none for an empty context.

    The sentences that together contain its terms; the passage around the first of them; and, if neither contains it,
    the passage around the sentence most similar to it."""
    if not evidence.texts:
        return ()
    joined = best_window(
        evidence.texts, hypothesis, passages=evidence.passages, similarity=evidence.similarity, pieces=pieces
    )
    first = _around(evidence, _joined(evidence, hypothesis, pieces)[0], pieces)
    nearest = _best_place(evidence, evidence.similarity)
    chosen = [joined.sentences, first]
    if evidence.similarity[nearest] > max(evidence.similarity[index] for index in (*joined.sentences, *first)):
        chosen.append(_around(evidence, nearest, pieces))
    distinct = {frozenset(indices): indices for indices in reversed(chosen)}
    return tuple(_premise(evidence, indices) for indices in reversed(distinct.values()))


def supports(model: EntailmentModel, claims: Sequence[Sequence[Comparison]]) -> tuple[Support | None, ...]:
    """The comparison with the largest D for each claim, among its candidates; the first in a tie.

    None if there is no candidate. All pairs are in one call, the distinct ones once."""
    result = model.entail([(one.premise.text, one.hypothesis) for candidates in claims for one in candidates])
    ends = np.cumsum([len(candidates) for candidates in claims])
    return tuple(
        _best(candidates, result, int(end) - len(candidates)) for candidates, end in zip(claims, ends, strict=True)
    )


def _joined(evidence: Evidence, hypothesis: str, pieces: int) -> tuple[int, ...]:
    """Sentences in the order of selection: each adds most of the terms that are still missing.

    Then, while there is room, the neighbours and the heading of each."""
    shared = evidence.shared(terms(hypothesis))
    similar = SIMILARITY_WEIGHT * np.clip(evidence.similarity, 0.0, 1.0)
    sizes, chosen, missing = evidence.sizes, list[int](), set(terms(hypothesis))
    while len(chosen) < len(sizes):
        gains = np.array([sum(share for term, share in terms_.items() if term in missing) for terms_ in shared])
        scores = np.where(gains >= LEAST_GAIN, gains + similar, -1.0) if chosen else gains + similar
        scores[chosen] = -1.0
        best = _best_place(evidence, scores)
        if scores[best] < 0:
            break
        if chosen and sum(sizes[index] for index in chosen) + sizes[best] > pieces:
            shared[best] = {}
            continue
        chosen.append(best)
        missing -= shared[best].keys()
    return _filled(chosen, [place for index in chosen for place in _neighbours(evidence, index)], sizes, pieces)


def _best_place(evidence: Evidence, scores: NDArray[np.float64]) -> int:
    """The position of the largest score.

    In a tie not the first, which depends on the order of passages, but the one whose text sorts first."""
    greatest = float(scores.max()) - TIE
    return min((index for index, score in enumerate(scores) if score >= greatest), key=lambda i: evidence.texts[i])


def _around(evidence: Evidence, index: int, pieces: int) -> tuple[int, ...]:
    """A sentence with its heading and neighbours, as far as there is room."""
    return _filled([index], _neighbours(evidence, index), evidence.sizes, pieces)


def _filled(chosen: Sequence[int], further: Sequence[int], sizes: Sequence[int], pieces: int) -> tuple[int, ...]:
    filled, used = list(chosen), sum(sizes[index] for index in chosen)
    for index in further:
        if index not in filled and used + sizes[index] <= pieces:
            filled.append(index)
            used += sizes[index]
    return tuple(filled)


def _neighbours(evidence: Evidence, index: int) -> list[int]:
    """The sentence before, the one after, and the nearest heading above, all of the same passage."""
    passage = evidence.passages[index]
    near = [place for place in (index - 1, index + 1) if _in_passage(evidence, place, passage)]
    for place in range(index - 1, -1, -1):
        if not _in_passage(evidence, place, passage):
            break
        if _is_heading(evidence.texts[place]):
            return [*near, place]
    return near


def _in_passage(evidence: Evidence, place: int, passage: int) -> bool:
    return 0 <= place < len(evidence.passages) and evidence.passages[place] == passage


def _is_heading(text: str) -> bool:
    return text[-1].isalnum() and len(text.split()) <= HEADING_WORDS


def _premise(evidence: Evidence, chosen: Sequence[int]) -> Premise:
    """The premise of these sentences: passages in the order of selection, the sentences of each in the passage's
    order."""
    order = list(dict.fromkeys(evidence.passages[index] for index in chosen))
    places = sorted(chosen, key=lambda index: (order.index(evidence.passages[index]), index))
    return Premise(" ".join(evidence.texts[index] for index in places), tuple(places))


def _best(candidates: Sequence[Comparison], result: EntailmentResult, start: int) -> Support | None:
    if not candidates:
        return None
    winner = int(np.argmax(result.D[start : start + len(candidates)]))
    at = start + winner
    return Support(float(result.D[at]), float(result.score[at]), candidates[winner], len(candidates))


@lru_cache(maxsize=16_384)
def _size(text: str) -> int:
    """The cached size of a text: each hypothesis of a sample needs the sizes of the same sentences."""
    return estimated_pieces(text)
