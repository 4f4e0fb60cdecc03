"""An entailment model whose distances are cached by text, so that a pair is computed once per model revision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from hcat.core.models.cache import EmbeddingStore, MemoryEmbeddings, Rows, cached_rows, text_key
from hcat.core.models.nli.entailment import EntailmentModel, EntailmentResult, Pair

KIND = "entailment"
"""The folder of cached distances, next to that of the embeddings."""
CHUNK_SIZE = 1024
"""Pairs that are computed together and stored at once."""

OnDone = Callable[[int, int], None]


class CachedEntailment:
    """A model and a store of its distances, by default for the life of the process.

    D is always rounded to 32 bits, so that a cached distance and a new one are equal. `on_done` is called after each
    chunk with the number of distinct pairs that are done, and their total."""

    def __init__(
        self, model: EntailmentModel, store: EmbeddingStore | None = None, *, on_done: OnDone | None = None
    ) -> None:
        self.name = model.name
        self.revision = model.revision
        self.pieces = model.pieces
        self._model = model
        self._store = store or MemoryEmbeddings()
        self._on_done = on_done

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        """A row for each pair, in their order. The distinct ones are sorted by length before the store is queried."""
        distinct = sorted(set(pairs), key=lambda pair: (len(pair[0]) + len(pair[1]), pair))
        report = None if self._on_done is None else _of(self._on_done, len(distinct))
        rows = cached_rows(
            distinct, key=pair_key, compute=self._rows, store=self._store, size=CHUNK_SIZE, on_done=report
        )
        return EntailmentResult.of(np.array([float(rows[pair][0]) for pair in pairs], dtype=np.float64))

    def _rows(self, pairs: Sequence[Pair]) -> Rows:
        return self._model.entail(pairs).D.astype(np.float32).reshape(-1, 1)


def pair_key(pair: Pair) -> str:
    """The SHA-256 of a pair, as 64 hexadecimal digits, with the premise's length as the boundary."""
    premise, hypothesis = pair
    return text_key(f"{len(premise)}:{premise}{hypothesis}")


def _of(on_done: OnDone, total: int) -> Callable[[int], None]:
    return lambda done: on_done(done, total)
