"""Tests a finding by labels drawn after it was reported: pass rates of its samples and of the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Codes
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.statistics.boschloo import boschloo_p
from hcat.core.statistics.effective_n import rate_interval
from hcat.core.statistics.growth import MOST, n_until, normal_quantile
from hcat.core.statistics.proportions import newcombe_difference
from hcat.core.types import Estimate, Verdict

FreshVerdict = Literal["confirmed by fresh labels", "not confirmed", "more labels needed"]
CONFIRMED: FreshVerdict = "confirmed by fresh labels"
NOT_CONFIRMED: FreshVerdict = "not confirmed"
MORE_LABELS: FreshVerdict = "more labels needed"

TOTAL_LEVEL = 0.05
"""The probability that a finding whose samples are no worse is ever confirmed, over all rounds of fresh labels."""
FIRST_LEVEL = 0.04
"""The level of the first round, in which most findings are decided; all later rounds share the rest."""
PERMUTATIONS = 1_999
CONFIRMED_BY_FRESH_LABELS = Verdict(
    name="confirmed by fresh labels",
    words=(CONFIRMED,),
    claim="The samples of the finding pass less often than the rest of the run.",
    error=TOTAL_LEVEL,
    family="all rounds of fresh labels of one finding",
    decides="hcat.core.estimates.fresh_labels:compare_fresh",
    carried_by="hcat.core.estimates.fresh_labels:FreshComparison.verdict",
)


@dataclass(frozen=True, slots=True)
class FreshLabels:
    """The fresh labels of a finding.

    `passed` (n,) are the labels of the drawn samples, `inside` (n,) says whether each is of the finding's samples or of
    the others, `clusters` (n,) are the independent units. `round` counts the draws, of which the last still `needs` so
    many labels; nothing is tested before it has them all."""

    passed: Bools
    inside: Bools
    clusters: np.ndarray[tuple[int], np.dtype[np.str_]]
    round: int = 1
    needs: int = 0

    @property
    def level(self) -> float:
        """The one-sided level of the test after this round.

        After the first round it is half of what is left each time, so that the levels of all rounds sum to at most
        `TOTAL_LEVEL`."""
        return FIRST_LEVEL if self.round == 1 else (TOTAL_LEVEL - FIRST_LEVEL) / 2.0 ** (self.round - 1)


@dataclass(frozen=True, slots=True)
class FreshComparison:
    """The pass rate of the finding's samples less that of the others, by fresh labels alone.

    `p` is one-sided, for the hypothesis that the samples pass at least as often as the others. The interval of the
    `difference` belongs to the `level` of the test, so that it is below 0 exactly if the finding is confirmed."""

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
    """The result of fresh labels on one criterion for a finding, from `rounds` draws of `drawn` samples in all.

    On `ties` of them people are not agreed, and `cannot_judge` got no level: neither is compared, and a tie still needs
    a decision."""

    criterion: str
    comparison: FreshComparison
    rounds: int
    drawn: int
    ties: int = 0
    cannot_judge: int = 0


def labels_until_confirmed(judgement: FreshJudgement) -> int | None:
    """The total number of fresh labels, over this and one further round, that would confirm an unconfirmed finding.

    It assumes the observed difference; None if no number would do, or nothing was tested."""
    comparison = judgement.comparison
    labels = comparison.inside.n + comparison.rest.n
    if comparison.verdict != NOT_CONFIRMED or not 0 < comparison.p < 0.5 or not labels:
        return None
    next_level = (TOTAL_LEVEL - FIRST_LEVEL) / 2.0**judgement.rounds
    needed = n_until(normal_quantile(comparison.p), labels, lambda _: next_level)
    return int(needed) if needed <= MOST else None


def compare_fresh(labels: FreshLabels) -> FreshComparison:
    """The comparison of both sides.

    By Boschloo's exact test and Newcombe's interval if all samples are independent, else by permuting clusters, with an
    interval by cluster. NaN if a side has no label."""
    passed, inside = labels.passed, labels.inside
    if not inside.any() or inside.all():
        none = Estimate(np.nan, np.nan, np.nan, len(passed), 0.95, "")
        rates = _rate(passed[inside]), _rate(passed[~inside])
        return FreshComparison(*rates, none, np.nan, labels.level, labels.needs)
    if len(np.unique(labels.clusters)) == len(labels.clusters):
        here, rest, difference = _of_independent(passed, inside, level=1 - 2 * labels.level)
        p = boschloo_p(int(passed[inside].sum()), int(inside.sum()), int(passed[~inside].sum()), int((~inside).sum()))
    else:
        here, rest, difference = _of_clusters(labels)
        p = permuted_p(passed, inside, labels.clusters)
    return FreshComparison(here, rest, _as_tested(difference, p <= labels.level), p, labels.level, labels.needs)


def _of_independent(passed: Bools, inside: Bools, *, level: float) -> tuple[Estimate, Estimate, Estimate]:
    """The rates of both sides at 95%, and their difference at this level."""
    here, rest = (_rate(passed[side], level=level) for side in (inside, ~inside))
    difference = newcombe_difference(rest, here, n=len(passed))
    return _rate(passed[inside]), _rate(passed[~inside]), difference


def _of_clusters(labels: FreshLabels) -> tuple[Estimate, Estimate, Estimate]:
    passed = labels.passed.astype(np.float64)
    run = LabelledRun(passed, np.full(len(passed), np.nan), clusters=labels.clusters)
    sides = run.part(~labels.inside), run.part(labels.inside)
    usual, tested = estimate_difference(*sides), estimate_difference(*sides, level=1 - 2 * labels.level)
    return usual.second.labels_only, usual.first.labels_only, tested.labels_only


def _as_tested(difference: Estimate, confirmed: bool) -> Estimate:
    """The interval made consistent with the test: without 0 exactly if it rejects, since exact tests and intervals can
    differ."""
    if np.isnan(difference.value):
        return difference
    high = min(difference.high, 0.0) if confirmed else max(difference.high, 0.0)
    return replace(difference, low=min(difference.low, high), high=high)


def permuted_p(passed: Bools, inside: Bools, clusters: ArrayLike) -> float:
    """The one-sided p-value of a pass rate as low inside, if clusters were unrelated to it.

    A cluster on one side is permuted as a whole over the sides; samples of a cluster on both sides are permuted within
    it. The difference of the rates is divided by its standard error, by cluster and around the common rate, so that
    clusters of unequal size may be exchanged. Source: Chung & Romano 2013, Exact and asymptotically robust permutation
    tests."""
    codes = _by_content(passed, inside, np.unique(np.asarray(clusters), return_inverse=True)[1])
    order = np.lexsort((passed, inside, codes))
    codes, inside, rest = codes[order], inside[order], (passed - passed.mean())[order]
    member = _dealt_out(inside, codes, np.random.default_rng(len(codes)))
    n_in, n_out = member.sum(axis=1, keepdims=True), (~member).sum(axis=1, keepdims=True)
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    parts = np.add.reduceat(np.where(member, rest / n_in, -rest / n_out), starts, axis=1)
    spread = np.sqrt((parts**2).sum(axis=1))
    t = np.divide(parts.sum(axis=1), spread, out=np.zeros(len(parts)), where=spread > 0)
    return float((1 + np.sum(t[1:] <= t[0] + 1e-9)) / len(t))


def _by_content(passed: Bools, inside: Bools, codes: Codes) -> Codes:
    """The codes of clusters sorted by content, so that names do not matter."""
    keys = [np.bincount(codes, weights=side) for side in (passed, inside, passed & inside)]
    place = np.empty(len(keys[0]), dtype=np.intp)
    place[np.lexsort((*keys, np.bincount(codes)))] = np.arange(len(place))
    return place[codes]


def _dealt_out(inside: Bools, codes: Codes, generator: np.random.Generator) -> Bools:
    """Whether each sample is inside, as observed and then in each permutation, (1 + permutations, n)."""
    size_in, size = np.bincount(codes, weights=inside), np.bincount(codes)
    whole = np.flatnonzero((size_in == 0) | (size_in == size))
    chosen = np.argsort(generator.random((PERMUTATIONS, len(whole))), axis=1) < np.count_nonzero(size_in[whole])
    side = np.zeros((PERMUTATIONS, len(size)), dtype=np.bool_)
    side[:, whole] = chosen
    member = side[:, codes]
    for cluster in np.setdiff1d(codes, whole).tolist():
        rows = np.flatnonzero(codes == cluster)
        member[:, rows] = np.argsort(generator.random((PERMUTATIONS, len(rows))), axis=1) < size_in[cluster]
    return np.vstack([inside[None, :], member])


def _rate(passed: Bools, *, level: float = 0.95) -> Estimate:
    value = float(passed.mean()) if len(passed) else np.nan
    return rate_interval(value, len(passed), n=len(passed), level=level, method="Wilson")
