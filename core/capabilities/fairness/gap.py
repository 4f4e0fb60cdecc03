"""The gap between two groups on one outcome, from differences over the same questions, and tests of its size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.display.messages import say
from hcat.core.statistics.effective_n import t_quantile
from hcat.core.statistics.mean_score import METHODS, MeanScore, difference_score
from hcat.core.statistics.multiplicity import holm
from hcat.core.types import Estimate, Verdict

GapVerdict = Literal[
    "gap", "gap within the margin", "equivalent", "no gap shown", "inconclusive", "insufficient evidence"
]
"""The conclusions about a gap. "equivalent" is shown; "no gap shown" (without a margin) and "inconclusive" are not."""

_FAMILY = "all comparisons of one call, over attributes, groups and outcomes (Holm)"
GAP = Verdict(
    name="fairness gap",
    words=("gap", "gap within the margin"),
    claim="The two groups differ in their mean outcome.",
    error=0.05,
    family=_FAMILY,
    decides="hcat.core.capabilities.fairness.gap:judged",
    carried_by="hcat.core.capabilities.fairness.gap:Gap.verdict",
)
EQUIVALENT = Verdict(
    name="fairness equivalence",
    words=("equivalent", "gap within the margin"),
    claim="The gap between the two groups is smaller than the margin.",
    error=0.05,
    family=_FAMILY,
    decides="hcat.core.capabilities.fairness.gap:judged",
    carried_by="hcat.core.capabilities.fairness.gap:Gap.verdict",
)
_HALVINGS = 14
"""The number of halvings of the range in the search for the detectable gap."""


@dataclass(frozen=True, slots=True)
class Matching:
    """The matching of groups that were asked different questions.

    The number of strata with both, the number of samples of each group compared in them, the number left out, and the
    gap without matching, over all of them."""

    strata: int
    compared: int
    compared_of_reference: int
    left_out: int
    left_out_of_reference: int
    unmatched: Estimate


@dataclass(frozen=True, slots=True)
class Gap:
    """The gap between one group of an attribute and another on one outcome, over `n` questions in `clusters`.

    `gap` has the interval at the level. `p` tests for no gap, `p_equivalence` is that of two one-sided tests against
    the margin; `p_holm` and `equivalence_holm` are adjusted over all comparisons that were made together. `detectable`
    is the smallest true gap that as many questions find with 80 %. NaN if there are too few clusters, or no margin.
    `matching` is for groups that were asked different questions."""

    attribute: str
    group: str
    reference: str
    n: int
    clusters: int
    mean: float
    mean_of_reference: float
    gap: Estimate
    margin: float
    p: float
    p_equivalence: float
    detectable: float
    p_holm: float = math.nan
    equivalence_holm: float = math.nan
    verdict: GapVerdict = "insufficient evidence"
    matching: Matching | None = None

    @property
    def title(self) -> str:
        """The title "gender: woman less man", with the groups' names in the run."""
        return say("{gap.attribute}: {gap.group} less {gap.reference}", gap=self)


def paired_gap(
    values: Floats,
    of_reference: Floats,
    clusters: Sequence[str],
    *,
    attribute: str = "",
    group: str,
    reference: str,
    margin: float = math.nan,
    within: tuple[float, float] = (-math.inf, math.inf),
    minimum_n: int = 10,
    alpha: float = 0.05,
) -> Gap:
    """The gap from one value per question and group (N,), NaN if unscored: means over trials, clustered by question.

    Gap, equivalence and interval are of one test (`difference_score`): p of no gap is at most α if the interval of 1 −
    α excludes 0, and equivalence is shown at α if the interval of 1 − 2α is within the margin, which is two one-sided
    tests (Schuirmann 1987). For passes these are Tango's (1998). Clusters that are all equal on an outcome without a
    range have no interval, and the p of equal signs by chance."""
    clear = np.isfinite(values) & np.isfinite(of_reference)
    own, other = values[clear], of_reference[clear]
    codes = np.unique(np.asarray(clusters, dtype=np.str_)[clear], return_inverse=True)[1].astype(np.intp)
    test, n = difference_score(own, other, codes, within=within), len(own)
    enough = test.clusters >= max(minimum_n, 2)
    nothing = Estimate(test.value, math.nan, math.nan, n, 1 - alpha, METHODS[test.kind])
    return Gap(
        attribute,
        group,
        reference,
        n,
        test.clusters,
        float(own.mean()) if n else math.nan,
        float(other.mean()) if n else math.nan,
        test.interval(1 - alpha, n) if enough else nothing,
        margin,
        test.p() if enough else math.nan,
        max(test.p_at_least(margin), test.p_at_most(-margin)) if enough and not math.isnan(margin) else math.nan,
        _detectable(test, alpha) if enough else math.nan,
    )


def _detectable(test: MeanScore, alpha: float) -> float:
    """The detectable gap by the standard error at such a gap: the observed one may be too small for it."""
    return found_with(
        lambda gap: detectable_gap(max(test.error_at(gap), test.error_at(-gap)), test.clusters, alpha=alpha),
        most=test.ends[1],
    )


def found_with(detectable: Callable[[float], float], *, most: float) -> float:
    """The fixed point of `detectable`: the gap that equals what is detectable at it; `most` if there is none below."""
    at_none = detectable(0.0)
    if math.isnan(at_none) or not math.isfinite(most):
        return at_none if at_none > 0 else math.nan
    low, high = 0.0, most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if detectable(middle) <= middle else (middle, high)
    return high


def detectable_gap(error: float, clusters: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true gap that a two-sided test at `alpha` finds with this power, given its standard error.

    (t of α/2 + t of the power) errors, with degrees of freedom from the number of clusters. Source: Bloom 1995, Minimum
    Detectable Effects."""
    if not clusters > 1 or not error >= 0:
        return math.nan
    return (t_quantile(1 - alpha, clusters - 1) + t_quantile(2 * power - 1, clusters - 1)) * error


def judged(gaps: Sequence[Gap], *, alpha: float = 0.05) -> tuple[Gap, ...]:
    """The gaps with their p-values adjusted over all of them (Holm), and the conclusion on each."""
    of_gap = holm([each.p for each in gaps])
    of_equivalence = holm([each.p_equivalence for each in gaps])
    return tuple(
        replace(
            each,
            p_holm=float(p),
            equivalence_holm=float(equivalent),
            verdict=_verdict(float(p), float(equivalent), each.margin, alpha),
        )
        for each, p, equivalent in zip(gaps, of_gap, of_equivalence, strict=True)
    )


def _verdict(p: float, equivalence: float, margin: float, alpha: float) -> GapVerdict:
    if math.isnan(p):
        return "insufficient evidence"
    differs, equivalent = p <= alpha, equivalence <= alpha
    if differs:
        return "gap within the margin" if equivalent else "gap"
    if equivalent:
        return "equivalent"
    return "no gap shown" if math.isnan(margin) else "inconclusive"
