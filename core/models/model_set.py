"""The models that scores are computed with: which there are, what they are called, and how they are loaded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from core.claims.claim import ClaimVerifier
from core.errors import ModelError
from core.models.encoder.encoder import Encoder
from core.models.encoder.token_states import TokenEncoder
from core.models.llm.claim_verifier import LanguageClaimVerifier
from core.models.llm.language import LanguageModel
from core.models.nli.claim_verifier import EntailmentClaimVerifier
from core.models.nli.entailment import EntailmentModel
from core.types import JsonValue

if TYPE_CHECKING:
    from core.settings import Settings

Decider = Literal["nli", "llm"]
"""Who decides on claims: the entailment model, or the language model."""


class Named(Protocol):
    """What a score table tells of a model."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...


@dataclass(frozen=True, eq=False)
class ModelSet:
    """An encoder, and what else there is. `claims` says which of the others judges claims."""

    encoder: Encoder
    entailment: EntailmentModel | None = None
    language: LanguageModel | None = None
    claims: Decider = "nli"

    @property
    def judge(self) -> ClaimVerifier | None:
        """Who finds and judges claims."""
        if self.claims == "llm":
            return None if self.language is None else LanguageClaimVerifier(self.language)
        return None if self.entailment is None else EntailmentClaimVerifier(self.entailment)

    @property
    def judging(self) -> str:
        """The role of the model behind the judge."""
        return "language" if self.claims == "llm" else "entailment"

    @property
    def judge_record(self) -> dict[str, JsonValue]:
        """What score tables tell of the judge: who decides, and for a language model its settings and prompts."""
        judge = self.judge
        if judge is None:
            return {}
        more = judge.parameters if isinstance(judge, LanguageClaimVerifier) else {}
        return {"by": self.claims, "name": judge.name, "revision": judge.revision, **more}

    def with_judge(self) -> ModelSet:
        """The same. Raises ModelError where claims are to be judged by a language model that is not set."""
        if self.claims == "llm" and self.language is None:
            raise ModelError("No language model is set to judge claims: set HCAT_LLM_BASE_URL and HCAT_LLM_MODEL.")
        return self

    @property
    def by_role(self) -> dict[str, Named]:
        """Those that there are, by the words that metrics use (`core.metrics.registry.NO_MODEL`)."""
        given: dict[str, Named | None] = {
            "encoder": self.encoder,
            "tokens": self.encoder if isinstance(self.encoder, TokenEncoder) else None,
            "entailment": self.entailment,
            "judge": self.judge,
            "language": self.language,
        }
        return {role: model for role, model in given.items() if model is not None}


def load_models(
    given: Settings, roles: Collection[str], *, device: str | None = None, claims: Decider = "nli"
) -> ModelSet:
    """The encoder of the settings, and the models that these roles need, their results kept beside the artifacts.

    A language model that is not set is None. Raises ModelError where a model is set and can't be loaded.
    """
    from core.models.encoder.encoder import load_encoder
    from core.models.llm.language import load_language

    where = device or given.device
    encoder = load_encoder(given.embedder, device=where)
    language = load_language(given) if "language" in roles or claims == "llm" else None
    wanted = "entailment" in roles or ("judge" in roles and claims == "nli")
    return ModelSet(encoder, _entailment(given, where) if wanted else None, language, claims)


def _entailment(given: Settings, device: str) -> EntailmentModel:
    from core.models.cache import ParquetEmbeddings
    from core.models.nli.cached import KIND, CachedEntailment
    from core.models.nli.entailment import load_entailment

    model = load_entailment(given.nli, device=device)
    return CachedEntailment(model, ParquetEmbeddings(given.artifacts, revision=model.revision, kind=KIND))
