"""How many labels it would take until a verdict is "yes"."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.checks.evidence import Discrimination, Evidence, LabelsNeeded, RepeatedSplits
from core.calibration.checks.fitness import LEAST_CHECKED, LEAST_DECIDED
from core.calibration.checks.looks import DeclaredLook, level_of_any_look, level_of_declared_look
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate

PROBABILITY = 0.8
MOST = 1_000_000
"""More labels than this are no answer."""


def labels_until_fit(
    diagnostics: Diagnostics,
    threshold: Threshold,
    evidence: Evidence,
    *,
    labels: int,
    conditional: Conditional | None = None,
    declared: DeclaredLook | None = None,
) -> LabelsNeeded:
    """The number of labels in all at which each condition would be shown with a probability of `PROBABILITY`, if all
    that was measured on these `labels` is what is true; None where no number would do.

    Test statistics grow with the root of the number of labels, and are normal around what they are now.
    """
    tells = evidence.discrimination
    needed = [
        labels * LEAST_CHECKED / max(diagnostics.n, 1),
        labels * _missing_to_set(threshold, conditional),
        _until_above_chance(tells, declared),
        _until_above_trivial(tells, declared),
        *([] if evidence.repeated is None else [_until_decided(evidence.repeated, labels)]),
    ]
    most = max(needed)
    return LabelsNeeded(None if most > MOST else max(math.ceil(most), labels + 1), PROBABILITY)


def _missing_to_set(threshold: Threshold, conditional: Conditional | None) -> float:
    """By how much the number of labels that set the threshold, or those that must be set, has to grow."""
    if conditional is None:
        return threshold.needed / max(threshold.n, 1)
    growth = [each.needed / max(each.n, 1) for each in conditional.thresholds.values()]
    return max(growth) if conditional.by_class else min(growth, default=1.0)


def _until_above_chance(tells: Discrimination, declared: DeclaredLook | None) -> float:
    tries, statistic = tells.independent or tells.evaluators, _z(tells.p)
    if not tells.shown and declared is not None and tells.n < declared.n:
        spare = _z(level_of_declared_look(tries=tries)) + _z(1 - PROBABILITY)
        if statistic * math.sqrt(declared.n / max(tells.n, 1)) >= spare:
            return declared.n
    return _until(statistic, tells.n, lambda n: level_of_any_look(n, tries=tries, declared=declared), tells.shown)


def _until_above_trivial(tells: Discrimination, declared: DeclaredLook | None) -> float:
    if tells.closest is None:
        return tells.n
    margin = tells.closest[1]
    return _until(
        _standardised(margin, margin.value), tells.n, lambda n: level_of_any_look(n, declared=declared), margin.low > 0
    )


def _until_decided(repeated: RepeatedSplits, n: int) -> float:
    if repeated.handed_out.high <= LEAST_DECIDED:
        return math.inf
    median = repeated.decided.median
    decided = Estimate(median, repeated.decided_low, 1.0, n)
    statistic = _standardised(decided, median - LEAST_DECIDED)
    return _until(statistic, n, lambda _: 0.025, repeated.decided_low > LEAST_DECIDED)


def _standardised(estimate: Estimate, above: float) -> float:
    """How many standard errors the estimate is above something, by its lower bound."""
    error = (estimate.value - estimate.low) / _z((1 - estimate.level) / 2)
    return above / error if error > 0 else math.copysign(math.inf, above)


def _until(statistic: float, n: int, level_at: Callable[[int], float], shown: bool) -> float:
    """The least number of labels at which a statistic that is this large at n exceeds its level often enough."""
    if shown:
        return n
    if not statistic > 0:
        return math.inf
    spare = _z(1 - PROBABILITY)

    def enough(at: int) -> bool:
        return statistic * math.sqrt(at / n) >= _z(level_at(at)) + spare

    few, many = n, 2 * n
    while not enough(many):
        few, many = many, 2 * many
        if few > MOST:
            return math.inf
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many


def _z(tail: float) -> float:
    from scipy.special import ndtri

    return -float(ndtri(tail))
