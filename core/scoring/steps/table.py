"""The steps of scoring, in the order in which they run."""

from __future__ import annotations

from hcat.core.metrics.declaration import Metric
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.steps.ask_questions import ASK_QUESTIONS
from hcat.core.scoring.steps.encode import ENCODE
from hcat.core.scoring.steps.match_tokens import MATCH_TOKENS
from hcat.core.scoring.steps.name_model import NAME_MODEL
from hcat.core.scoring.steps.read_tone import READ_TONE
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.scoring.steps.verify_claims import VERIFY_CLAIMS
from hcat.core.types import JsonValue

STEPS: tuple[Step, ...] = (MATCH_TOKENS, ENCODE, VERIFY_CLAIMS, NAME_MODEL, ASK_QUESTIONS, READ_TONE)
"""All steps. A new one is one more row.

Tokens are matched before sentences are encoded, since embeddings are a by-product; claims are verified after, since the
premises of a claim are the sentences most similar to it."""


def prepared_steps(inputs: StepInputs) -> list[RunStep]:
    """The steps that the metrics need, ready to run over blocks in this order."""
    return [step.prepare(inputs) for step in STEPS if inputs.needing(*step.roles)]


def stages_of(inputs: StepInputs) -> list[str]:
    """The stages of these steps, as their progress names them."""
    return [step.name for step in STEPS if inputs.needing(*step.roles)]


def metric_parameters(metric: Metric, models: ModelSet) -> dict[str, JsonValue]:
    """The parameters of the metric: its own, and those of the steps that it needs."""
    given = dict(metric.parameters)
    for step in STEPS:
        if not set(step.roles).isdisjoint(metric.models):
            given |= step.parameters(metric, models)
    return given
