"""Sets of models for tests."""

from __future__ import annotations

from core.models.encoder.encoder import ENCODER, Encoder
from core.models.llm.language import LanguageModel
from core.models.llm.loading import LANGUAGE
from core.models.model_set import ModelSet
from core.models.nli.entailment import EntailmentModel
from core.models.nli.loading import ENTAILMENT
from core.models.verifier import VerifierChoice


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
