"""The corpus of a command that works on files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.commands.output import existing

if TYPE_CHECKING:
    from core.models.nli.entailment import EntailmentModel
    from core.testgen.passages import CorpusPassage
    from core.testgen.selection import CorpusIndex
    from core.types import Progress


def passages_at(path: Path) -> tuple[CorpusPassage, ...]:
    """The passages of a file that `hcat corpus` wrote."""
    from core.testgen.passages import read_passages

    return read_passages(existing(path))


def searchable(
    passages: tuple[CorpusPassage, ...], *, on_progress: Callable[[Progress], None]
) -> tuple[CorpusIndex, EntailmentModel]:
    """The index of a corpus, and the entailment model, by the models in the settings."""
    from core.models.encoder.encoder import ENCODER
    from core.models.model_set import load_models
    from core.models.nli.loading import ENTAILMENT
    from core.settings import settings
    from core.testgen.selection import index_corpus
    from dashboard.commands.runs import embedding_cache

    models = load_models(settings(), {ENTAILMENT.name})
    encoder = models[ENCODER]
    index = index_corpus(passages, encoder=encoder, store=embedding_cache(encoder), on_progress=on_progress)
    return index, models[ENTAILMENT]
