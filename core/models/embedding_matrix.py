"""The rows of many texts as one matrix, in a file if it is large."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Ints
from hcat.core.models.cache import CHUNK_SIZE, EmbeddingStore, Rows, text_key
from hcat.core.models.encoder.encoder import Encoder
from hcat.core.types import Progress

IN_MEMORY = 100_000
"""Matrices with more rows are in a temporary file: the system reads what is used, and can release the memory."""
_BLOCK = 4_096


@dataclass(frozen=True, eq=False)
class EmbeddedTexts:
    """Distinct texts by their `places` in `rows`, (m, dimension) unit rows."""

    places: Mapping[str, int]
    rows: Rows

    def in_order(self, texts: Sequence[str]) -> Rows:
        """The row of each of these texts, (n, dimension)."""
        places: Ints = np.fromiter(map(self.places.__getitem__, texts), dtype=np.intp, count=len(texts))
        rows = empty_matrix(len(texts), self.rows.shape[1])
        for start in range(0, len(texts), _BLOCK):
            rows[start : start + _BLOCK] = self.rows[places[start : start + _BLOCK]]
        return rows

    def mean_directions(self, of: Sequence[Sequence[str]]) -> Rows:
        """The direction of the mean row of each group of one text or more, (n, dimension)."""
        rows = empty_matrix(len(of), self.rows.shape[1])
        for number, texts in enumerate(of):
            rows[number] = _mean_direction([self.rows[self.places[text]] for text in texts])
        return rows


def embed_distinct(
    texts: Iterable[str],
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: Callable[[Progress], None] | None = None,
) -> EmbeddedTexts:
    """The matrix of all distinct texts, from the store, or else encoded and stored.

    The rows are bitwise those of `hcat.core.models.cache.embed_texts`, without all of them in memory."""
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    keys = [text_key(text) for text in distinct]
    row_of = {key: row for row, key in enumerate(keys)}
    rows, known = empty_matrix(len(distinct), encoder.dimension), np.zeros(len(distinct), dtype=bool)
    for stored in store.each(keys):
        for key, row in stored.items():
            rows[row_of[key]], known[row_of[key]] = row, True
    for start in range(0, len(distinct), CHUNK_SIZE):
        missing = (start + np.flatnonzero(~known[start : start + CHUNK_SIZE])).tolist()
        if missing:
            rows[missing] = encoded = encoder.encode([distinct[row] for row in missing])
            store.put([keys[row] for row in missing], encoded)
        if on_progress is not None:
            on_progress(Progress("encode", min(start + CHUNK_SIZE, len(distinct)), len(distinct)))
    return EmbeddedTexts({text: row for row, text in enumerate(distinct)}, rows)


def empty_matrix(rows: int, columns: int) -> Rows:
    """A matrix to be filled, in memory or, beyond `IN_MEMORY` rows, in a temporary file that is deleted with it."""
    if rows <= IN_MEMORY:
        return np.empty((rows, columns), dtype=np.float32)
    with tempfile.TemporaryFile() as file:
        return np.memmap(file, dtype=np.float32, mode="w+", shape=(rows, columns))


def _mean_direction(rows: list[Rows]) -> Rows:
    mean = np.mean(rows, axis=0, dtype=np.float64)
    norm = float(np.linalg.norm(mean))
    return np.asarray(mean / norm if norm > 0 else rows[0], dtype=np.float32)
