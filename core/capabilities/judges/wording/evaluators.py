"""Reliability of evaluators, in words."""

from __future__ import annotations

from hcat.core.display.numbers import format_number, format_with_interval
from hcat.core.estimates.evaluator_reliability import COMBINED, EvaluatorReliability
from hcat.core.types import Estimate

EVALUATOR_COLUMNS = (
    "Evaluator",
    "Threshold",
    "AUC",
    "Base rate",
    "Precision",
    "Recall",
    "Likelihood ratio of “right”",
    "of “wrong”",
    "n",
    "Unscored",
)
EVALUATOR_NOTES = (
    "Precision is to be read against the base rate, the share of right answers: an evaluator that calls everything "
    "right has it as its precision, a recall of 1 and likelihood ratios of 1.",
    "Thresholds that nobody stated are chosen on other semantic groups than they are tried on (Youden's index, five "
    f"folds); “{COMBINED}” weighs all metrics by weights from other groups. Intervals of 95% keep groups whole.",
)


def evaluator_cells(found: EvaluatorReliability) -> tuple[str, ...]:
    """Name, threshold and each number with its interval."""
    threshold = "held-out folds" if found.threshold is None else format_number(found.threshold)
    numbers = (
        found.auc,
        found.base_rate,
        found.precision,
        found.recall,
        found.likelihood_ratio,
        found.negative_likelihood_ratio,
    )
    return (found.evaluator, threshold, *(_shown(number) for number in numbers))


def _shown(estimate: Estimate) -> str:
    return format_with_interval(estimate) if estimate.n else "none"
