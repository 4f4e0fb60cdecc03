"""Claim metrics: which claims are supported, and what follows for answer and retrieval (LEGAL)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate

from hcat.core.claims.claim import Check
from hcat.core.claims.verdict import Verdict
from hcat.core.metrics.declaration import REFUSED, WRONG_SUBJECT, Explanation, Outcome, metric, scored, unscored
from hcat.core.metrics.sample_view import TRUTH, SampleView
from hcat.core.metrics.verdicts import (
    missing_verdict,
    partly_supported,
    unscored_with_verdicts,
    verdict_rows,
    verdicts_of,
)
from hcat.core.refusals.detection import answering
from hcat.core.types import JsonValue

DECLINES = "the reference declines to answer"
"""A reference that makes no claim about the world can't be found in contexts, nor be missing from them."""

ANSWER_IN_CONTEXTS = Check("answer", "contexts")
REFERENCE_IN_CONTEXTS = Check("reference", "contexts")
ANSWER_IN_REFERENCE = Check("answer", "reference")
REFERENCE_IN_ANSWER = Check("reference", "answer")

_claim_metric = partial(
    metric, family="claims", range=(0.0, 1.0), models=("encoder", "verifier"), judged=True, limit=WRONG_SUBJECT
)


def _of_answer(sample: SampleView) -> tuple[Check, ...]:  # noqa: ARG001 - the same for every sample
    return (ANSWER_IN_CONTEXTS,)


def _of_reference(sample: SampleView) -> tuple[Check, ...]:
    return () if _declines(sample) else (REFERENCE_IN_CONTEXTS,)


def _of_both(sample: SampleView) -> tuple[Check, ...]:  # noqa: ARG001 - the same for every sample
    return (ANSWER_IN_REFERENCE, REFERENCE_IN_ANSWER)


def _of_reference_in_answer(sample: SampleView) -> tuple[Check, ...]:
    return () if _declines(sample) else (REFERENCE_IN_ANSWER,)


def _of_each_context(sample: SampleView) -> tuple[Check, ...]:
    """The checks of the reference's (or answer's) claims against each context alone; none if it declines to answer."""
    if _declines(sample) or _answer_declines(sample):
        return ()
    ranks = range(len(sample.sample.contexts))
    return tuple(Check(sample.reference_or_answer, "contexts", passage=rank) for rank in ranks)


@_claim_metric(
    title="Faithfulness",
    needs=("answer", "contexts"),
    source="LEGAL, faithfulness: supported claims / claims of the answer",
    description="Share of the claims in the answer that the contexts support as a whole, by the verifier's verdicts; "
    "partly supported claims count as not supported.",
    skip_refusals="whole",
    checks=_of_answer,
    formula=r"\frac{|\text{claims of the answer that the contexts support}|}{|\text{claims of the answer}|}",
)
def faithfulness(sample: SampleView) -> Outcome:
    return _share_supported(sample, ANSWER_IN_CONTEXTS)


@_claim_metric(
    title="Context recall",
    needs=("reference", "contexts"),
    source="LEGAL, context recall: reference claims attributable to the contexts / reference claims",
    description="Share of the claims in the reference that the contexts support, by the verifier's verdicts.",
    checks=_of_reference,
    formula=r"\frac{|\text{claims of the reference that the contexts support}|}{|\text{claims of the reference}|}",
)
def context_recall(sample: SampleView) -> Outcome:
    return unscored(DECLINES) if _declines(sample) else _share_supported(sample, REFERENCE_IN_CONTEXTS)


@_claim_metric(
    title="Context precision",
    needs=("contexts", TRUTH),
    source="LEGAL, context precision: Σ precision@k · rel_k / number of relevant contexts; 0 where none is",
    description="How highly ranked are the contexts that each support the whole reference "
    "(or the answer, if there is no reference).",
    checks=_of_each_context,
    formula=(
        r"\frac{\sum_{k=1}^{K} P_k \cdot \mathrm{rel}_k}{\sum_{k=1}^{K} \mathrm{rel}_k}, \quad P_k = \frac{1}{k} "
        r"\sum_{i=1}^{k} \mathrm{rel}_i"
    ),
)
def context_precision(sample: SampleView) -> Outcome:
    if _declines(sample):
        return unscored(DECLINES)
    if _answer_declines(sample):
        return unscored(REFUSED)
    checks = _of_each_context(sample)
    reason = missing_verdict(sample, *checks)
    relevant = [all(verdict.supported for verdict in verdicts_of(sample).get(check, ())) for check in checks]
    if reason is not None:
        return unscored_with_verdicts(reason, {"judged": sample.reference_or_answer})
    precisions = precisions_at(relevant)
    value = sum(p for p, rel in zip(precisions, relevant, strict=True) if rel) / max(1, sum(relevant))
    return scored(value, lambda: _explain_contexts(sample, checks, relevant, precisions))


@_claim_metric(
    title="Answer correctness",
    needs=("answer", "reference"),
    source="LEGAL, answer correctness: F1 = TP / (TP + ½ (FP + FN)) over claims",
    description="F1 of claims: claims of the answer are right if the reference supports them, otherwise wrong; "
    "claims of the reference that the answer lacks are missing.",
    checks=_of_both,
    formula=r"\frac{TP}{TP + \frac{1}{2} (FP + FN)}",
)
def answer_correctness(sample: SampleView) -> Outcome:
    reason = missing_verdict(sample, ANSWER_IN_REFERENCE, REFERENCE_IN_ANSWER)
    if reason is not None:
        return unscored_with_verdicts(reason, _verdicts_of_both(sample))
    stated, expected = verdicts_of(sample)[ANSWER_IN_REFERENCE], verdicts_of(sample)[REFERENCE_IN_ANSWER]
    TP, FP = _texts(stated, supported=True), _texts(stated, supported=False)
    FN = _texts(expected, supported=False)
    value = len(TP) / (len(TP) + 0.5 * (len(FP) + len(FN))) if TP else 0.0
    counts: Explanation = {"TP": [*TP], "FP": [*FP], "FN": [*FN]}
    numbers: Explanation = {"num_tp": len(TP), "num_fp": len(FP), "num_fn": len(FN)}
    return scored(value, lambda: {**counts, **numbers, **_verdicts_of_both(sample)})


@_claim_metric(
    title="Claim recall",
    needs=("answer", "reference"),
    source="FUNNEL 2.3B, captured rate: points in both / points of the reference, by claims",
    description="Share of the claims in the reference that the answer holds, by the verifier's verdicts: "
    "the captured rate.",
    checks=_of_reference_in_answer,
    formula=r"\frac{|\text{claims of the reference that the answer holds}|}{|\text{claims of the reference}|}",
)
def claim_recall(sample: SampleView) -> Outcome:
    return unscored(DECLINES) if _declines(sample) else _share_supported(sample, REFERENCE_IN_ANSWER)


def precisions_at(relevant: Sequence[bool]) -> list[float]:
    """precision@k for k = 1 … K: the share of the first k contexts that are relevant."""
    return [hits / k for k, hits in enumerate(accumulate(map(int, relevant)), start=1)]


def _share_supported(sample: SampleView, check: Check) -> Outcome:
    reason = missing_verdict(sample, check)
    if reason is not None:
        return unscored_with_verdicts(reason, _explain_claims(sample, check))
    verdicts = verdicts_of(sample)[check]
    supported = sum(verdict.supported is True for verdict in verdicts)
    return scored(supported / len(verdicts), lambda: _explain_claims(sample, check))


def _explain_claims(sample: SampleView, check: Check) -> Explanation:
    verdicts = verdicts_of(sample).get(check, ())
    return {
        "part": check.part,
        "against": check.against,
        "supported": sum(verdict.supported is True for verdict in verdicts),
        "partly_supported": partly_supported(sample, check),
        "claims": verdict_rows(sample, check),
        "flagged": [place for place, verdict in enumerate(verdicts) if not verdict.supported],
    }


def _explain_contexts(
    sample: SampleView, checks: Sequence[Check], relevant: Sequence[bool], precisions: Sequence[float]
) -> Explanation:
    contexts: list[JsonValue] = [
        {
            "rank": rank,
            "passage": sample.sample.contexts[rank - 1].id,
            "relevant": rel,
            "precision": precision,
            "supported": sum(verdict.supported is True for verdict in verdicts_of(sample)[check]),
            "partly_supported": partly_supported(sample, check),
            "claims": verdict_rows(sample, check),
        }
        for rank, (check, rel, precision) in enumerate(zip(checks, relevant, precisions, strict=True), start=1)
    ]
    return {"judged": sample.reference_or_answer, "relevant": sum(relevant), "contexts": contexts}


def _verdicts_of_both(sample: SampleView) -> Explanation:
    return {
        "answer_claims": verdict_rows(sample, ANSWER_IN_REFERENCE),
        "reference_claims": verdict_rows(sample, REFERENCE_IN_ANSWER),
    }


def _texts(verdicts: Sequence[Verdict], *, supported: bool) -> list[str]:
    return [verdict.claim.text for verdict in verdicts if verdict.supported is supported]


def _declines(sample: SampleView) -> bool:
    return sample.sample.reference is not None and answering(sample.sample.reference).wholly_refused


def _answer_declines(sample: SampleView) -> bool:
    return sample.reference_or_answer == "answer" and answering(sample.sample.answer).wholly_refused
