"""The verdict on whether a metric is fit for use on this criterion, by these labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.checks.evidence import Evidence
from hcat.core.calibration.checks.looks import FALSE_POSITIVE_RATE, LEAST_LABELS, OF_ONE_KIND
from hcat.core.calibration.conformal.mondrian import Conditional
from hcat.core.calibration.conformal.threshold import Threshold
from hcat.core.types import Verdict as Declared

USEFUL_AUC = 0.6
LEAST_CHECKED = LEAST_LABELS
LEAST_DECIDED = 0.5
"""A metric replaces people only if it decides more samples than it leaves to them."""


Answer = Literal["yes", "not shown", "no"]

FIT_FOR_USE = Declared(
    name="fit for use",
    words=("yes",),
    claim="The metric, or the map of several, tells what people pass from what they fail.",
    error=FALSE_POSITIVE_RATE,
    family="all metrics of a run and all maps of several, and looks after every label",
    decides="hcat.core.calibration.checks.fitness:fitness",
    carried_by="hcat.core.calibration.checks.fitness:Verdict.value",
)
NOT_FIT_FOR_USE = Declared(
    name="not fit for use",
    words=("no",),
    claim="The metric is useless or worse than a trivial score, or its sets do not keep their promise.",
    error=3 * OF_ONE_KIND,
    family="three tests of one metric, and looks after every label",
    decides="hcat.core.calibration.checks.fitness:fitness",
    carried_by="hcat.core.calibration.checks.fitness:Verdict.value",
)

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
"""The condition that decided the verdict."""

State = Literal["met", "not met", "contradicted"]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of "yes", and whether it is met; contradicted if there is evidence against it.

    `cause` is what the verdict gives as its cause if this decides it. `value` is what was measured, in words; "" until
    it is worded."""

    name: str
    state: State
    value: str = ""
    cause: Cause | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, what decided it, and each of the `conditions` of a yes.

    A verdict read from a document has no cause but the `reason` that the document states; verdicts are equal if their
    answers are."""

    value: Answer
    reason: str = field(default="", compare=False)
    cause: Cause | None = field(default=None, compare=False)
    conditions: tuple[Condition, ...] = field(default=(), compare=False)


def fitness(
    diagnostics: Diagnostics | None,
    threshold: Threshold,
    evidence: Evidence | None,
    *,
    conditional: Conditional | None = None,
    flat: bool = False,
) -> Verdict:
    """The verdict from held-out labels: "no" if a condition is contradicted, "yes" if all are met, else "not shown".

    A `flat` map gives all samples the same probability."""
    if diagnostics is None or evidence is None:
        return Verdict("not shown", cause="no labels to check with" if diagnostics is None else "not evaluated")
    found = _conditions(diagnostics, threshold, evidence, conditional, flat=flat)
    against = next((one for one in found if one.state == "contradicted"), None)
    missing = next((one for one in found if one.state == "not met"), None)
    if against is not None:
        return Verdict("no", cause=against.cause, conditions=found)
    if missing is not None:
        return Verdict("not shown", cause=missing.cause, conditions=found)
    return Verdict("yes", cause="all shown", conditions=found)


def _conditions(
    d: Diagnostics, threshold: Threshold, evidence: Evidence, conditional: Conditional | None, *, flat: bool
) -> tuple[Condition, ...]:
    """The conditions, in the order in which they decide."""
    return (
        _of("probabilities differ", missing="same probability for all" if flat else None),
        _of("labels for the threshold", missing=_too_few_to_set(threshold, conditional)),
        _of("labels to check with", missing="few labels to check with" if d.n < LEAST_CHECKED else None),
        _of("direction", missing="direction not shown" if evidence.backwards else None),
        _of("above chance", against=_is_backwards(evidence), missing=_not_above_chance(evidence)),
        _of("coverage", against=None if flat else _covers_too_few(evidence), missing=_no_splits(evidence)),
        _of("useful AUC", against=None if flat else _useless(evidence)),
        _of("above trivial scores", against=None if flat else _beaten(evidence), missing=_not_above_trivial(evidence)),
        _of("decides", missing=_decides_too_few(evidence)),
    )


def _of(name: str, *, against: Cause | None = None, missing: Cause | None = None) -> Condition:
    state: State = "contradicted" if against else "not met" if missing else "met"
    return Condition(name, state, cause=against or missing)


def _too_few_to_set(threshold: Threshold, conditional: Conditional | None) -> Cause | None:
    if conditional is None:
        return None if threshold.enough else "few labels for the threshold"
    return None if conditional.enough else "few labels for thresholds"


def _is_backwards(evidence: Evidence) -> Cause | None:
    return "against its direction" if evidence.discrimination.is_backwards else None


def _not_above_chance(evidence: Evidence) -> Cause | None:
    tells = evidence.discrimination
    if math.isnan(tells.auc.value):
        return "one label for all"
    return None if tells.shown and tells.auc.low > 0.5 else "AUC not shown above chance"


def _covers_too_few(evidence: Evidence) -> Cause | None:
    repeated = evidence.repeated
    if repeated is None or repeated.coverage_level is None or repeated.coverage_p > repeated.coverage_level:
        return None
    return "coverage below the promise"


def _no_splits(evidence: Evidence) -> Cause | None:
    return "few splits to check with" if evidence.repeated is None else None


def _useless(evidence: Evidence) -> Cause | None:
    area = evidence.discrimination.auc_alone
    return "AUC not useful" if area is not None and area.high < USEFUL_AUC else None


def _beaten(evidence: Evidence) -> Cause | None:
    return None if evidence.discrimination.beaten_by is None else "AUC below a trivial score"


def _not_above_trivial(evidence: Evidence) -> Cause | None:
    closest = evidence.discrimination.closest
    return "AUC not shown above a trivial score" if closest is not None and closest[1].low <= 0 else None


def _decides_too_few(evidence: Evidence) -> Cause | None:
    """The cause if too few samples are decided.

    Sets from such labels must be shown to decide enough, and those handed out must not be shown to decide too few."""
    repeated = evidence.repeated
    if repeated is None:
        return "few splits to check with"
    enough = repeated.decided_low > LEAST_DECIDED and repeated.handed_out.high > LEAST_DECIDED
    return None if enough else "few samples decided"
