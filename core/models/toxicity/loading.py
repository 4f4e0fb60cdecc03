"""Toxicity classifiers as settings name them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hcat.core.models.cache import ParquetEmbeddings
from hcat.core.models.devices import usable
from hcat.core.models.kind import ModelKind
from hcat.core.models.toxicity.cached import KIND, CachedToxicity
from hcat.core.models.toxicity.classifier import ToxicityClassifier

if TYPE_CHECKING:
    from hcat.core.settings import Settings


def load_toxicity(name: str = "default", *, device: str = "cpu") -> ToxicityClassifier:
    """The classifier called `name`: "default" (packaged), a local folder, or a Hub name in the local cache.

    Loaded once per process and device. Nothing is downloaded. Raises ModelError when it is absent, broken, or has no
    class that means toxic.
    """
    return _load(name, usable(device))


@cache
def _load(name: str, device: str) -> ToxicityClassifier:
    if name == "default":
        from hcat.core.models.toxicity.packaged import PackagedToxicity

        return PackagedToxicity(device=device)
    from hcat.core.models.toxicity.huggingface import open_classifier

    return open_classifier(name, device=device)


def _of_settings(settings: Settings, device: str) -> ToxicityClassifier:
    classifier = load_toxicity(settings.toxicity, device=device)
    return CachedToxicity(classifier, ParquetEmbeddings(settings.artifacts, revision=classifier.revision, kind=KIND))


TOXICITY: ModelKind[ToxicityClassifier] = ModelKind("toxicity", "no toxicity classifier", _of_settings)
