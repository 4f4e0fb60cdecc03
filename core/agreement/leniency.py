"""Who is strict and who is lenient: each annotator's pass rate against the others' on the same samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.agreement.pairwise import MINIMUM_N
from core.agreement.ratings import Ratings
from core.estimates.intervals import proportion_interval
from core.types import Criterion, Estimate

Floats = NDArray[np.float64]
Manner = Literal["lenient", "strict", "not shown", "insufficient evidence"]
Conclusion = Literal["shown", "not reached", "open", "insufficient evidence"]


@dataclass(frozen=True, slots=True)
class Leniency:
    """One annotator against the others. `own` is the pass rate of all their labels, whichever samples those are.

    `difference` is the mean over the n samples that others labelled too of: 1 for a pass, else 0, less the share of
    the others who pass the sample. `manner` is told from its interval.
    """

    annotator: str
    own: Estimate
    difference: Estimate
    manner: Manner


def leniencies(
    ratings: Ratings, *, criterion: Criterion, minimum_n: int = MINIMUM_N, level: float = 0.95
) -> tuple[Leniency, ...]:
    """Each annotator's leniency, the most lenient first; those that can't be told last."""
    found = []
    for column, annotator in enumerate(ratings.annotators):
        own = passes(ratings, criterion)[:, column]
        given = own[~np.isnan(own)]
        difference = paired_difference(against_others(ratings, criterion)[:, column], level=level)
        manner = _manner(difference, minimum_n)
        found.append(Leniency(annotator, proportion_interval(int(given.sum()), len(given)), difference, manner))
    return tuple(sorted(found, key=lambda one: (math.isnan(one.difference.value), -one.difference.value)))


def passes(ratings: Ratings, criterion: Criterion) -> Floats:
    """1 for a pass, 0 for a fail, NaN where missing: (samples, annotators)."""
    made: Floats = np.where(np.isnan(ratings.levels), np.nan, ratings.levels >= criterion.passing)
    return made


def against_others(ratings: Ratings, criterion: Criterion) -> Floats:
    """Each annotator's pass less the share of the others who pass the sample; NaN where nobody else labelled it."""
    return _less_others(passes(ratings, criterion))


def agreement_with_others(ratings: Ratings) -> Floats:
    """The share of the others who gave the sample the annotator's own level; NaN where nobody else labelled it."""
    levels = ratings.levels
    given = ~np.isnan(levels)
    others = given.sum(axis=1, keepdims=True) - 1
    same = (levels[:, :, None] == levels[:, None, :]).sum(axis=2) - given
    share: Floats = np.divide(same, others, out=np.full(levels.shape, np.nan), where=given & (others > 0))
    return share


def paired_difference(differences: ArrayLike, *, level: float = 0.95) -> Estimate:
    """The mean of differences within [−1, 1], NaN left out, and an interval that holds for few and for equal ones.

    Half an observation is added at each end and one at none; for matched proportions that is the adjusted Wald interval
    of Agresti and Min. n = 0 gives NaN throughout.
    Source: Agresti & Min 2005, Simple improved confidence intervals for comparing matched proportions, section 3.
    """
    from scipy.special import ndtri

    d = np.asarray(differences, dtype=np.float64)
    d = d[~np.isnan(d)]
    n, method = d.size, "paired, adjusted Wald"
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, level, method)
    more = n + 2
    centre = float(d.sum()) / more
    spread = (float(d @ d) + 1) / more - centre**2
    half = float(ndtri((1 + level) / 2)) * math.sqrt(spread / more)
    value = float(d.mean())
    return Estimate(value, max(-1.0, min(centre - half, value)), min(1.0, max(centre + half, value)), n, level, method)


def conclusion(rate: Estimate, target: float) -> Conclusion:
    """Whether "at least `target` pass" is shown by the interval, refuted by it, or left open."""
    if math.isnan(rate.low) or math.isnan(rate.high):
        return "insufficient evidence"
    if rate.low >= target:
        return "shown"
    return "not reached" if rate.high < target else "open"


def _less_others(passed: Floats) -> Floats:
    given = ~np.isnan(passed)
    known = np.where(given, passed, 0)
    others = given.sum(axis=1, keepdims=True) - 1
    of_others = known.sum(axis=1, keepdims=True) - known
    share = np.divide(of_others, others, out=np.full(passed.shape, np.nan), where=given & (others > 0))
    difference: Floats = passed - share
    return difference


def _manner(difference: Estimate, minimum_n: int) -> Manner:
    if difference.n < minimum_n:
        return "insufficient evidence"
    if difference.low > 0:
        return "lenient"
    return "strict" if difference.high < 0 else "not shown"
