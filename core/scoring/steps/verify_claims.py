"""What metrics ask a judge about a block of samples, asked at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.claims.claim import Check, ClaimTask, ClaimVerifier, Verdict
from core.metrics.declaration import Metric
from core.metrics.sample_view import SampleView
from core.models.cache import MemoryEmbeddings
from core.models.llm.claim_verifier import LanguageClaimVerifier
from core.models.model_set import ModelSet
from core.models.nli.cached import CachedEntailment
from core.models.nli.claim_verifier import EntailmentClaimVerifier
from core.types import Progress

OnProgress = Callable[[Progress], None]
OnDone = Callable[[int, int], None]


class ClaimStep:
    """Judges what the metrics check: sentences by entailment, claims by whom the models name.

    A check that several metrics make is judged once, and none of a sample that the metric can't score anyhow. Equal
    pairs of premise and hypothesis are judged once in all blocks.
    """

    def __init__(self, metrics: Sequence[Metric], models: ModelSet) -> None:
        self._metrics = [metric for metric in metrics if {"entailment", "judge"} & set(metric.models)]
        self._models = models
        self._distances = MemoryEmbeddings()

    def judged(self, block: list[SampleView], on_progress: OnProgress | None) -> list[SampleView]:
        """The samples with the verdicts on their checks; without those for which there is no model."""
        wanted = [self._checks(sample) for sample in block]
        verdicts: list[dict[Check, tuple[Verdict, ...]]] = [{} for _ in block]
        for judge, units in self._judges(_done(on_progress)):
            places = [(place, check) for place, checks in enumerate(wanted) for check in checks if check.unit in units]
            found = judge.judge([ClaimTask(block[place], check) for place, check in places])
            for (place, check), verdict in zip(places, found, strict=True):
                verdicts[place][check] = verdict
        return [replace(sample, verdicts=known) for sample, known in zip(block, verdicts, strict=True)]

    def _checks(self, sample: SampleView) -> list[Check]:
        asked = (
            check
            for metric in self._metrics
            if metric.unscored_reason(sample) is None
            for check in metric.checks(sample)
        )
        return list(dict.fromkeys(asked))

    def _judges(self, on_done: OnDone | None) -> list[tuple[ClaimVerifier, tuple[str, ...]]]:
        """Who judges, and which units."""
        entailment, language = self._models.entailment, self._models.language
        by_llm = self._models.claims == "llm"
        judges: list[tuple[ClaimVerifier, tuple[str, ...]]] = []
        if not self._metrics:
            return judges
        if entailment is not None:
            kept = CachedEntailment(entailment, self._distances, on_done=on_done)
            judges.append((EntailmentClaimVerifier(kept), ("sentence",) if by_llm else ("sentence", "claim")))
        if language is not None and by_llm:
            judges.append((LanguageClaimVerifier(language, on_reply=on_done), ("claim",)))
        return judges


def _done(on_progress: OnProgress | None) -> OnDone | None:
    return None if on_progress is None else lambda done, total: on_progress(Progress("judge", done, total))
