"""A toxicity classifier whose probabilities are cached by text, so that a text is read once per revision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hcat.core.models.cache import EmbeddingStore, Rows, cached_rows, text_key
from hcat.core.models.toxicity.classifier import ToxicityClassifier

KIND = "toxicity"
"""The folder of cached probabilities, next to that of the embeddings."""
CHUNK_SIZE = 512
"""Texts that are read together and stored at once."""


class CachedToxicity:
    """A classifier and a store of its rows.

    Probabilities are always rounded to 32 bits, so that a cached one and a new one are equal."""

    def __init__(
        self,
        classifier: ToxicityClassifier,
        store: EmbeddingStore,
        *,
        on_done: Callable[[int, int], None] | None = None,
    ) -> None:
        self.name = classifier.name
        self.revision = classifier.revision
        self._classifier = classifier
        self._store = store
        self._on_done = on_done

    def reporting(self, on_done: Callable[[int, int], None] | None) -> CachedToxicity:
        """The same, with a report after each chunk of the number of distinct texts that are done, and their total."""
        return CachedToxicity(self._classifier, self._store, on_done=on_done)

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """A row (toxic, unprofessional) for each text, in their order."""
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        on_done = self._on_done
        report = None if on_done is None else lambda done: on_done(done, len(distinct))
        rows = cached_rows(
            distinct, key=text_key, compute=self._rows, store=self._store, size=CHUNK_SIZE, on_done=report
        )
        return np.array([rows[text] for text in texts], dtype=np.float64).reshape(-1, 2)

    def _rows(self, texts: Sequence[str]) -> Rows:
        return self._classifier.probabilities(texts).astype(np.float32)
