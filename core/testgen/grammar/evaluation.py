"""What semantic groups tell of a run: gaps, robustness, and which module wrong answers come from.

A group is a gap where none of its texts is answered right, robust where all are, and non-robust else. Robustness
R = right answers / answers outside gap groups; accuracy = R × the share of answers outside gap groups. All intervals
keep groups whole. Source: GRAMMAR, section 2.4, equations 1 and 2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.arrays import Bools, Floats
from core.statistics.clusters import clustered_variance
from core.statistics.effective_n import t_quantile
from core.statistics.intervals import proportion_interval
from core.statistics.proportions import newcombe_difference, weighted_proportion
from core.testgen.grammar.answers import GroupedAnswers
from core.testgen.grammar.attribution import Attribution, attribute
from core.types import Estimate

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class GroupCounts:
    gap: int
    robust: int
    non_robust: int

    @property
    def total(self) -> int:
        return self.gap + self.robust + self.non_robust


@dataclass(frozen=True, slots=True)
class GrammarEvaluation:
    """One run. Rates that rest on what was retrieved have n = 0 and NaN where the run doesn't say.

    `retrieval_accuracy` and `retrieval_robustness` ask of the same answers whether the documents were found: the
    source's modular evaluation. `knowledge` is the share of groups that are no gap. `right_without_document` is the
    share of right answers whose documents were not retrieved.
    """

    groups: GroupCounts
    accuracy: Estimate
    robustness: Estimate
    knowledge: Estimate
    retrieval_accuracy: Estimate
    retrieval_robustness: Estimate
    right_without_document: Estimate
    attribution: Attribution
    unjudged: int = 0
    ungrouped: int = 0


@dataclass(frozen=True, slots=True)
class GrammarDifference:
    """First run less second, paired by group."""

    first: str
    second: str
    robustness: Estimate
    accuracy: Estimate


def evaluate_groups(answers: GroupedAnswers, *, level: float = 0.95) -> GrammarEvaluation:
    """The evaluation of one run."""
    competent = outside_gaps(answers)
    names, codes = np.unique(answers.group, return_inverse=True)
    known = np.isfinite(answers.retrieved)
    counts = _counts(answers.right, codes)
    return GrammarEvaluation(
        groups=counts,
        accuracy=_rate(answers.right, answers, np.ones(len(codes), dtype=bool), level),
        robustness=_rate(answers.right, answers, competent, level),
        knowledge=proportion_interval(counts.total - counts.gap, len(names), level=level),
        retrieval_accuracy=_rate(answers.retrieved == 1, answers, known, level),
        retrieval_robustness=_rate(answers.retrieved == 1, answers, known & competent, level),
        right_without_document=_rate(answers.retrieved == 0, answers, known & answers.right, level),
        attribution=attribute(answers, competent),
        unjudged=answers.unjudged,
        ungrouped=answers.ungrouped,
    )


def compare_groups(runs: Mapping[str, GroupedAnswers], *, level: float = 0.95) -> tuple[GrammarDifference, ...]:
    """Every run less every later one, with t intervals that subtract within a group before squaring.

    Where neither run shows any spread the interval is Newcombe's hybrid of the two runs' own: a width of 0 would be
    false.
    """
    return tuple(
        GrammarDifference(
            first,
            second,
            _difference(runs[first], runs[second], level=level, outside=True),
            _difference(runs[first], runs[second], level=level, outside=False),
        )
        for first, second in combinations(runs, 2)
    )


def outside_gaps(answers: GroupedAnswers) -> Bools:
    """Whether each answer's group has a right answer."""
    return np.isin(answers.group, np.unique(answers.group[answers.right]))


def _counts(right: Bools, codes: np.ndarray) -> GroupCounts:
    n, hits = np.bincount(codes), np.bincount(codes, weights=right)
    gap, robust = int((hits == 0).sum()), int((hits == n).sum())
    return GroupCounts(gap, robust, len(n) - gap - robust)


def _rate(hits: Bools, answers: GroupedAnswers, among: Bools, level: float) -> Estimate:
    if not among.any():
        return Estimate(math.nan, math.nan, math.nan, 0, level, "nothing to count")
    return weighted_proportion(hits[among], clusters=answers.group[among], level=level)


def _difference(first: GroupedAnswers, second: GroupedAnswers, *, level: float, outside: bool) -> Estimate:
    sides = [_Side.of(answers, outside=outside) for answers in (first, second)]
    if any(math.isnan(side.value) for side in sides):
        return Estimate(math.nan, math.nan, math.nan, 0, level, "nothing to compare")
    value, n = sides[0].value - sides[1].value, sides[0].n + sides[1].n
    influence = np.concatenate([sides[0].influence, -sides[1].influence])
    names, codes = np.unique(np.concatenate([sides[0].group, sides[1].group]), return_inverse=True)
    error = math.sqrt(clustered_variance(influence, codes))
    if error <= _NO_SPREAD:
        alone = [
            _rate(answers.right, answers, outside_gaps(answers) if outside else np.ones_like(answers.right), level)
            for answers in (first, second)
        ]
        return newcombe_difference(alone[1], alone[0], n=n)
    half = t_quantile(level, len(names) - 1) * error
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n, level, "paired by group, t")


@dataclass(frozen=True, eq=False)
class _Side:
    """A run's rate, and how much each of its answers moves it."""

    value: float
    n: int
    group: np.ndarray
    influence: Floats

    @classmethod
    def of(cls, answers: GroupedAnswers, *, outside: bool) -> _Side:
        among = outside_gaps(answers) if outside else np.ones(len(answers.right), dtype=bool)
        hits = answers.right[among].astype(np.float64)
        value = float(hits.mean()) if len(hits) else math.nan
        return cls(value, len(hits), answers.group[among], (hits - value) / max(len(hits), 1))
