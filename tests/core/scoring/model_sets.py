"""Sets of models for tests."""

from __future__ import annotations

from hcat.core.models.encoder.encoder import ENCODER, Encoder
from hcat.core.models.llm.language import LanguageModel
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.entailment import EntailmentModel
from hcat.core.models.nli.loading import ENTAILMENT
from hcat.core.models.verifier import VerifierChoice


def model_set(
    encoder: Encoder,
    entailment: EntailmentModel | None = None,
    language: LanguageModel | None = None,
    verifier: VerifierChoice = "nli",
) -> ModelSet:
    """The models that are given."""
    loaded = [ENCODER.of(encoder)]
    loaded += [] if entailment is None else [ENTAILMENT.of(entailment)]
    loaded += [] if language is None else [LANGUAGE.of(language)]
    return ModelSet(tuple(loaded), verifier)
