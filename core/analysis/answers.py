"""How the answers of an opened run to one question differ in meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.estimates import trials
from core.estimates.trials import ALIKE
from core.types import Progress, Sample

if TYPE_CHECKING:
    from core.models.cache import EmbeddingStore
    from core.models.encoder.encoder import Encoder


def answer_kinds(
    samples: Sequence[Sample],
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    alike: float = ALIKE,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[str]:
    """The kind of each sample's answer within its test case, by meaning; in the order of the samples."""
    vectors = answer_vectors(samples, encoder=encoder, store=store, on_progress=on_progress)
    return trials.answer_kinds(samples, vectors, alike=alike)


def answer_vectors(
    samples: Sequence[Sample],
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: Callable[[Progress], None] | None = None,
) -> dict[str, NDArray[np.float32]]:
    """The unit vector of each answer, by its text."""
    from core.models.cache import embed_texts

    texts = sorted({sample.answer.strip() for sample in samples if sample.answer and sample.answer.strip()})
    return embed_texts(texts, encoder=encoder, store=store, on_progress=on_progress)
