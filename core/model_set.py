"""The models that scores are computed with: which there are, what they are called, and how they are loaded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.claims import ClaimJudge
from core.entailment_claims import EntailmentJudge
from core.models.encoder import Encoder
from core.models.entailment import EntailmentModel
from core.models.language import LanguageModel

if TYPE_CHECKING:
    from core.settings import Settings


class Named(Protocol):
    """What a score table tells of a model."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...


@dataclass(frozen=True, eq=False)
class ModelSet:
    """An encoder, and what else there is. Claims are judged by the language model where there is one."""

    encoder: Encoder
    entailment: EntailmentModel | None = None
    language: LanguageModel | None = None

    @property
    def judge(self) -> ClaimJudge | None:
        """Who finds and judges claims."""
        if self.language is not None:
            from core.language_claims import LanguageJudge

            return LanguageJudge(self.language)
        return None if self.entailment is None else EntailmentJudge(self.entailment)

    @property
    def by_role(self) -> dict[str, Named]:
        """Those that there are, by the words that metrics use (`core.metrics.declaration.ROLES`)."""
        given: dict[str, Named | None] = {
            "encoder": self.encoder,
            "entailment": self.entailment,
            "judge": self.judge,
            "language": self.language,
        }
        return {role: model for role, model in given.items() if model is not None}


def load_models(given: Settings, roles: Collection[str], *, device: str | None = None) -> ModelSet:
    """The encoder of the settings, and the models that these roles need, their results kept beside the artifacts.

    Raises ModelError where one of them is set and can't be loaded; a language model that is not set is None.
    """
    from core.models.encoder import load_encoder
    from core.models.language import load_language

    where = device or given.device
    encoder = load_encoder(given.embedder, device=where)
    language = load_language(given) if {"judge", "language"} & set(roles) else None
    wanted = "entailment" in roles or ("judge" in roles and language is None)
    return ModelSet(encoder, _entailment(given, where) if wanted else None, language)


def _entailment(given: Settings, device: str) -> EntailmentModel:
    from core.embeddings import ParquetEmbeddings
    from core.models.entailment import load_entailment
    from core.models.entailment_kept import KIND, KeptEntailment

    model = load_entailment(given.nli, device=device)
    return KeptEntailment(model, ParquetEmbeddings(given.artifacts, revision=model.revision, kind=KIND))
