"""Models with the store of their embeddings, loaded where the work is done: in this process or on another machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from core.models.cache import EmbeddingStore, ParquetEmbeddings
from core.models.encoder.encoder import ENCODER
from core.models.model_set import ModelSet, load_models
from core.models.verifier import DEFAULT_VERIFIER, VerifierChoice
from core.settings import Settings, settings_file


class OpenModels(NamedTuple):
    """Loaded models, and where their embeddings are kept; None for memory alone."""

    models: ModelSet
    store: EmbeddingStore | None = None


@dataclass(frozen=True)
class ModelsOfSettings:
    """Loads the models that these roles need, with the cache beside the artifacts.

    Where it is sent to another process, no secret goes along: that process takes them from its own settings.
    """

    settings: Settings
    roles: frozenset[str]
    device: str | None = None
    verifier: VerifierChoice = DEFAULT_VERIFIER
    required: bool = field(default=False)
    """Whether claims must be verified by whom `verifier` names."""

    def __call__(self) -> OpenModels:
        """Load them, once per process. Raises ModelError."""
        models = load_models(self.settings, self.roles, device=self.device, verifier=self.verifier)
        models = models.with_verifier() if self.required else models
        return OpenModels(models, ParquetEmbeddings(self.settings.artifacts, revision=models[ENCODER].revision))

    def __reduce__(self) -> tuple[object, ...]:
        values = self.settings.model_dump(exclude=set(self.settings.secrets))
        return _with_own_secrets, (values, self.roles, self.device, self.verifier, self.required)


def _with_own_secrets(
    values: Mapping[str, object],
    roles: frozenset[str],
    device: str | None,
    verifier: VerifierChoice,
    required: bool,
) -> ModelsOfSettings:
    settings = Settings(_env_file=settings_file(), **values)  # type: ignore[call-arg, arg-type]
    return ModelsOfSettings(settings, roles, device, verifier, required)
