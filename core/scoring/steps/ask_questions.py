"""The reverse questions of a language model for the answers of a block of samples, if a metric reads them."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.metrics.declaration import Metric
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.llm.reverse_questions import reverse_parameters, reverse_questions
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.block import Block
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.types import JsonValue, OnProgress, Progress

STAGE = "ask"


def _prepare(inputs: StepInputs) -> RunStep:
    """The step that generates questions once per answer, and for no sample that the metrics can't score."""
    language = inputs.models.get(LANGUAGE)
    metrics = inputs.needing(LANGUAGE.name)

    def run(block: Block, on_progress: OnProgress | None) -> Block:
        if language is None:
            return block
        wanted = [any(metric.unscored_reason(sample) is None for metric in metrics) for sample in block]
        found = iter(
            reverse_questions(
                [sample.sample for sample, asked in zip(block, wanted, strict=True) if asked],
                model=language,
                encoder=inputs.models[ENCODER],
                store=inputs.store,
                on_reply=None if on_progress is None else lambda done, of: on_progress(Progress(STAGE, done, of)),
            )
        )
        return [
            sample.with_results(next(found)) if asked else sample for sample, asked in zip(block, wanted, strict=True)
        ]

    return run


def _parameters(metric: Metric, models: ModelSet) -> Mapping[str, JsonValue]:
    language = models.get(LANGUAGE)
    return reverse_parameters(language) if language is not None and LANGUAGE.name in metric.models else {}


ASK_QUESTIONS = Step(STAGE, (LANGUAGE.name,), _prepare, _parameters)
