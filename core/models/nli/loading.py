"""Entailment models as settings name them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hcat.core.models.cache import ParquetEmbeddings
from hcat.core.models.devices import usable
from hcat.core.models.kind import FurtherRole, ModelKind
from hcat.core.models.nli.cached import KIND, CachedEntailment
from hcat.core.models.nli.claim_verifier import EntailmentClaimVerifier
from hcat.core.models.nli.entailment import EntailmentModel
from hcat.core.models.verifier import VERIFIER

if TYPE_CHECKING:
    from hcat.core.settings import Settings


def load_entailment(name: str = "default", *, device: str = "cpu", entailment: str | None = None) -> EntailmentModel:
    """The entailment model called `name`: "default" (packaged), a local folder, or a Hub name in the local cache.

    `entailment` names the class that means entailment if the model's own labels do not say so. Loaded once per process
    and device. Nothing is downloaded. Raises ModelError when the model is absent, broken or not such a model."""
    return _load(name, usable(device), entailment)


@cache
def _load(name: str, device: str, entailment: str | None) -> EntailmentModel:
    if name == "default":
        from hcat.core.models.nli.packaged import open_packaged

        return open_packaged(device=device)
    from hcat.core.models.nli.huggingface import open_cross_encoder

    return open_cross_encoder(name, device=device, entailment=entailment)


def _of_settings(settings: Settings, device: str) -> EntailmentModel:
    model = load_entailment(settings.nli, device=device)
    return CachedEntailment(model, ParquetEmbeddings(settings.artifacts, revision=model.revision, kind=KIND))


ENTAILMENT: ModelKind[EntailmentModel] = ModelKind(
    "entailment",
    "no entailment model",
    _of_settings,
    (FurtherRole(VERIFIER, EntailmentClaimVerifier, choice="nli"),),
)
