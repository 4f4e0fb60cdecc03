"""Groundedness by entailment: does each answer sentence follow from the contexts? (HCAT 3.2.2)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from hcat.core.claims.claim import Check
from hcat.core.claims.verdict import Verdict
from hcat.core.metrics.declaration import WRONG_SUBJECT, Explanation, Outcome, metric, scored
from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.verdicts import missing_verdict, unscored_with_verdicts, verdict_rows, verdicts_of
from hcat.core.models.nli.premises import READING

SENTENCES = Check("answer", "contexts", unit="sentence")


def answer_sentences(sample: SampleView) -> tuple[Check, ...]:  # noqa: ARG001 - the same for every sample
    """The claims to verify: each sentence of the answer."""
    return (SENTENCES,)


_sentence_metric = partial(
    metric,
    family="groundedness",
    needs=("answer", "contexts"),
    range=(0.0, 1.0),
    models=("encoder", "entailment"),
    parameters=READING,
    skip_refusals="whole",
    checks=answer_sentences,
    judged=True,
    limit=WRONG_SUBJECT,
)


@_sentence_metric(
    title="Groundedness, NLI",
    source="HCAT 3.2.2, NLI; σ(D), D the signed distance to the entailment boundary",
    description="Mean, over answer sentences, of σ(D), a score that labels must calibrate; D > 0 says that the "
    "contexts entail the sentence.",
    formula=r"\frac{1}{k} \sum_{l=1}^{k} \sigma(D_l)",
)
def groundedness_nli(sample: SampleView) -> Outcome:
    return _over_sentences(sample, "mean", lambda verdicts: _mean([_score(verdict) for verdict in verdicts]))


@_sentence_metric(
    title="Groundedness, NLI, minimum",
    source="HCAT 3.2.2, NLI; σ(D) of the least entailed sentence",
    description="Lowest, over answer sentences, of σ(D), by the model: the sentence that the contexts support least.",
    formula=r"\min_{l} \, \sigma(D_l)",
)
def groundedness_nli_min(sample: SampleView) -> Outcome:
    return _over_sentences(sample, "minimum", lambda verdicts: min(_score(verdict) for verdict in verdicts))


@_sentence_metric(
    title="Groundedness, NLI, share",
    source="HCAT 3.2.2, NLI; sentences with D > 0 / sentences",
    description="Share of answer sentences that the contexts entail by the model's verdict (D > 0).",
    formula=r"\frac{1}{k} \sum_{l=1}^{k} \mathbf{1}[D_l > 0]",
)
def groundedness_nli_share(sample: SampleView) -> Outcome:
    return _over_sentences(sample, "share", lambda verdicts: _mean([float(v.supported or 0) for v in verdicts]))


def _over_sentences(sample: SampleView, aggregate: str, over: Callable[[Sequence[Verdict]], float]) -> Outcome:
    reason = missing_verdict(sample, SENTENCES)
    if reason is not None:
        return unscored_with_verdicts(reason, {})
    verdicts = verdicts_of(sample)[SENTENCES]
    return scored(over(verdicts), lambda: _explain(sample, aggregate, verdicts))


def _explain(sample: SampleView, aggregate: str, verdicts: Sequence[Verdict]) -> Explanation:
    scores = [_score(verdict) for verdict in verdicts]
    return {
        "part": "answer",
        "against": "contexts",
        "aggregate": aggregate,
        "measure": "σ(D), the entailment score",
        "threshold": 0.5,
        "sentences": [*verdict_rows(sample, SENTENCES)],
        "weakest": scores.index(min(scores)),
        "flagged": [place for place, verdict in enumerate(verdicts) if not verdict.supported],
    }


def _score(verdict: Verdict) -> float:
    return 0.0 if verdict.score is None else verdict.score


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
