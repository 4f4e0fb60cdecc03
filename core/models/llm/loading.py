"""The language model in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import ModelError
from core.models.kind import FurtherRole, ModelKind
from core.models.llm.claim_verifier import LanguageClaimVerifier
from core.models.llm.language import LanguageModel
from core.models.verifier import VERIFIER

if TYPE_CHECKING:
    from core.settings import Settings


def load_language(settings: Settings) -> LanguageModel | None:
    """The model of the settings LLM_*, its answers cached beside the artifacts; None where no endpoint is set.

    Raises ModelError where only one of address and model is set.
    """
    if not settings.llm_base_url and not settings.llm_model:
        return None
    if not settings.llm_base_url or not settings.llm_model:
        raise ModelError("Set both HCAT_LLM_BASE_URL and HCAT_LLM_MODEL: a language model needs an address and a name.")
    from core.models.llm.cached import CachedLanguageModel
    from core.models.llm.endpoint import open_language

    return CachedLanguageModel(open_language(settings), root=settings.artifacts)


def _of_settings(settings: Settings, device: str) -> LanguageModel | None:  # noqa: ARG001 - it runs elsewhere
    return load_language(settings)


LANGUAGE: ModelKind[LanguageModel] = ModelKind(
    "language",
    "no language model is set (HCAT_LLM_BASE_URL, HCAT_LLM_MODEL)",
    _of_settings,
    (FurtherRole(VERIFIER, LanguageClaimVerifier, choice="llm"),),
)
