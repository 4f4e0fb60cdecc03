"""How the answers of an opened run to one question differ in meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.estimates import trials
from core.estimates.trials import ALIKE
from core.records.samples.columns import trials_in
from core.types import Progress, Sample

if TYPE_CHECKING:
    from core.analysis.run_data import RunColumns
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


def kinds_of_trials(columns: RunColumns, *, encoder: Encoder, store: EmbeddingStore, alike: float = ALIKE) -> list[str]:
    """The same of an opened run, whose answers are read where a test case has several: one alone is of one kind."""
    repeated = trials.repeated_trials(trials_in(columns.sample_columns))
    answers = list(columns.each_of(repeated))
    kinds = dict(zip(repeated, answer_kinds(answers, encoder=encoder, store=store, alike=alike), strict=True))
    states = columns.sample_columns.levels("answer_state").texts()
    alone = (trials.NO_ANSWER if state == "no_answer" else "1" for state in states)
    return [kinds.get(sample_id, kind) for sample_id, kind in zip(columns.sample_ids, alone, strict=True)]


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
