"""Records which entailment model verified, for the combination whose coefficients were fitted for one model."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.metrics.combination import packaged_combination
from hcat.core.metrics.combined import EntailmentRevision, groundedness_combined
from hcat.core.metrics.declaration import Metric
from hcat.core.models.devices import has_weights
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.loading import ENTAILMENT
from hcat.core.scoring.block import Block
from hcat.core.scoring.provenance import COMBINATION
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.types import JsonValue, OnProgress


def _prepare(inputs: StepInputs) -> RunStep:
    model = inputs.models.get(ENTAILMENT)

    def name_model(block: Block, on_progress: OnProgress | None) -> Block:  # noqa: ARG001 - it takes no time
        return block if model is None else [sample.with_results(EntailmentRevision(model.revision)) for sample in block]

    return name_model


def _parameters(metric: Metric, models: ModelSet) -> Mapping[str, JsonValue]:
    return {COMBINATION: combination_record(models)} if metric.name == groundedness_combined.name else {}


def combination_record(models: ModelSet) -> dict[str, JsonValue]:
    """The record of the combination in score tables.

    Its coefficients, the entailment weights that they were fitted for, and whether the scores were computed with
    these."""
    model, combination = models.get(ENTAILMENT), packaged_combination()
    same = model is not None and has_weights(model.revision, combination.entailment)
    return {"revision": combination.revision, "fitted_for": combination.entailment, "same_model": same}


NAME_MODEL = Step("name the model", (ENTAILMENT.name,), _prepare, _parameters)
