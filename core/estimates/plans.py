"""The questions that a validator plans for, answered from the labels that there are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.estimates.planning import (
    LabelPlan,
    labels_for_conformal,
    labels_for_difference,
    labels_for_width,
    quality_of,
)
from core.estimates.prediction_powered import PassRateEstimates

TOLERANCE = 0.05


def plan_labels(
    now: PassRateEstimates,
    *,
    width: float,
    differences: Sequence[float] = (0.05, 0.1),
    alpha: float = 0.1,
    shares: Mapping[str, float] | None = None,
    group: str = "group",
) -> tuple[tuple[str, LabelPlan], ...]:
    """Labels for an interval, for a difference to another run, and for conformal thresholds; with a name for each.

    The pass rate, the metric's quality, and how much a label tells of what a plain random one does are those that
    `now` shows, 0.5, nothing and all without labels. `shares` are
    those of the groups, each named a `group`, that get a threshold of their own.
    """
    rate = now.ppi.value if math.isfinite(now.ppi.value) else 0.5
    errors = now.labels_only_standard_error, now.standard_error
    quality = quality_of(*errors, n=now.n_labels, samples=now.n_samples)
    have, total = now.n_labels, now.n_samples
    effect = now.labels_only_effective_n / have if have and now.labels_only_effective_n > 0 else 1.0
    powered = labels_for_width(width, rate=rate, quality=quality, samples=total, have=have, effect=effect)
    plain = labels_for_width(width, rate=rate, samples=total, have=have, effect=effect)
    each = f", a threshold for each {group}" if shares else ""
    level = f"prediction sets at {1 - alpha:.0%}{each}"
    return (
        (f"an interval {width:.0%} wide, with the metric", powered),
        (f"an interval {width:.0%} wide, labels only", plain),
        *(
            (
                f"a difference of {gap:.0%} to another run: labels on each of the two",
                _difference(gap, rate, quality, have, effect),
            )
            for gap in differences
        ),
        (f"{level}: that say anything", labels_for_conformal(alpha, shares=shares, have=have)),
        (
            f"{level}: coverage short by {TOLERANCE:.0%} at most",
            labels_for_conformal(alpha, shares=shares, tolerance=TOLERANCE, have=have),
        ),
    )


def _difference(gap: float, rate: float, quality: float, have: int, effect: float) -> LabelPlan:
    other = rate - gap if rate >= gap else min(rate + gap, 1.0)
    return labels_for_difference(gap, rates=(other, rate), quality=quality, have=have, effect=effect)
