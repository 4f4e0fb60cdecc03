"""Evaluation of a run by semantic groups: gaps, robustness, and the module that causes wrong answers.

A group is a gap if none of its texts is answered right, robust if all are, and non-robust otherwise. Robustness R =
right answers / answers outside gap groups; accuracy = R × the share of answers outside gap groups. All intervals treat
groups as clusters. Source: GRAMMAR, section 2.4, equations 1 and 2."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools
from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.capabilities.grammar.attribution import Attribution, attribute
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate


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
    """Evaluation of one run. Rates that need retrieved documents have n = 0 and NaN if the run has none.

    `retrieval_accuracy` and `retrieval_robustness` are the same rates for whether the documents were found: the
    source's modular evaluation. `knowledge` is the share of groups that are no gap. `right_without_document` is the
    share of right answers whose documents were not retrieved."""

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
