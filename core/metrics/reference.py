"""Recall, precision and F1 of an answer against the reference answer, sentence by sentence."""

from __future__ import annotations

from hcat.core.metrics.declaration import Outcome, metric, scored
from hcat.core.metrics.matching import FLAG_BELOW, best_matches
from hcat.core.metrics.sample_view import SampleView

FAMILY = "reference"
NEEDS = ("answer", "reference")
SOURCE = "HCAT 3.1's greedy matching (after BERTScore, Zhang et al. 2020), answer against reference"
PARAMETERS = {"flag_below": FLAG_BELOW}


@metric(
    title="Answer recall",
    family=FAMILY,
    needs=NEEDS,
    source=f"{SOURCE}: mean over reference sentences",
    description="Mean, over reference sentences, of the similarity to the best-matching answer sentence.",
    parameters=PARAMETERS,
    formula=r"\frac{1}{p} \sum_{i=1}^{p} \max_{l} \, \cos(r_i, a_l)",
)
def answer_recall(sample: SampleView) -> Outcome:
    return best_matches(sample, "reference", "answer").mean()


@metric(
    title="Answer precision",
    family=FAMILY,
    needs=NEEDS,
    source=f"{SOURCE}: mean over answer sentences",
    description="Mean, over answer sentences, of the similarity to the best-matching reference sentence.",
    parameters=PARAMETERS,
    formula=r"\frac{1}{k} \sum_{l=1}^{k} \max_{i} \, \cos(a_l, r_i)",
)
def answer_precision(sample: SampleView) -> Outcome:
    return best_matches(sample, "answer", "reference").mean()


@metric(
    title="Answer F1",
    family=FAMILY,
    needs=NEEDS,
    range=(0.0, 1.0),
    source=f"{SOURCE}: harmonic mean, 0 unless recall and precision are both positive",
    description="Harmonic mean of answer recall and answer precision.",
    formula=r"\frac{2 \, P \, R}{P + R}, \quad P = \text{answer precision}, \; R = \text{answer recall}",
)
def answer_f1(sample: SampleView) -> Outcome:
    recall = float(best_matches(sample, "reference", "answer").scores.mean())
    precision = float(best_matches(sample, "answer", "reference").scores.mean())
    return scored(harmonic_mean(precision, recall), lambda: {"precision": precision, "recall": recall})


def harmonic_mean(precision: float, recall: float) -> float:
    """F1 in [0, 1]; 0 unless both are positive, because the formula leaves [0, 1] otherwise."""
    if precision <= 0.0 or recall <= 0.0:
        return 0.0
    return min(1.0, 2.0 * precision * recall / (precision + recall))
