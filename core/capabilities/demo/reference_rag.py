"""A small retrieval-augmented system over titled passages, so that there is something real to validate.

It retrieves by cosine similarity of the encoder's vectors: twenty candidates first, of which the best few become the
contexts. It answers with the most similar sentences of these. It contains no answers and no rules about the demo's test
cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hcat.core.models.cache import EmbeddingStore, embed_texts
from hcat.core.models.encoder.encoder import Encoder
from hcat.core.types import Passage, Progress, Sample

ABSTENTION = "I could not find this in the handbook."
"""The answer when no retrieved piece is similar enough to the query."""

GAP = " … "
"""The text between pieces of one passage that do not follow each other."""

CANDIDATES = 20
"""The number of passages that the first stage ranks: few, as the handbook has few; a hundred would lose almost none."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9(])")
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class HandbookPassage:
    """One passage of a handbook, with its chapter and its heading."""

    id: str
    topic: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class RagConfig:
    """The configuration of the system.

    `chunk_words` cuts each passage into pieces of so many words, also within sentences; None leaves it whole. `index`
    is the embedded text. `top_k` pieces are retrieved. An answer has at most `answer_sentences` sentences.
    `passage_weight` is the weight of the retrieval score relative to a sentence's own similarity, and below
    `abstain_below` (cosine of the best piece) the system abstains."""

    name: str
    top_k: int
    answer_sentences: int
    index: Literal["text", "title and text"] = "title and text"
    chunk_words: int | None = None
    passage_weight: float = 0.0
    abstain_below: float = 0.3

    def __post_init__(self) -> None:
        counts = (self.top_k, self.answer_sentences, 1 if self.chunk_words is None else self.chunk_words)
        if min(counts) < 1:
            raise ValueError("top_k, answer_sentences and chunk_words must be 1 or more")


BASELINE = RagConfig("baseline", top_k=2, answer_sentences=2, index="text", chunk_words=40, abstain_below=0.45)
CANDIDATE = RagConfig("candidate", top_k=5, answer_sentences=3, passage_weight=0.5, abstain_below=0.3)


@dataclass(frozen=True, slots=True)
class Piece:
    """An indexed piece: a passage or a part of one. `position` counts the parts of a passage from 0."""

    passage_id: str
    title: str
    position: int
    text: str

    def indexed(self, config: RagConfig) -> str:
        return self.text if config.index == "text" else f"{self.title}. {self.text}"


@dataclass(frozen=True, slots=True)
class RagAnswer:
    """An answer; `text` is None for an empty query. `contexts` are passages in rank order, each with its best cosine.

    `candidates` are the ids of the passages that the first stage ranks; `contexts` consist of the best pieces."""

    text: str | None
    contexts: tuple[Passage, ...]
    candidates: tuple[str, ...] = ()

    @property
    def abstained(self) -> bool:
        return self.text == ABSTENTION


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    rank: int
    position: int
    score: float


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of plain handbook prose, which has no abbreviations: cut after . ! ? before a capital or digit."""
    return tuple(sentence.strip() for sentence in _SENTENCE_END.split(text) if sentence.strip())


def cut_pieces(passages: Iterable[HandbookPassage], config: RagConfig) -> tuple[Piece, ...]:
    """The pieces that the configuration indexes, in the order of the passages."""
    return tuple(
        Piece(passage.id, passage.title, position, text)
        for passage in passages
        for position, text in enumerate(_cut(passage.text, config.chunk_words))
    )


class ReferenceRag:
    """Dense retrieval over passages, and an extractive answer. The same inputs give the same answers."""

    def __init__(
        self, passages: Sequence[HandbookPassage], encoder: Encoder, *, store: EmbeddingStore, config: RagConfig
    ) -> None:
        if not passages:
            raise ValueError("a retrieval system needs at least one passage")
        self._encoder, self._store, self._config = encoder, store, config
        self._pieces = cut_pieces(passages, config)
        indexed = [piece.indexed(config) for piece in self._pieces]
        rows = self._embed([*indexed, *(s for piece in self._pieces for s in split_sentences(piece.text))])
        self._index = np.stack([rows[text] for text in indexed])
        self._rows = rows

    def answer(self, query: str) -> RagAnswer:
        """The answer and the retrieved passages. Scores are cosines, rounded to 4 digits."""
        if not query.strip():
            return RagAnswer(None, ())
        vector = self._embed([query])[query]
        similarity = np.round((self._index @ vector).astype(np.float64), _DIGITS)
        order = np.argsort(-similarity, kind="stable")
        pieces = [(self._pieces[i], float(similarity[i])) for i in order[: self._config.top_k]]
        contexts = _merge(pieces)
        candidates = tuple(dict.fromkeys(self._pieces[i].passage_id for i in order))[:CANDIDATES]
        if pieces[0][1] < self._config.abstain_below:
            return RagAnswer(ABSTENTION, contexts, candidates)
        return RagAnswer(self._extract(pieces, vector), contexts, candidates)

    def _extract(self, pieces: Sequence[tuple[Piece, float]], vector: NDArray[np.float32]) -> str:
        candidates = sorted(self._sentences(pieces, vector), key=lambda s: (-s.score, s.rank, s.position))
        chosen = candidates[: self._config.answer_sentences]
        return " ".join(s.text for s in sorted(chosen, key=lambda s: (s.rank, s.position)))

    def _sentences(self, pieces: Sequence[tuple[Piece, float]], vector: NDArray[np.float32]) -> Iterator[_Sentence]:
        # Sentences are read in the order of the passages' ranks, and within a passage in its own order.
        first_rank: dict[str, int] = {}
        for rank, (piece, _) in enumerate(pieces):
            first_rank.setdefault(piece.passage_id, rank)
        for piece, retrieved in pieces:
            for number, text in enumerate(split_sentences(piece.text)):
                own = float(np.dot(self._rows[text], vector))
                score = round(own + self._config.passage_weight * retrieved, _DIGITS)
                yield _Sentence(text, first_rank[piece.passage_id], piece.position * 1000 + number, score)

    def _embed(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        return embed_texts(texts, encoder=self._encoder, store=self._store)


def run_reference_rag(
    test_cases: Sequence[Sample],
    config: RagConfig,
    *,
    passages: Sequence[HandbookPassage],
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: Callable[[Progress], None] | None = None,
) -> tuple[Sample, ...]:
    """The test cases with the system's answers, contexts and, as metadata, candidates; in the given order."""
    system = ReferenceRag(passages, encoder, store=store, config=config)
    embed_texts([case.query for case in test_cases], encoder=encoder, store=store)
    samples = []
    for done, case in enumerate(test_cases, start=1):
        result = system.answer(case.query)
        samples.append(_answered(case, result))
        if on_progress is not None:
            on_progress(Progress(f"answer ({config.name})", done, len(test_cases)))
    return tuple(samples)


def _answered(case: Sample, result: RagAnswer) -> Sample:
    return replace(
        case,
        answer=result.text,
        contexts=result.contexts,
        test_case=case.test_case or case.id,
        metadata={**case.metadata, "candidates": [*result.candidates]},
    )


def _cut(text: str, words: int | None) -> tuple[str, ...]:
    if words is None:
        return (text,)
    parts = text.split()
    return tuple(" ".join(parts[start : start + words]) for start in range(0, len(parts), words))


def _merge(pieces: Sequence[tuple[Piece, float]]) -> tuple[Passage, ...]:
    """One context per passage: its retrieved pieces in reading order, at the rank and score of the best."""
    by_passage: dict[str, list[tuple[Piece, float]]] = {}
    for piece, score in pieces:
        by_passage.setdefault(piece.passage_id, []).append((piece, score))
    return tuple(
        Passage(passage_id, _join(piece for piece, _ in scored_pieces), max(score for _, score in scored_pieces))
        for passage_id, scored_pieces in by_passage.items()
    )


def _join(pieces: Iterable[Piece]) -> str:
    ordered = sorted(pieces, key=lambda piece: piece.position)
    text = ordered[0].text
    for before, piece in pairwise(ordered):
        text += (" " if piece.position == before.position + 1 else GAP) + piece.text
    return text
