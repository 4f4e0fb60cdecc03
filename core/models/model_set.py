"""The models that scores are computed with: their kinds, their names, and how they are loaded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from hcat.core.errors import ModelError
from hcat.core.models.encoder.encoder import ENCODER, Encoder
from hcat.core.models.kind import AnyModelKind, LoadedModel, ModelKind, NamedModel
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.nli.loading import ENTAILMENT
from hcat.core.models.toxicity.loading import TOXICITY
from hcat.core.models.verifier import DEFAULT_VERIFIER, VERIFIER, VerifierChoice

if TYPE_CHECKING:
    from hcat.core.settings import Settings

MODEL_KINDS: tuple[AnyModelKind, ...] = (ENCODER, ENTAILMENT, LANGUAGE, TOXICITY)
"""Every kind of model. A new kind is one more row."""

Model = TypeVar("Model", bound=NamedModel)


@dataclass(frozen=True, eq=False)
class ModelSet:
    """The loaded models, at most one of each kind: `ModelSet((ENCODER.of(encoder), ENTAILMENT.of(model)))`.

    `verifier` says which of them verifies claims."""

    loaded: tuple[LoadedModel, ...]
    verifier: VerifierChoice = DEFAULT_VERIFIER

    def get(self, kind: ModelKind[Model]) -> Model | None:
        """The model of that kind, if there is one."""
        model = next((loaded.model for loaded in self.loaded if loaded.kind == kind.name), None)
        return cast("Model | None", model)  # a loaded model of this name was made by `kind.of`, which takes a Model

    def __getitem__(self, kind: ModelKind[Model]) -> Model:
        """The model of that kind. Raises ModelError if there is none."""
        model = self.get(kind)
        if model is None:
            raise ModelError(f"A model is missing for this: {kind.missing}.")
        return model

    @property
    def by_role(self) -> dict[str, NamedModel]:
        """The model that fills each role, by the role's name in metrics."""
        return {
            filled.role: filled.by for loaded in self.loaded for filled in loaded.roles if filled.under(self.verifier)
        }

    @property
    def unfilled(self) -> dict[str, str]:
        """The roles that no model fills, and why a metric that needs one is left out."""
        filled = self.by_role
        return {role.name: role.missing for kind in MODEL_KINDS for role in kind.roles if role.name not in filled}

    def revisions(self, roles: Collection[str]) -> dict[str, str]:
        """Name → revision of the models behind these roles."""
        return {
            loaded.model.name: loaded.model.revision
            for loaded in self.loaded
            if any(filled.role in roles and filled.under(self.verifier) for filled in loaded.roles)
        }

    def with_encoder(self, encoder: Encoder) -> ModelSet:
        """The same with another encoder."""
        others = (loaded for loaded in self.loaded if loaded.kind != ENCODER.name)
        return ModelSet((ENCODER.of(encoder), *others), self.verifier)

    def with_verifier(self) -> ModelSet:
        """The same set. Raises ModelError if the chosen verifier is a language model that is not set."""
        if self.verifier != DEFAULT_VERIFIER and VERIFIER.name not in self.by_role:
            raise ModelError("No language model is set to verify claims: set HCAT_LLM_BASE_URL and HCAT_LLM_MODEL.")
        return self


def load_models(
    settings: Settings,
    roles: Collection[str],
    *,
    device: str | None = None,
    verifier: VerifierChoice = DEFAULT_VERIFIER,
) -> ModelSet:
    """The encoder in the settings, and the models that these roles need, their results cached with the artifacts.

    A language model that is not set is left out; one that was chosen to verify claims is loaded for any roles, so that
    its absence is reported. Raises ModelError if a model is set and can't be loaded."""
    chosen = () if verifier == DEFAULT_VERIFIER else (VERIFIER.name,)
    wanted = {ENCODER.name, *roles, *chosen}
    loaded = [kind.load(settings, device or settings.device) for kind in MODEL_KINDS if kind.fills(wanted, verifier)]
    return ModelSet(tuple(model for model in loaded if model is not None), verifier)
