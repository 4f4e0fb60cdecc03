"""The gap between two groups on one outcome, from differences over the same questions; whether it is small enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.arrays import Codes, Floats
from core.display.messages import say
from core.statistics.effective_n import t_quantile
from core.statistics.multiplicity import holm
from core.statistics.sign_flip import sign_flip_p
from core.types import Estimate

GapVerdict = Literal[
    "gap", "gap within the margin", "equivalent", "no gap shown", "inconclusive", "insufficient evidence"
]
"""What a gap shows. "equivalent" is shown; "no gap shown" (without a margin) and "inconclusive" are not."""

NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Matching:
    """Of groups that were asked different questions: how many strata hold both, how many samples of each group were
    compared in them, how many were left out, and the gap without matching, over all of them."""

    strata: int
    compared: int
    compared_of_reference: int
    left_out: int
    left_out_of_reference: int
    unmatched: Estimate


@dataclass(frozen=True, slots=True)
class Gap:
    """One group of an attribute less another on one outcome: `n` questions, of so many independent clusters.

    `gap` has the interval at the level. `p` is of no gap, `p_equivalence` that of two one-sided tests against the
    margin; `p_holm` and `equivalence_holm` are adjusted over all comparisons that were made together. `detectable` is
    the smallest true gap that as many questions find with 80 %. NaN where there are too few clusters, or no margin.
    `matching` is of groups that were asked different questions.
    """

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
        """ "gender: woman less man"; groups by the names that they have in the run."""
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
    """One value a question and group (N,), NaN where unscored: means over trials; questions of one cluster together.

    The interval and p are Student's t with errors by sums over clusters, where all questions differ alike p is that of
    changed signs: of differences in steps, such as passes of two trials, changed signs alone find too few gaps.
    Equivalence is shown where both one-sided t tests reject a gap of `margin` or more (Schuirmann 1987). Where no two
    clusters differ, a width of 0 would be false: in a finite range it is that of Tango's score interval for pairs that
    all differ alike. Sources: Liang & Zeger 1986; Lakens 2017, Equivalence Tests.
    """
    clear = np.isfinite(values) & np.isfinite(of_reference)
    difference = values[clear] - of_reference[clear]
    codes = np.unique(np.asarray(clusters, dtype=np.str_)[clear], return_inverse=True)[1].astype(np.intp)
    number, n = len(np.unique(codes)), len(difference)
    value = float(difference.mean()) if n else math.nan
    enough = number >= max(minimum_n, 2)
    error = _error(difference, codes, number) if number > 1 else math.nan
    width = within[1] - within[0]
    gap, p_equivalence = _interval_and_equivalence(value, error, number, n, margin, width, alpha)
    return Gap(
        attribute,
        group,
        reference,
        n,
        number,
        float(values[clear].mean()) if n else math.nan,
        float(of_reference[clear].mean()) if n else math.nan,
        gap if enough else replace(gap, low=math.nan, high=math.nan),
        margin,
        _p_of_no_gap(difference, codes, error) if enough else math.nan,
        p_equivalence if enough else math.nan,
        detectable_gap(error, number, alpha=alpha) if enough and error > NO_SPREAD else math.nan,
    )


def detectable_gap(error: float, clusters: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true gap that a two-sided test at `alpha` finds with this power, at a standard error of so many
    clusters: (t of α/2 + t of the power) errors. Source: Bloom 1995, Minimum Detectable Effects."""
    if not clusters > 1 or not error >= 0:
        return math.nan
    return (t_quantile(1 - alpha, clusters - 1) + t_quantile(2 * power - 1, clusters - 1)) * error


def judged(gaps: Sequence[Gap], *, alpha: float = 0.05) -> tuple[Gap, ...]:
    """The gaps with their p-values adjusted over all of them (Holm), and what each then shows."""
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


def _error(difference: Floats, codes: Codes, number: int) -> float:
    sums = np.bincount(codes, weights=difference - difference.mean())
    return math.sqrt(number / (number - 1) * float(sums @ sums)) / len(difference)


def _p_of_no_gap(difference: Floats, codes: Codes, error: float) -> float:
    if error > NO_SPREAD:
        return 2 * _t_tail(abs(float(difference.mean())) / error, len(np.unique(codes)) - 1)
    return float(sign_flip_p(np.bincount(codes, weights=difference).astype(np.float64)[:, None])[0])


def _interval_and_equivalence(
    value: float, error: float, clusters: int, n: int, margin: float, width: float, alpha: float
) -> tuple[Estimate, float]:
    level = 1 - alpha
    if math.isnan(error):
        return Estimate(value, math.nan, math.nan, n, level, "paired t"), math.nan
    if error <= NO_SPREAD:
        return gap_without_spread(value, clusters, n, margin, width, level)
    half = t_quantile(level, clusters - 1) * error
    low, high = max(value - half, -width), min(value + half, width)
    method = "paired t" if clusters == n else "paired t, clustered"
    return Estimate(value, low, high, n, level, method), equivalence_p(value, error, clusters - 1, margin)


def equivalence_p(value: float, error: float, degrees: float, margin: float) -> float:
    """The larger p of the two one-sided t tests that the gap is below `margin` and above −`margin`; NaN without one."""
    if math.isnan(margin):
        return math.nan
    return max(_t_tail((margin - value) / error, degrees), _t_tail((value + margin) / error, degrees))


def _t_tail(t: float, degrees: float) -> float:
    from scipy.special import stdtr

    return float(stdtr(degrees, -t))


def gap_without_spread(
    value: float, clusters: int, n: int, margin: float, width: float, level: float
) -> tuple[Estimate, float]:
    """Where all questions differ alike, most often not at all: ± z² / (clusters + z²) of the range. Source: Tango 1998,
    Equivalence test and confidence interval for the difference in proportions for the paired-sample design."""
    from scipy.special import ndtr

    method = "all pairs differ alike, Tango"
    if not math.isfinite(width):
        return Estimate(value, math.nan, math.nan, n, level, "all pairs differ alike, no range"), math.nan
    z2 = t_quantile(level, math.inf) ** 2
    half = z2 / (clusters + z2) * width
    room = (margin - abs(value)) / width
    p = math.nan if math.isnan(margin) else 1.0
    if room > 0:
        p = float(ndtr(-math.sqrt(clusters * room / (1 - room)))) if room < 1 else 0.0
    return Estimate(value, max(value - half, -width), min(value + half, width), n, level, method), p
