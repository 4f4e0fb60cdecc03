"""Groundedness by a learned combination: entailment, words, numbers, names and negation in one score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.claims.verdict import Verdict
from hcat.core.metrics.combination import Combination, packaged_combination
from hcat.core.metrics.declaration import WRONG_SUBJECT, Explanation, Outcome, metric, scored
from hcat.core.metrics.entailment import SENTENCES, answer_sentences
from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.support_inputs import INPUTS, SentenceSupport, sentence_support, support_inputs
from hcat.core.metrics.verdicts import missing_verdict, unscored_with_verdicts, verdict_rows, verdicts_of
from hcat.core.models.devices import has_weights
from hcat.core.models.nli.premises import READING
from hcat.core.types import JsonValue

OTHER_MODEL = "the coefficients were fitted for another entailment model"


@dataclass(frozen=True, slots=True)
class EntailmentRevision:
    """The revision of the entailment model that produced a sample's verdicts."""

    revision: str


@metric(
    title="Groundedness, combined",
    family="groundedness",
    needs=("answer", "contexts"),
    range=(0.0, 1.0),
    models=("encoder", "entailment"),
    source="logistic curve with coefficients ≥ 0, fitted on public sets; core/metrics/weights/README.md",
    description="Learned from public sets: how likely the contexts support the whole answer, by entailment, words, "
    "numbers, names and negation together, a score that labels must calibrate.",
    parameters=READING,
    skip_refusals="whole",
    checks=answer_sentences,
    judged=True,
    limit=WRONG_SUBJECT,
    recommended="the default for groundedness and faithfulness where no language model is used",
    formula=r"\sigma \Big( b + \sum_{i} w_i \, u_i \Big), \quad w_i \ge 0, \ u_i = \text{input } i \text{ from 0 to 1}",
)
def groundedness_combined(sample: SampleView) -> Outcome:
    reason = missing_verdict(sample, SENTENCES)
    if reason is not None:
        return unscored_with_verdicts(reason, {})
    verdicts = verdicts_of(sample)[SENTENCES]
    combination = packaged_combination()
    rows = sentence_support(sample, verdicts)
    inputs = support_inputs(rows)
    return scored(combination.score(inputs), lambda: _explain(sample, verdicts, rows, inputs, combination))


def _explain(
    sample: SampleView,
    verdicts: Sequence[Verdict],
    rows: Sequence[SentenceSupport],
    inputs: Sequence[float],
    combination: Combination,
) -> Explanation:
    """The explanation: each input with its loss against the best value, and each sentence with its own inputs.

    A note says so if the coefficients were fitted for another entailment model."""
    shares = list(zip(combination.terms, combination.contributions(inputs), strict=True))
    combined: list[JsonValue] = [
        {"input": each.name, "value": each.sign * value, "costs_log_odds": term.coefficient - share}
        for each, value, (term, share) in zip(INPUTS, inputs, shares, strict=True)
    ]
    sentences: list[JsonValue] = [
        {**row, "words_found": support.words_found, "numbers_missing": support.numbers_missing}
        | {"names_missing": support.names_missing, "negation_differs": bool(support.negation_differs)}
        for row, support in zip(verdict_rows(sample, SENTENCES), rows, strict=True)
        if isinstance(row, dict)
    ]
    model = sample.result(EntailmentRevision)
    fits = model is None or has_weights(model.revision, combination.entailment)
    return {
        "part": "answer",
        "against": "contexts",
        "measure": "σ(D), the entailment score",
        "threshold": 0.5,
        "inputs": combined,
        "sentences": sentences,
        "flagged": [place for place, verdict in enumerate(verdicts) if not verdict.supported],
        **({} if fits else {"note": OTHER_MODEL}),
    }
