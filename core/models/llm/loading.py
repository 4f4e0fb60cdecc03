"""The language model in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hcat.core.errors import ModelError
from hcat.core.models.kind import FurtherRole, ModelKind
from hcat.core.models.llm.claim_verifier import LanguageClaimVerifier
from hcat.core.models.llm.language import LanguageModel
from hcat.core.models.verifier import VERIFIER

if TYPE_CHECKING:
    from hcat.core.models.llm.cached import CachedLanguageModel
    from hcat.core.settings import Settings


def load_language(settings: Settings, *, temperature: float = 0.0) -> CachedLanguageModel | None:
    """The model of the settings LLM_*, its answers cached with the artifacts; None if no endpoint is set.

    Raises ModelError if only one of address and model is set."""
    if not settings.llm_base_url and not settings.llm_model:
        return None
    if not settings.llm_base_url or not settings.llm_model:
        raise ModelError("Set both HCAT_LLM_BASE_URL and HCAT_LLM_MODEL: a language model needs an address and a name.")
    _check_address(settings.llm_base_url)
    from hcat.core.models.llm.cached import CachedLanguageModel
    from hcat.core.models.llm.endpoint import open_language

    return CachedLanguageModel(open_language(settings, temperature=temperature), root=settings.artifacts)


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and url.isprintable()
    except ValueError:
        fits = False
    if not fits:
        raise ModelError("HCAT_LLM_BASE_URL is no address of an endpoint: write one like http://127.0.0.1:8503/v1")


def load_trials(settings: Settings, trials: int, *, temperature: float = 0.0) -> tuple[CachedLanguageModel, ...]:
    """The model of the settings LLM_* once a trial, each with the next seed; none if no endpoint is set."""
    seeds = (settings.seed + trial for trial in range(trials))
    models = (load_language(settings.model_copy(update={"seed": seed}), temperature=temperature) for seed in seeds)
    return tuple(model for model in models if model is not None)


def _of_settings(settings: Settings, device: str) -> LanguageModel | None:  # noqa: ARG001 - it runs elsewhere
    return load_language(settings)


LANGUAGE: ModelKind[LanguageModel] = ModelKind(
    "language",
    "no language model is set (HCAT_LLM_BASE_URL, HCAT_LLM_MODEL)",
    _of_settings,
    (FurtherRole(VERIFIER, LanguageClaimVerifier, choice="llm"),),
)
