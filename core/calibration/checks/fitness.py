"""The verdict: is a metric fit for use on this criterion, on these labels, or not?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate

BASELINES = ("answer_length", "token_precision", "token_recall", "token_f1", "token_groundedness")
"""Trivial scores that a metric must beat."""

USEFUL_AUC = 0.6
LEAST_CHECKED = 20


Answer = Literal["yes", "not shown", "no"]

Cause = Literal[
    "no labels to check with",
    "same probability for all",
    "coverage below the promise",
    "AUC not useful",
    "AUC below a trivial score",
    "few labels for the threshold",
    "few labels for thresholds",
    "one label for all",
    "few labels to check with",
    "AUC not shown above chance",
    "AUC not shown above a trivial score",
    "all shown",
]
"""What decided the verdict."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, and what decided it.

    One that was read from a document has no cause but the `reason` that the document states; verdicts are equal where
    their answers are.
    """

    value: Answer
    reason: str = field(default="", compare=False)
    cause: Cause | None = field(default=None, compare=False)


def fitness(
    diagnostics: Diagnostics | None,
    threshold: Threshold,
    *,
    conditional: Conditional | None = None,
    flat: bool = False,
) -> Verdict:
    """Fit for use, on held-out labels: "no" where evidence speaks against it, "yes" where nothing does and all is
    shown, else "not shown". A `flat` map tells no sample from another."""
    if diagnostics is None:
        return Verdict("not shown", cause="no labels to check with")
    if flat:
        return Verdict("not shown", cause="same probability for all")
    against = _evidence_against(diagnostics, threshold)
    if against is not None:
        return Verdict("no", cause=against)
    missing = _too_few_to_set(threshold, conditional) or _missing_evidence(diagnostics)
    if missing is not None:
        return Verdict("not shown", cause=missing)
    return Verdict("yes", cause="all shown")


def best_baseline(d: Diagnostics) -> tuple[str, Estimate] | None:
    """The trivial score with the largest AUC, or None where none could be measured."""
    measured = [(name, auc) for name, auc in d.baselines.items() if not math.isnan(auc.value)]
    return max(measured, key=lambda item: item[1].value, default=None)


def _evidence_against(d: Diagnostics, threshold: Threshold) -> Cause | None:
    best = best_baseline(d)
    if d.coverage.high < 1 - threshold.alpha:
        return "coverage below the promise"
    if d.auc.high < USEFUL_AUC:
        return "AUC not useful"
    if best is not None and d.auc.high < best[1].low:
        return "AUC below a trivial score"
    return None


def _too_few_to_set(threshold: Threshold, conditional: Conditional | None) -> Cause | None:
    if conditional is None:
        return None if threshold.enough else "few labels for the threshold"
    return None if conditional.enough else "few labels for thresholds"


def _missing_evidence(d: Diagnostics) -> Cause | None:
    best = best_baseline(d)
    if math.isnan(d.auc.value):
        return "one label for all"
    if d.n < LEAST_CHECKED:
        return "few labels to check with"
    if d.auc.low <= 0.5:
        return "AUC not shown above chance"
    if best is not None and d.auc.low <= best[1].value:
        return "AUC not shown above a trivial score"
    return None
