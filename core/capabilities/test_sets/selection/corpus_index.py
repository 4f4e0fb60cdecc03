"""A corpus that can be searched by words (BM25) and by meaning (the encoder), to see which passages a query finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.claims.words import STOP_WORDS, stem, words
from hcat.core.errors import HcatError
from hcat.core.models.cache import EmbeddingStore, MemoryEmbeddings, embed_texts
from hcat.core.records.passages import CorpusPassage
from hcat.core.types import Progress

if TYPE_CHECKING:
    from bm25s import BM25

    from hcat.core.models.encoder.encoder import Encoder

DEPTH = 10
"""Maximum number of passages that a search returns."""
QUERIES_AT_ONCE = 256
"""Number of queries whose similarities to all passages are in memory together."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The positions of the passages that a query finds, best first: by words and by meaning."""

    by_words: tuple[int, ...]
    by_meaning: tuple[int, ...]

    def ranks(self, position: int) -> tuple[int | None, int | None]:
        """The rank, from 1, of a passage in each list; None if it is not in the list."""
        return _place(self.by_words, position), _place(self.by_meaning, position)

    def finds(self, position: int, *, within: int) -> bool:
        """Whether either search has the passage among the first `within`."""
        return position in self.by_words[:within] or position in self.by_meaning[:within]

    def nearest(self, most: int) -> tuple[int, ...]:
        """Positions from both lists alternately, each once."""
        turns = [position for pair in zip(self.by_meaning, self.by_words, strict=False) for position in pair]
        rest = (*self.by_meaning, *self.by_words)
        return tuple(dict.fromkeys((*turns, *rest)))[:most]


@dataclass(frozen=True, eq=False)
class CorpusIndex:
    """All passages of a corpus, ready to be searched. `vectors` are (n, d) unit rows in the order of `passages`."""

    passages: tuple[CorpusPassage, ...]
    vectors: NDArray[np.float32]
    bm25: BM25
    encoder: Encoder
    queries: EmbeddingStore = field(default_factory=MemoryEmbeddings)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Passage id → position."""
        return {passage.id: position for position, passage in enumerate(self.passages)}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The searched text of each passage: its headings and its text."""
        return tuple(text_with_headings(passage) for passage in self.passages)

    def embed(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows of queries (q, d)."""
        rows = embed_texts(queries, encoder=self.encoder, store=self.queries)
        return np.array([rows[query] for query in queries], np.float32).reshape(len(queries), self.encoder.dimension)

    def search(self, queries: Sequence[str], vectors: NDArray[np.float32]) -> tuple[Ranking, ...]:
        """The passages that each query finds. `vectors` are the rows from `embed`."""
        if not queries:
            return ()
        by_words, by_meaning = self._by_words(queries), self._by_meaning(vectors)
        return tuple(Ranking(*pair) for pair in zip(by_words, by_meaning, strict=True))

    def _by_words(self, queries: Sequence[str]) -> list[tuple[int, ...]]:
        most = min(DEPTH, len(self.passages))
        known = [[term for term in _search_terms(query) if term in self.bm25.vocab_dict] for query in queries]
        lists: list[tuple[int, ...]] = [()] * len(queries)
        searched = [place for place, terms in enumerate(known) if terms]
        if not searched:
            return lists
        positions, scores = self.bm25.retrieve([known[place] for place in searched], k=most, show_progress=False)
        for place, row, row_scores in zip(searched, positions, scores, strict=True):
            lists[place] = tuple(int(at) for at, score in zip(row, row_scores, strict=True) if score > 0)
        return lists

    def _by_meaning(self, vectors: NDArray[np.float32]) -> list[tuple[int, ...]]:
        most = min(DEPTH, len(self.passages))
        lists: list[tuple[int, ...]] = []
        for start in range(0, len(vectors), QUERIES_AT_ONCE):
            similarity = vectors[start : start + QUERIES_AT_ONCE] @ self.vectors.T
            best = np.argpartition(-similarity, most - 1, axis=1)[:, :most]
            order = np.argsort(-np.take_along_axis(similarity, best, axis=1), axis=1, kind="stable")
            lists += [tuple(int(place) for place in row) for row in np.take_along_axis(best, order, axis=1)]
        return lists


def index_corpus(
    passages: Sequence[CorpusPassage],
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: Callable[[Progress], None] | None = None,
) -> CorpusIndex:
    """Index a corpus. Its passages are encoded once per model revision and read from the store afterwards.

    Raises HcatError for a corpus without any passage."""
    if not passages:
        raise HcatError("the corpus has no passage: cut documents first, with `hcat corpus`")
    import bm25s

    texts = [text_with_headings(passage) for passage in passages]
    rows = embed_texts(texts, encoder=encoder, store=store, on_progress=on_progress)
    bm25 = bm25s.BM25()
    bm25.index([_search_terms(text) or [""] for text in texts], show_progress=False)
    return CorpusIndex(tuple(passages), np.array([rows[text] for text in texts], np.float32), bm25, encoder)


def text_with_headings(passage: CorpusPassage) -> str:
    """The passage's text under its headings, unless the text itself begins with the innermost of them."""
    if not passage.heading or passage.text.lstrip("# ").startswith(passage.heading[-1]):
        return passage.text
    return f"{' – '.join(passage.heading)}\n{passage.text}"


def _search_terms(text: str) -> list[str]:
    """Stems of the words that are not stop words."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def _place(positions: tuple[int, ...], position: int) -> int | None:
    return positions.index(position) + 1 if position in positions else None
