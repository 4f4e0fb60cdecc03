"""The questions that a validator plans for, answered from the current labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hcat.core.estimates.forecast import Forecast
from hcat.core.estimates.planning import (
    SURE_OF_WIDTH,
    Goal,
    LabelPlan,
    labels_for_conformal,
    labels_for_difference,
    labels_for_width,
)
from hcat.core.statistics.effective_n import interval_n

TOLERANCE = 0.05


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """A goal of labelling: an interval, a difference, or conformal thresholds.

    An interval is `size` wide, with the metric or by labels only; a difference of `size` is to another run; thresholds
    are at α = `size`, for each level of `group` if that is given. Their coverage falls short by `tolerance` at most,
    or, if that is None, their sets exclude anything at all."""

    goal: Goal
    size: float
    labels_only: bool = False
    tolerance: float | None = None
    group: str | None = None


def plan_labels(
    ahead: Forecast,
    *,
    width: float,
    differences: Sequence[float] = (0.05, 0.1),
    alpha: float = 0.1,
    shares: Mapping[str, float] | None = None,
    group: str = "group",
) -> tuple[tuple[PlanQuestion, LabelPlan], ...]:
    """The labels for an interval, for a difference to another run, and for conformal thresholds, each with its
    question.

    The pass rate, and the efficiency of a label with the metric and without, are those of the current labels; before
    there is an interval, 0.5 and that of a plain random label, with samples of one cluster that all agree: the worst of
    each. A width is planned to be reached with probability `SURE_OF_WIDTH`. `shares` are those of the groups, each
    named a `group`, that get a threshold of their own."""
    rate = ahead.estimates.ppi.value if ahead.known else 0.5
    have, total = ahead.estimates.n_labels, ahead.estimates.n_samples
    within = group if shares else None
    by_cluster = ahead.clusters is not None
    drawn, of = (ahead.labelled_clusters or 0, ahead.clusters) if by_cluster else (have, total)
    return (
        (PlanQuestion("width", width), _width(width, ahead, rate)),
        (PlanQuestion("width", width, labels_only=True), _width(width, ahead, rate, labels_only=True)),
        *((PlanQuestion("difference", gap), _difference(gap, ahead, rate)) for gap in differences),
        (
            PlanQuestion("thresholds", alpha, group=within),
            labels_for_conformal(alpha, shares=shares, have=drawn, samples=of, by_cluster=by_cluster),
        ),
        (
            PlanQuestion("thresholds", alpha, tolerance=TOLERANCE, group=within),
            labels_for_conformal(
                alpha, shares=shares, tolerance=TOLERANCE, have=drawn, samples=of, by_cluster=by_cluster
            ),
        ),
    )


def _width(width: float, ahead: Forecast, rate: float, *, labels_only: bool = False) -> LabelPlan:
    estimates, efficiency = ahead.estimates, ahead.plain_efficiency if labels_only else ahead.powered_efficiency
    least = efficiency if labels_only else ahead.plain_efficiency / (1 - ahead.quality_bounds(2 * SURE_OF_WIDTH - 1)[0])
    return labels_for_width(
        width,
        rate=rate,
        samples=estimates.n_samples,
        have=estimates.n_labels,
        efficiency=efficiency,
        n_all=ahead.n_all,
        sure=SURE_OF_WIDTH,
        now=interval_n(estimates.labels_only if labels_only else estimates.ppi) if ahead.known else None,
        least_efficiency=least if ahead.known else efficiency,
    )


def _difference(gap: float, ahead: Forecast, rate: float) -> LabelPlan:
    other = rate - gap if rate >= gap else min(rate + gap, 1.0)
    have, total, efficiency = ahead.estimates.n_labels, ahead.estimates.n_samples, ahead.powered_efficiency
    return labels_for_difference(
        gap, rates=(other, rate), have=have, samples=total, efficiency=efficiency, n_all=ahead.n_all
    )
