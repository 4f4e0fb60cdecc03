"""The toxicity and unprofessional tone of the sentences of answers, by a classifier."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.tone import TonePassage, ToneReading, passages_to_read
from hcat.core.models.toxicity.cached import CachedToxicity
from hcat.core.models.toxicity.loading import TOXICITY
from hcat.core.scoring.block import Block
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.types import OnProgress, Progress

STAGE = "read tone"


def _prepare(inputs: StepInputs) -> RunStep:
    classifier = inputs.models.get(TOXICITY)

    def read(block: Block, on_progress: OnProgress | None) -> Block:
        if classifier is None:
            return block
        wanted = [passages_to_read(sample) for sample in block]
        reader = classifier
        if isinstance(classifier, CachedToxicity) and on_progress is not None:
            reader = classifier.reporting(lambda done, total: on_progress(Progress(STAGE, done, total)))
        distinct = list(dict.fromkeys(passage.text for passages in wanted for passage in passages))
        rows = dict(zip(distinct, reader.probabilities(distinct).tolist(), strict=True))
        return [_read(sample, passages, rows) for sample, passages in zip(block, wanted, strict=True)]

    return read


def _read(sample: SampleView, passages: tuple[TonePassage, ...], rows: dict[str, list[float]]) -> SampleView:
    if not passages:
        return sample
    answered = [
        replace(passage, toxic=rows[passage.text][0], unprofessional=rows[passage.text][1]) for passage in passages
    ]
    return sample.with_results(ToneReading(tuple(answered)))


READ_TONE = Step(STAGE, (TOXICITY.name,), _prepare)
