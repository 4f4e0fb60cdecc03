"""Models with the store of their embeddings, loaded in the worker: in this process or on another machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hcat.core.errors import ModelError
from hcat.core.models.cache import EmbeddingStore, ParquetEmbeddings
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.model_set import ModelSet, load_models
from hcat.core.models.verifier import DEFAULT_VERIFIER, VerifierChoice
from hcat.core.settings import Settings, settings_file
from hcat.core.types import JsonValue


class OpenModels(NamedTuple):
    """Loaded models, and the store of their embeddings; None for memory alone."""

    models: ModelSet
    store: EmbeddingStore | None = None


Opening = Callable[[], OpenModels]
"""Loads models in the worker. Raises ModelError."""


@dataclass(frozen=True)
class ModelsOfSettings:
    """Loads the models that these roles need, with the cache next to the artifacts.

    If it is sent to another process, it contains no secret: that process reads them from its own settings."""

    settings: Settings
    roles: frozenset[str]
    device: str | None = None
    verifier: VerifierChoice = DEFAULT_VERIFIER
    required: bool = field(default=False)
    """Whether claims must be verified by the chosen `verifier`."""

    def __call__(self) -> OpenModels:
        """Load them, once per process. Raises ModelError."""
        models = load_models(self.settings, self.roles, device=self.device, verifier=self.verifier)
        models = models.with_verifier() if self.required else models
        return OpenModels(models, ParquetEmbeddings(self.settings.artifacts, revision=models[ENCODER].revision))

    @property
    def asks_an_endpoint(self) -> bool:
        """Whether it uses a language model, with a limited number of requests at once."""
        asked = LANGUAGE.name in self.roles or self.verifier != DEFAULT_VERIFIER
        return asked and self.settings.llm_base_url is not None

    def among(self, workers: int) -> Sequence[ModelsOfSettings]:
        """The models for each of so many workers.

        The requests that may run at once at an endpoint are divided among them, so that there are no more workers than
        such requests."""
        if not self.asks_an_endpoint:
            return [self] * workers
        most = self.settings.llm_parallel
        n = min(workers, most)
        shares = [most // n + (worker < most % n) for worker in range(n)]
        return [replace(self, settings=self.settings.model_copy(update={"llm_parallel": share})) for share in shares]

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


def openings_among(opening: Opening, workers: int) -> Sequence[Opening]:
    """The opening for each of so many workers, or fewer: limits on requests apply to all of them together."""
    return opening.among(workers) if isinstance(opening, ModelsOfSettings) else [opening] * workers


def checked(found: Mapping[str, JsonValue], expected: Mapping[str, JsonValue]) -> None:
    """Raise ModelError if a worker computes with something else than the process that created the job."""
    if found != expected:
        raise ModelError(
            "A worker has other models than the process that started it: install the same version of hcat and the "
            "same models, and set the same HCAT_* variables, on every machine of the cluster."
        )
