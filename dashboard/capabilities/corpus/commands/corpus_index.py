"""The index of a corpus in which commands on files search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hcat.core.capabilities.test_sets.selection import CorpusIndex
    from hcat.core.executors.executor import Executor
    from hcat.core.models.nli.entailment import EntailmentModel
    from hcat.core.records.passages import CorpusPassage
    from hcat.core.types import Progress


def searchable(
    passages: tuple[CorpusPassage, ...],
    *,
    on_progress: Callable[[Progress], None],
    executor: Executor | None = None,
) -> tuple[CorpusIndex, EntailmentModel]:
    """The index of a corpus, whose passages the executor's workers encode, and the entailment model, by the models in
    the settings."""
    from hcat.core.capabilities.test_sets.selection import index_corpus, text_with_headings
    from hcat.core.executors.encoding import encode_by
    from hcat.core.models.encoder.encoder import ENCODER
    from hcat.core.models.model_set import load_models
    from hcat.core.models.nli.loading import ENTAILMENT
    from hcat.core.models.opened import ModelsOfSettings
    from hcat.core.settings import settings
    from hcat.dashboard.capabilities.runs.commands.runs import embedding_cache

    models = load_models(settings(), {ENTAILMENT.name})
    encoder = models[ENCODER]
    texts = map(text_with_headings, passages)
    encode_by(executor, texts, open_models=ModelsOfSettings(settings(), frozenset()), on_progress=on_progress)
    index = index_corpus(passages, encoder=encoder, store=embedding_cache(encoder), on_progress=on_progress)
    return index, models[ENTAILMENT]
