"""Paired comparison of two runs over semantic groups: robustness to wording over groups that both answer, and accuracy.

R leaves out the groups in which a run has no right answer. Each run leaves out different groups, so that the difference
of two R increases if a run fails completely where it failed by half. Over groups that either run answers, the
difference would be that of accuracy in other units. Over groups that both answer, it measures the wording alone. Groups
answered by one run only are counted separately, and cost the other run nothing but accuracy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.capabilities.grammar.evaluation import outside_gaps
from hcat.core.statistics.multiplicity import holm, holm_levels
from hcat.core.statistics.paired import PairedDifference, paired_differences
from hcat.core.types import Estimate, Verdict

LEAST_GROUPS = 10
"""Minimum number of groups for a conclusion."""
Direction = Literal["higher", "lower", "not shown", "too few groups"]

GRAMMAR_DIFFERENCE = Verdict(
    name="difference between semantic groups of two runs",
    words=("higher", "lower"),
    claim="R or accuracy differs between the two runs, over the groups that are compared.",
    error=0.05,
    family="R and accuracy of all pairs of runs of one call (Holm)",
    decides="hcat.core.capabilities.grammar.differences:compare_groups",
    carried_by="hcat.core.capabilities.grammar.differences:GroupDifference.verdict",
)


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """First run minus second over n groups. The interval has the level at which Holm's procedure tests it; p and p_holm
    are NaN below `LEAST_GROUPS` groups."""

    estimate: Estimate
    p: float
    p_holm: float
    verdict: Direction


@dataclass(frozen=True, slots=True)
class GrammarDifference:
    """First run minus second, paired by group: `robustness` over groups that both answer, `accuracy` over all groups
    that both were asked. `published` is R of the first minus R of the second, each over its own groups, as in the
    source. `only_first` and `only_second` count the groups that only one of them answers."""

    first: str
    second: str
    robustness: GroupDifference
    accuracy: GroupDifference
    published: float
    only_first: int
    only_second: int


def compare_groups(runs: Mapping[str, GroupedAnswers], *, level: float = 0.95) -> tuple[GrammarDifference, ...]:
    """Every run minus every later one, with Holm's adjustment over all comparisons at error 1 - level.

    Within a group, each run counts with its share of right answers. With more texts in a group, a run is more likely to
    have a right one. If the numbers of texts differ, both runs therefore count as with the smaller number, on average
    over random draws."""
    found = [(names, _Groups.of(runs[names[0]], runs[names[1]])) for names in combinations(runs, 2)]
    tests = [test for _, groups in found for test in (groups.robustness, groups.accuracy)]
    p = [test.p if test.n >= LEAST_GROUPS else math.nan for test in tests]
    every = zip(tests, p, holm(p).tolist(), holm_levels(p, error=1 - level).tolist(), strict=True)
    decided = iter([_decided(*each, error=1 - level) for each in every])
    return tuple(_compared(names, runs, groups, decided) for names, groups in found)


def _compared(
    names: tuple[str, str], runs: Mapping[str, GroupedAnswers], groups: _Groups, decided: Iterator[GroupDifference]
) -> GrammarDifference:
    return GrammarDifference(
        *names,
        robustness=next(decided),
        accuracy=next(decided),
        published=_published(runs[names[0]]) - _published(runs[names[1]]),
        only_first=int(((groups.right[0] > 0) & (groups.right[1] == 0)).sum()),
        only_second=int(((groups.right[1] > 0) & (groups.right[0] == 0)).sum()),
    )


def _decided(test: PairedDifference, p: float, p_holm: float, level: float, *, error: float) -> GroupDifference:
    verdict: Direction = "not shown"
    if math.isnan(p):
        verdict = "too few groups"
    elif p_holm <= error:
        verdict = "higher" if test.value > 0 else "lower"
    return GroupDifference(test.interval(level), p, p_holm, verdict)


def _published(answers: GroupedAnswers) -> float:
    counted = answers.right[outside_gaps(answers)]
    return float(counted.mean()) if len(counted) else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Number of right texts and of all texts in each group of two runs, both (2, groups)."""

    right: Floats
    texts: Floats

    @classmethod
    def of(cls, first: GroupedAnswers, second: GroupedAnswers) -> _Groups:
        """The groups that both runs were asked."""
        names = np.intersect1d(first.group, second.group)
        sides = []
        for answers in (first, second):
            asked = np.isin(answers.group, names)
            codes, right = np.searchsorted(names, answers.group[asked]), answers.right[asked]
            sides.append((np.bincount(codes, right, len(names)), np.bincount(codes, minlength=len(names))))
        return cls(np.array([right for right, _ in sides]), np.array([texts for _, texts in sides], dtype=np.float64))

    @property
    def accuracy(self) -> PairedDifference:
        """Difference in accuracy over all groups."""
        shares = self.right / self.texts
        return paired_differences(shares[0] - shares[1], weights=self.texts.sum(axis=0), symmetric=True)

    @property
    def robustness(self) -> PairedDifference:
        """Difference in robustness over groups that both runs answer."""
        answered = _any_right(self.right, self.texts, self.texts.min(axis=0))
        weights = answered.prod(axis=0) * self.texts.sum(axis=0)
        both = weights > 0
        shares = (self.right / self.texts)[:, both] / answered[:, both]
        return paired_differences(shares[0] - shares[1], weights=weights[both], symmetric=True)


def _any_right(right: Floats, texts: Floats, drawn: Floats) -> Floats:
    """The probability that a random draw of `drawn` texts of a group contains a right one."""
    from scipy.special import gammaln

    wrong = texts - right
    enough = wrong >= drawn
    left = np.where(enough, wrong - drawn, 0.0)
    none = np.exp(gammaln(wrong + 1) - gammaln(left + 1) - gammaln(texts + 1) + gammaln(texts - drawn + 1))
    return np.where(right == 0, 0.0, np.where(enough, 1 - none, 1.0))
