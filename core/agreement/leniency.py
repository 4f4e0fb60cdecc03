"""Who is strict and who is lenient: each annotator's pass rate compared with the others' on the same samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from core.agreement.pairwise import MINIMUM_N
from core.agreement.ratings import Ratings
from core.arrays import Codes, Floats
from core.statistics.clusters import case_codes, clustered_variance, effective_cases
from core.statistics.proportions import weighted_proportion
from core.types import Criterion, Estimate
from core.verdicts.verdict import Verdict

Manner = Literal["lenient", "strict", "not shown", "insufficient evidence"]
Conclusion = Literal["shown", "not reached", "open", "insufficient evidence"]

TARGET = Verdict(
    name="target pass rate",
    words=("shown", "not reached"),
    claim="At least the target share of answers passes, or less than it.",
    error=0.05,
    family="one rate and one target, either way",
    decides="core.agreement.leniency:conclusion",
    carried_by="core.agreement.leniency:Conclusion",
)


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
    """Each annotator's leniency, the most lenient first; those without enough evidence last."""
    found = []
    for column, annotator in enumerate(ratings.annotators):
        own = passes(ratings, criterion)[:, column]
        given = ~np.isnan(own)
        cases = None if ratings.test_cases is None else np.asarray(ratings.test_cases)
        rate = weighted_proportion(own[given] == 1, clusters=None if cases is None else cases[given])
        difference = paired_difference(against_others(ratings, criterion)[:, column], test_cases=cases, level=level)
        manner = _manner(difference, minimum_n)
        found.append(Leniency(annotator, rate, difference, manner))
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


def paired_difference(differences: ArrayLike, *, test_cases: ArrayLike | None = None, level: float = 0.95) -> Estimate:
    """The mean of differences within [−1, 1], NaN left out, and an interval that holds for few and for equal ones.

    Half an observation is added at each end and one at none; for matched proportions that is the adjusted Wald interval
    of Agresti and Min. n = 0 gives NaN throughout. Where `test_cases` (n,) name one for several differences, errors
    come from sums by test case, as many observations as Kish's effective number of test cases.
    Source: Agresti & Min 2005, Simple improved confidence intervals for comparing matched proportions, section 3.
    """
    from scipy.special import ndtri

    d = np.asarray(differences, dtype=np.float64)
    known = ~np.isnan(d)
    d, codes = d[known], None if test_cases is None else case_codes(np.asarray(test_cases)[known])
    n, method = d.size, f"paired, adjusted Wald{'' if codes is None else ', clustered'}"
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, level, method)
    value = float(d.mean())
    independent, square = (float(n), float(d @ d) / n) if codes is None else _of_cases(d, codes)
    more = independent + 2
    centre = independent * value / more
    spread = (independent * square + 1) / more - centre**2
    half = float(ndtri((1 + level) / 2)) * math.sqrt(spread / more)
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


def _of_cases(differences: Floats, codes: Codes) -> tuple[float, float]:
    """The effective number of test cases, and the mean square of as many independent observations as uncertain."""
    independent = effective_cases(np.ones(len(differences)), codes)
    value = float(differences.mean())
    variance = clustered_variance((differences - value) / len(differences), codes)
    return independent, value**2 + independent * variance


def _manner(difference: Estimate, minimum_n: int) -> Manner:
    if difference.n < minimum_n:
        return "insufficient evidence"
    if difference.low > 0:
        return "lenient"
    return "strict" if difference.high < 0 else "not shown"
