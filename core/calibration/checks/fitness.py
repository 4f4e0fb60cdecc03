"""The verdict: is a metric fit for use on this criterion, on these labels, or not?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.checks.discrimination import LEAST_LABELS
from core.calibration.checks.evidence import Discrimination, Evidence, RepeatedSplits
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold

USEFUL_AUC = 0.6
LEAST_CHECKED = LEAST_LABELS
LEAST_DECIDED = 0.5
"""A metric stands in for people only where it decides more samples than it leaves to them."""
EVIDENCE_AGAINST = 0.025
"""The level of the tests that speak against a metric: so often a valid calibration is refused, at most, by each."""


Answer = Literal["yes", "not shown", "no"]

Cause = Literal[
    "no labels to check with",
    "not evaluated",
    "against its direction",
    "same probability for all",
    "coverage below the promise",
    "AUC not useful",
    "AUC below a trivial score",
    "few labels for the threshold",
    "few labels for thresholds",
    "one label for all",
    "few labels to check with",
    "few splits to check with",
    "direction not shown",
    "AUC not shown above chance",
    "AUC not shown above a trivial score",
    "few samples decided",
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
    evidence: Evidence | None,
    *,
    conditional: Conditional | None = None,
    flat: bool = False,
) -> Verdict:
    """Fit for use, on held-out labels: "no" where evidence speaks against it, "yes" where nothing does and all is
    shown, else "not shown". A `flat` map tells no sample from another."""
    if diagnostics is None or evidence is None:
        return Verdict("not shown", cause="no labels to check with" if diagnostics is None else "not evaluated")
    against = _evidence_against(evidence, flat=flat)
    if against is not None:
        return Verdict("no", cause=against)
    if flat:
        return Verdict("not shown", cause="same probability for all")
    missing = _too_few_to_set(threshold, conditional) or _missing_evidence(diagnostics, evidence)
    if missing is not None:
        return Verdict("not shown", cause=missing)
    return Verdict("yes", cause="all shown")


def _evidence_against(evidence: Evidence, *, flat: bool) -> Cause | None:
    tells, repeated = evidence.discrimination, evidence.repeated
    if tells.against_p is not None and tells.against_p <= EVIDENCE_AGAINST:
        return "against its direction"
    if flat:
        return None
    if repeated is not None and repeated.coverage_p <= EVIDENCE_AGAINST:
        return "coverage below the promise"
    if tells.auc.high < USEFUL_AUC:
        return "AUC not useful"
    if tells.beaten_by is not None:
        return "AUC below a trivial score"
    return None


def _too_few_to_set(threshold: Threshold, conditional: Conditional | None) -> Cause | None:
    if conditional is None:
        return None if threshold.enough else "few labels for the threshold"
    return None if conditional.enough else "few labels for thresholds"


def _missing_evidence(d: Diagnostics, evidence: Evidence) -> Cause | None:
    if math.isnan(evidence.discrimination.auc.value):
        return "one label for all"
    if d.n < LEAST_CHECKED:
        return "few labels to check with"
    if evidence.repeated is None:
        return "few splits to check with"
    if evidence.backwards:
        return "direction not shown"
    return _not_told_apart(evidence.discrimination) or _not_decided(evidence.repeated)


def _not_told_apart(tells: Discrimination) -> Cause | None:
    if not tells.shown or tells.auc.low <= 0.5:
        return "AUC not shown above chance"
    if tells.closest is not None and tells.closest[1].low <= 0:
        return "AUC not shown above a trivial score"
    return None


def _not_decided(repeated: RepeatedSplits) -> Cause | None:
    """Sets made from such labels must be shown to decide enough, and those handed out not shown to decide too few."""
    enough = repeated.decided_low > LEAST_DECIDED and repeated.handed_out.high > LEAST_DECIDED
    return None if enough else "few samples decided"
