"""Leniency: each annotator's pass rate compared with the others' on the same samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.capabilities.agreement.pairwise import MINIMUM_N
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.statistics.multiplicity import holm, holm_levels
from hcat.core.statistics.paired import paired_differences
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Criterion, Estimate, Verdict

Manner = Literal["lenient", "strict", "not shown", "insufficient evidence"]
Conclusion = Literal["shown", "not reached", "open", "insufficient evidence"]

TARGET = Verdict(
    name="target pass rate",
    words=("shown", "not reached"),
    claim="At least the target share of answers passes, or less than it.",
    error=0.05,
    family="one rate and one target, either way",
    decides="hcat.core.capabilities.agreement.leniency:conclusion",
    carried_by="hcat.core.capabilities.agreement.leniency:Conclusion",
)


LENIENCY = Verdict(
    name="lenient or strict annotator",
    words=("lenient", "strict"),
    claim="The annotator passes other samples than the others do, of those that both labelled.",
    error=0.05,
    family="all annotators of one criterion (Holm; two annotators are one comparison)",
    decides="hcat.core.capabilities.agreement.leniency:leniencies",
    carried_by="hcat.core.capabilities.agreement.leniency:Leniency.manner",
)


@dataclass(frozen=True, slots=True)
class Leniency:
    """One annotator compared with the others. `own` is the pass rate of all their labels, on any samples.

    `difference` is the mean over the n samples that others labelled too of: 1 for a pass, else 0, less the share of the
    others who pass the sample. `p` is of no difference, `p_holm` adjusted over the annotators; NaN if there is too
    little evidence. The interval of `difference` is at the level at which Holm's procedure tests the annotator, so that
    it excludes 0 exactly if `manner` is lenient or strict."""

    annotator: str
    own: Estimate
    difference: Estimate
    manner: Manner
    p: float
    p_holm: float


def leniencies(
    ratings: Ratings, *, criterion: Criterion, minimum_n: int = MINIMUM_N, level: float = 0.95
) -> tuple[Leniency, ...]:
    """Each annotator's leniency, the most lenient first; those without enough evidence last.

    In a team that judges alike, the probability that anyone is called lenient or strict is at most 1 − this level. Two
    annotators can only differ from each other: theirs is one test."""
    cases = None if ratings.test_cases is None else np.asarray(ratings.test_cases)
    compared = against_others(ratings, criterion)
    found = [paired_differences(column, clusters=cases) for column in compared.T]
    p = np.array([each.p if each.n >= minimum_n else math.nan for each in found])
    adjusted, levels = (p, np.full(len(p), level)) if len(p) == 2 else (holm(p), holm_levels(p, error=1 - level))
    made = []
    for column, annotator in enumerate(ratings.annotators):
        own = passes(ratings, criterion)[:, column]
        given = ~np.isnan(own)
        rate = weighted_proportion(own[given] == 1, clusters=None if cases is None else cases[given])
        difference = found[column].interval(float(levels[column]))
        manner = _manner(difference, float(adjusted[column]), 1 - level)
        made.append(Leniency(annotator, rate, difference, manner, float(p[column]), float(adjusted[column])))
    return tuple(sorted(made, key=lambda one: (math.isnan(one.difference.value), -one.difference.value)))


def passes(ratings: Ratings, criterion: Criterion) -> Floats:
    """1 for a pass, 0 for a fail, NaN if missing: (samples, annotators)."""
    made: Floats = np.where(np.isnan(ratings.levels), np.nan, ratings.levels >= criterion.passing)
    return made


def against_others(ratings: Ratings, criterion: Criterion) -> Floats:
    """Each annotator's pass less the share of the others who pass the sample; NaN if there is no other label."""
    return _less_others(passes(ratings, criterion))


def agreement_with_others(ratings: Ratings) -> Floats:
    """The share of the others who gave the sample the annotator's own level; NaN if there is no other label."""
    levels = ratings.levels
    given = ~np.isnan(levels)
    others = given.sum(axis=1, keepdims=True) - 1
    same = (levels[:, :, None] == levels[:, None, :]).sum(axis=2) - given
    share: Floats = np.divide(same, others, out=np.full(levels.shape, np.nan), where=given & (others > 0))
    return share


def conclusion(rate: Estimate, target: float) -> Conclusion:
    """Whether the interval shows "at least `target` pass", refutes it, or leaves it open."""
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


def _manner(difference: Estimate, p_holm: float, error: float) -> Manner:
    if math.isnan(p_holm):
        return "insufficient evidence"
    if p_holm > error:
        return "not shown"
    return "lenient" if difference.value > 0 else "strict"
