"""The questions that a language model asks for the answers of a block of samples, where a metric reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.metrics.declaration import Metric
from core.metrics.sample_view import SampleView
from core.models.cache import EmbeddingStore
from core.models.llm.reverse_questions import reverse_questions
from core.models.model_set import ModelSet
from core.types import Progress

OnProgress = Callable[[Progress], None]


class QuestionStep:
    """Asks for each answer once, and for none of a sample that no metric can score anyhow."""

    def __init__(self, metrics: Sequence[Metric], models: ModelSet) -> None:
        self._metrics = [metric for metric in metrics if "language" in metric.models]
        self._models = models

    def asked(self, block: list[SampleView], store: EmbeddingStore, on_progress: OnProgress | None) -> list[SampleView]:
        """The samples with the questions to their answers; as they are where there is no model."""
        language = self._models.language
        if language is None:
            return block
        wanted = [any(metric.unscored_reason(sample) is None for metric in self._metrics) for sample in block]
        found = iter(
            reverse_questions(
                [sample.sample for sample, one in zip(block, wanted, strict=True) if one],
                model=language,
                encoder=self._models.encoder,
                store=store,
                on_reply=None if on_progress is None else lambda done, of: on_progress(Progress("ask", done, of)),
            )
        )
        return [
            replace(sample, questions=next(found)) if one else sample for sample, one in zip(block, wanted, strict=True)
        ]
