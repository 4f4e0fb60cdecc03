"""The number of labels needed until a verdict is "yes"."""

from __future__ import annotations

import math

from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.checks.evidence import Discrimination, Evidence, LabelsNeeded, RepeatedSplits
from hcat.core.calibration.checks.fitness import LEAST_CHECKED, LEAST_DECIDED
from hcat.core.calibration.checks.looks import DeclaredLook, level_of_any_look, level_of_declared_look
from hcat.core.calibration.conformal.mondrian import Conditional
from hcat.core.calibration.conformal.threshold import Threshold
from hcat.core.statistics.growth import MOST, PROBABILITY, n_until, normal_quantile
from hcat.core.types import Estimate


def labels_until_fit(
    diagnostics: Diagnostics,
    threshold: Threshold,
    evidence: Evidence,
    *,
    labels: int,
    conditional: Conditional | None = None,
    declared: DeclaredLook | None = None,
) -> LabelsNeeded:
    """The total number of labels at which each condition would be shown with a probability of `PROBABILITY`.

    It assumes that all that was measured on these `labels` is true; None if no number would do. Test statistics grow
    with the root of the number of labels, and are normal around their current values."""
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
    """The factor by which the number of labels that set the threshold must grow."""
    if conditional is None:
        return threshold.needed / max(threshold.n, 1)
    growth = [each.needed / max(each.n, 1) for each in conditional.thresholds.values()]
    return max(growth) if conditional.by_class else min(growth, default=1.0)


def _until_above_chance(tells: Discrimination, declared: DeclaredLook | None) -> float:
    tries, statistic = tells.independent or tells.evaluators, normal_quantile(tells.p)
    if not tells.shown and declared is not None and tells.n < declared.n:
        spare = normal_quantile(level_of_declared_look(tries=tries)) + normal_quantile(1 - PROBABILITY)
        if statistic * math.sqrt(declared.n / max(tells.n, 1)) >= spare:
            return declared.n
    return n_until(statistic, tells.n, lambda n: level_of_any_look(n, tries=tries, declared=declared), tells.shown)


def _until_above_trivial(tells: Discrimination, declared: DeclaredLook | None) -> float:
    if tells.closest is None:
        return tells.n
    margin = tells.closest[1]
    return n_until(
        _standardised(margin, margin.value), tells.n, lambda n: level_of_any_look(n, declared=declared), margin.low > 0
    )


def _until_decided(repeated: RepeatedSplits, n: int) -> float:
    if repeated.handed_out.high <= LEAST_DECIDED:
        return math.inf
    median = repeated.decided.median
    decided = Estimate(median, repeated.decided_low, 1.0, n)
    statistic = _standardised(decided, median - LEAST_DECIDED)
    return n_until(statistic, n, lambda _: 0.025, repeated.decided_low > LEAST_DECIDED)


def _standardised(estimate: Estimate, above: float) -> float:
    """The distance of the estimate from a value in standard errors, by its lower bound."""
    error = (estimate.value - estimate.low) / normal_quantile((1 - estimate.level) / 2)
    return above / error if error > 0 else math.copysign(math.inf, above)
