"""Differences in meaning between the answers of an opened run to one question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.capabilities.trials import trials
from hcat.core.capabilities.trials.trials import ALIKE
from hcat.core.records.samples.columns import trials_in
from hcat.core.types import Passage, Progress, Sample, Score

if TYPE_CHECKING:
    from hcat.core.models.cache import EmbeddingStore
    from hcat.core.models.encoder.encoder import Encoder
    from hcat.core.models.model_set import ModelSet
    from hcat.core.opened.run import RunColumns

ENTAILED = "groundedness_nli"
"""The metric by which one answer is checked against another."""
NO_OTHER = "no other answer to its test case"


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


def self_check(
    samples: Sequence[Sample],
    *,
    models: ModelSet,
    store: EmbeddingStore | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> dict[str, Score]:
    """Support of each answer by the other answers to its test case, from 0 to 1, by sample ID. This is SelfCheck by NLI
    (Manakul, Liusie and Gales 2023) with entailment in place of contradiction, which the packaged model can't detect.

    The mean over the other trials of `ENTAILED`, with the other answer in place of the contexts. Unscored are answers
    without another one, and those that the metric leaves unscored. Made-up facts differ from trial to trial; an error
    repeated in all trials is not found. Raises ModelError where a model is missing.
    """
    from hcat.core.scoring.evaluate import score_samples

    by_case: dict[str, list[Sample]] = {}
    for sample in samples:
        if sample.test_case is not None and (sample.answer or "").strip():
            by_case.setdefault(sample.test_case, []).append(sample)
    others = {
        one.id: [other.answer or "" for other in repeated if other is not one]
        for repeated in by_case.values()
        for one in repeated
    }
    pairs = [
        replace(sample, id=f"{place} {sample.id}", contexts=(Passage("other answer", other),))
        for sample in samples
        for place, other in enumerate(others.get(sample.id, ()))
    ]
    if not pairs:
        return {sample.id: Score(None, NO_OTHER) for sample in samples}
    table = score_samples(pairs, metrics=ENTAILED, models=models, store=store, on_progress=on_progress)
    return {
        sample.id: _mean_of([table.score(f"{place} {sample.id}", ENTAILED) for place in range(len(found))])
        if (found := others.get(sample.id))
        else Score(None, NO_OTHER if (sample.answer or "").strip() else "no answer")
        for sample in samples
    }


def _mean_of(scores: Sequence[Score]) -> Score:
    """The mean of those that have a value, else the first one's reason."""
    values = [score.value for score in scores if score.value is not None]
    return Score(sum(values) / len(values)) if values else scores[0]


def answer_vectors(
    samples: Sequence[Sample],
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: Callable[[Progress], None] | None = None,
) -> dict[str, NDArray[np.float32]]:
    """The unit vector of each answer, by its text."""
    from hcat.core.models.cache import embed_texts

    texts = sorted({sample.answer.strip() for sample in samples if sample.answer and sample.answer.strip()})
    return embed_texts(texts, encoder=encoder, store=store, on_progress=on_progress)
