"""The smallest gap that a number of questions can find, before any system is asked."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hcat.core.capabilities.fairness.gap import detectable_gap
from hcat.core.errors import HcatError
from hcat.core.statistics.effective_n import t_quantile

_STEPS = 30
"""The number of iterations after which the gap and the variance at that gap agree to many digits."""


@dataclass(frozen=True, slots=True)
class GapPlan:
    """The power of a number of questions, each asked `trials` times for each group, at `alpha` divided by the
    comparisons.

    `standard_error` is that without a gap, `detectable` the smallest true gap found with 80 %, `margin` the smallest
    margin within which two groups that don't differ are shown equivalent with 80 %.
    """

    questions: int
    trials: int
    rate: float
    alike: float
    comparisons: int
    standard_error: float
    detectable: float
    margin: float


def plan_gaps(
    questions: int,
    *,
    trials: int = 1,
    rate: float = 0.5,
    alike: float = 0.0,
    comparisons: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> GapPlan:
    """The plan for a binary outcome, at the expected pass rate (0.5 is the worst).

    `alike` is the correlation of two answers to one question, in [0, 1): the effect of a question on both groups
    cancels in the difference, whose variance is (r₁(1 − r₁) + r₂(1 − r₂)) (1 − alike) / trials for each question, r₂
    being the rate that differs from r₁ by the gap, towards a half. α is divided by the comparisons, as in Holm's first
    step. HcatError for values out of range."""
    if questions < 2 or trials < 1 or comparisons < 1 or not 0 < rate < 1 or not 0 <= alike < 1:
        raise HcatError("a plan needs 2 questions or more, a trial, a comparison, a rate in (0, 1), alike in [0, 1)")
    shared = alpha / comparisons

    def error(gap: float) -> float:
        other = max(rate - gap, 0.5) if rate > 0.5 else min(rate + gap, 0.5)
        return math.sqrt((rate * (1 - rate) + other * (1 - other)) * (1 - alike) / trials / questions)

    detectable = 0.0
    for _ in range(_STEPS):
        detectable = detectable_gap(error(detectable), questions, alpha=shared, power=power)
    # At a true gap of 0 both one-sided tests must reject: each may have half of the type II error. They use the spread
    # that outcomes would have at the margin.
    rejects, found = t_quantile(1 - 2 * shared, questions - 1), t_quantile(power, questions - 1)
    margin = 0.0
    for _ in range(_STEPS):
        margin = rejects * error(margin) + found * error(0.0)
    return GapPlan(questions, trials, rate, alike, comparisons, error(0.0), detectable, margin)
