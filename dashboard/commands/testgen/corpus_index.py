"""The index of a corpus in which commands on files search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.executors.executor import Executor
    from core.models.nli.entailment import EntailmentModel
    from core.testgen.passages import CorpusPassage
    from core.testgen.selection import CorpusIndex
    from core.types import Progress


def searchable(
    passages: tuple[CorpusPassage, ...],
    *,
    on_progress: Callable[[Progress], None],
    executor: Executor | None = None,
) -> tuple[CorpusIndex, EntailmentModel]:
    """The index of a corpus, whose passages the executor's workers encode, and the entailment model, by the models in
    the settings."""
    from core.executors.encoding import encode_by
    from core.models.encoder.encoder import ENCODER
    from core.models.model_set import load_models
    from core.models.nli.loading import ENTAILMENT
    from core.models.opened import ModelsOfSettings
    from core.settings import settings
    from core.testgen.selection import index_corpus, text_with_headings
    from dashboard.commands.runs import embedding_cache

    models = load_models(settings(), {ENTAILMENT.name})
    encoder = models[ENCODER]
    texts = map(text_with_headings, passages)
    encode_by(executor, texts, open_models=ModelsOfSettings(settings(), frozenset()), on_progress=on_progress)
    index = index_corpus(passages, encoder=encoder, store=embedding_cache(encoder), on_progress=on_progress)
    return index, models[ENTAILMENT]
