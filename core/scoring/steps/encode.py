"""Embeddings of the sentences of a block of samples, each distinct sentence encoded once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hcat.core.metrics.sample_view import PartEmbeddings, SampleView, parts_of
from hcat.core.models.cache import embed_texts
from hcat.core.models.encoder.encoder import ENCODER, unit_rows
from hcat.core.scoring.block import Block
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.types import OnProgress


def _prepare(inputs: StepInputs) -> RunStep:
    """The step that adds unit rows of the parts that the metrics need. Raises ModelError without an encoder."""
    encoder = inputs.models[ENCODER]
    parts = {part for metric in inputs.needing(ENCODER.name) for need in metric.needs for part in parts_of(need)}

    def run(block: Block, on_progress: OnProgress | None) -> Block:
        texts = {placed.sentence.text for sample in block for part in parts for placed in sample.parts[part]}
        rows = embed_texts(texts, encoder=encoder, store=inputs.store, on_progress=on_progress)
        return [sample.with_results(_embedded(sample, parts, rows)) for sample in block]

    return run


def _embedded(sample: SampleView, parts: set[str], rows: Mapping[str, NDArray[np.float32]]) -> PartEmbeddings:
    given = {part: placed for part in parts if (placed := sample.parts[part])}
    return PartEmbeddings({part: unit_rows([rows[one.sentence.text] for one in some]) for part, some in given.items()})


ENCODE = Step("encode", (ENCODER.name,), _prepare)
