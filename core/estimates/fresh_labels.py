"""Whether labels drawn after a finding was confirmed bear it out: pass rates of its samples and of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.arrays import Bools, Floats
from core.estimates.influence import LabelledRun
from core.estimates.paired_difference import estimate_difference
from core.statistics.effective_n import rate_interval
from core.statistics.hypergeometric import hypergeometric_tails
from core.statistics.proportions import newcombe_difference
from core.types import Estimate

FreshVerdict = Literal["confirmed by fresh labels", "not confirmed", "more labels needed"]
CONFIRMED: FreshVerdict = "confirmed by fresh labels"
NOT_CONFIRMED: FreshVerdict = "not confirmed"
MORE_LABELS: FreshVerdict = "more labels needed"

TOTAL_LEVEL = 0.05
"""The chance that a finding whose samples are no worse is ever confirmed, over all rounds of fresh labels."""


@dataclass(frozen=True, slots=True)
class FreshLabels:
    """The fresh labels of a finding: `passed` (n,) of those that were drawn, `inside` (n,) whether of the finding's
    samples or of the rest, `clusters` (n,) what is independent of one another. `round` counts the draws, of which the
    last still `needs` so many labels; nothing is tested before it has them all."""

    passed: Bools
    inside: Bools
    clusters: np.ndarray[tuple[int], np.dtype[np.str_]]
    round: int = 1
    needs: int = 0

    @property
    def level(self) -> float:
        """The one-sided level of the test after this round: half of what is left each time, so that the levels of all
        rounds add up to no more than `TOTAL_LEVEL`."""
        return float(TOTAL_LEVEL / 2**self.round)


@dataclass(frozen=True, slots=True)
class FreshComparison:
    """The pass rate of the finding's samples minus that of the rest, by fresh labels alone, with a 95% interval. `p` is
    one-sided, against the samples passing as often as the rest or more often."""

    inside: Estimate
    rest: Estimate
    difference: Estimate
    p: float
    level: float
    needs: int

    @property
    def verdict(self) -> FreshVerdict:
        if self.needs:
            return MORE_LABELS
        return CONFIRMED if self.p <= self.level else NOT_CONFIRMED


@dataclass(frozen=True, slots=True)
class FreshJudgement:
    """What fresh labels on one criterion say of a finding, `rounds` draws of `drawn` samples in all. On `ties` of them
    people are not agreed, and `cannot_judge` got no level: neither is compared, and a tie still needs a decision."""

    criterion: str
    comparison: FreshComparison
    rounds: int
    drawn: int
    ties: int = 0
    cannot_judge: int = 0


def compare_fresh(labels: FreshLabels) -> FreshComparison:
    """Both sides compared: by Fisher's exact test and Newcombe's interval where every sample stands for itself, else by
    a t-test on clusters, whose parts in both sides cancel. Where clusters do not differ at all on either side, each
    counts as one in Fisher's test. NaN where a side has no label."""
    passed, inside = labels.passed.astype(np.float64), labels.inside
    run = LabelledRun(passed, np.full(len(passed), np.nan), clusters=labels.clusters)
    alike = len(np.unique(labels.clusters)) == len(labels.clusters)
    if not inside.any() or inside.all():
        none = Estimate(np.nan, np.nan, np.nan, len(passed), 0.95, "")
        rates = _rate(passed[inside]), _rate(passed[~inside])
        return FreshComparison(*rates, none, np.nan, labels.level, labels.needs)
    if alike:
        rates = _rate(passed[inside]), _rate(passed[~inside])
        difference = newcombe_difference(rates[1], rates[0], n=len(passed))
        p = _fisher(passed[inside], passed[~inside])
        return FreshComparison(*rates, difference, p, labels.level, labels.needs)
    found = estimate_difference(run.part(~inside), run.part(inside))
    p = found.p / 2 if found.labels_only.value < 0 else 1 - found.p / 2
    if np.isnan(p):
        firsts = [np.unique(labels.clusters[side], return_index=True)[1] for side in (inside, ~inside)]
        p = _fisher(passed[inside][firsts[0]], passed[~inside][firsts[1]])
    return FreshComparison(
        found.second.labels_only, found.first.labels_only, found.labels_only, p, labels.level, labels.needs
    )


def _rate(passed: Floats) -> Estimate:
    return rate_interval(float(passed.mean()) if len(passed) else np.nan, len(passed), n=len(passed), method="Wilson")


def _fisher(inside: Floats, rest: Floats) -> float:
    """The chance of as few passes inside or fewer, given all passes. Fisher 1935."""
    total, marked = len(inside) + len(rest), int(inside.sum() + rest.sum())
    few, _ = hypergeometric_tails(int(inside.sum()), total=total, marked=marked, drawn=len(inside))
    return few
