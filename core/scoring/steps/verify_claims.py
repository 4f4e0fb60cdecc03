"""The verification of claims for a block of samples, all at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hcat.core.claims.claim import Check, Unit
from hcat.core.claims.task import ClaimTask, ClaimVerifier
from hcat.core.claims.verdict import ClaimVerdicts, Verdict
from hcat.core.metrics.declaration import Metric
from hcat.core.metrics.sample_view import SampleView
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.llm.claim_verifier import LanguageClaimVerifier
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.cached import CachedEntailment
from hcat.core.models.nli.claim_verifier import EntailmentClaimVerifier
from hcat.core.models.nli.loading import ENTAILMENT
from hcat.core.models.verifier import VERIFIER
from hcat.core.scoring.block import Block
from hcat.core.scoring.provenance import VERIFIED_BY
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.types import JsonValue, OnProgress, Progress

STAGE = "verify"
ROLES = (ENTAILMENT.name, VERIFIER.name)

KEPT_PAIRS = 500_000
"""The most verdicts on pairs in memory: about 200 MB. Older ones are dropped, and computed again."""

OnDone = Callable[[int, int], None]


class _VerifyClaims:
    """Verifies what the metrics check: sentences by entailment, claims by the chosen verifier.

    A check of several metrics is made once, and none of a sample that the metric can't score anyway. Equal pairs of
    premise and hypothesis are computed once in all blocks, as far back as `KEPT_PAIRS`."""

    def __init__(self, inputs: StepInputs) -> None:
        self._metrics = inputs.needing(*ROLES)
        self._models = inputs.models
        self._distances = MemoryEmbeddings(most=KEPT_PAIRS)

    def __call__(self, block: Block, on_progress: OnProgress | None) -> Block:
        """The samples with the verdicts on their checks; without those for which there is no model."""
        wanted = [self._checks(sample) for sample in block]
        verdicts: list[dict[Check, tuple[Verdict, ...]]] = [{} for _ in block]
        for verifier, units in self._verifiers(_done(on_progress)):
            places = [(place, check) for place, checks in enumerate(wanted) for check in checks if check.unit in units]
            found = verifier.verify([ClaimTask(block[place], check) for place, check in places])
            for (place, check), verdict in zip(places, found, strict=True):
                verdicts[place][check] = verdict
        return [sample.with_results(ClaimVerdicts(known)) for sample, known in zip(block, verdicts, strict=True)]

    def _checks(self, sample: SampleView) -> list[Check]:
        asked = (
            check
            for metric in self._metrics
            if metric.unscored_reason(sample) is None
            for check in metric.checks(sample)
        )
        return list(dict.fromkeys(asked))

    def _verifiers(self, on_done: OnDone | None) -> Sequence[tuple[ClaimVerifier, tuple[Unit, ...]]]:
        """The verifiers, and the units that each verifies."""
        entailment, language = self._models.get(ENTAILMENT), self._models.get(LANGUAGE)
        by_language = self._models.verifier == "llm"
        verifiers: list[tuple[ClaimVerifier, tuple[Unit, ...]]] = []
        if entailment is not None:
            kept = CachedEntailment(entailment, self._distances, on_done=on_done)
            verifiers.append((EntailmentClaimVerifier(kept), ("sentence",) if by_language else ("sentence", "claim")))
        if language is not None and by_language:
            verifiers.append((LanguageClaimVerifier(language, on_reply=on_done), ("claim",)))
        return verifiers


def _done(on_progress: OnProgress | None) -> OnDone | None:
    return None if on_progress is None else lambda done, total: on_progress(Progress(STAGE, done, total))


def _prepare(inputs: StepInputs) -> RunStep:
    return _VerifyClaims(inputs)


def _parameters(metric: Metric, models: ModelSet) -> Mapping[str, JsonValue]:
    record = verifier_record(models) if VERIFIER.name in metric.models else None
    return {} if record is None else {VERIFIED_BY: record}


def verifier_record(models: ModelSet) -> dict[str, JsonValue] | None:
    """The record of the claim verifier in score tables: who decides, and for a language model its settings and
    prompts."""
    verifier = models.by_role.get(VERIFIER.name)
    if not isinstance(verifier, ClaimVerifier):
        return None
    return {"by": models.verifier, "name": verifier.name, "revision": verifier.revision, **verifier.parameters}


VERIFY_CLAIMS = Step(STAGE, ROLES, _prepare, _parameters)
