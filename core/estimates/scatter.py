"""How the answers to one test case scatter, and where the variance of outcomes lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import HcatError
from core.estimates.intervals import mean_interval
from core.types import Estimate

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CaseScatter:
    """The answers to one test case by meaning: how many kinds, the share of the largest, the entropy in bits.

    `evenness` is the entropy as a share of the most that this many trials can have: 0 all alike, 1 all different.
    NaN for a single trial.
    """

    test_case: str
    trials: int
    kinds: int
    largest: float
    entropy: float
    evenness: float


@dataclass(frozen=True, slots=True)
class Scatter:
    """Every test case, and means over test cases with two trials or more. n counts those test cases."""

    cases: tuple[CaseScatter, ...]
    largest: Estimate
    entropy: Estimate
    evenness: Estimate


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """Variance between test cases and between trials of one, and the share of the former (intraclass correlation).

    `between` is 0 where trials differ more than test cases do; `truncated` says so. `share` has Searle's F interval,
    exact for equal numbers of trials and normal outcomes, approximate otherwise; its n counts test cases.
    """

    between: float
    within: float
    share: Estimate
    trials: int
    truncated: bool


def answer_scatter(kinds: Sequence[str], test_cases: Sequence[str], *, level: float = 0.95) -> Scatter:
    """Scatter of answers, given for each trial (T,) the name of its semantic cluster and of its test case.

    Names of clusters need to tell answers apart within a test case only. Entropy is that of the shares seen, which
    few trials understate. Means are over test cases. PROB 1 (ten answers of 10 % each: 3.32 bits, evenness 1 of ten).
    """
    names, clusters = np.asarray(test_cases, dtype=np.str_), np.asarray(kinds, dtype=np.str_)
    if names.shape != clusters.shape:
        raise HcatError("every trial needs the cluster of its answer and the name of its test case")
    cases = []
    for case in np.unique(names):
        counts = np.unique(clusters[names == case], return_counts=True)[1]
        trials = int(counts.sum())
        shares = counts / trials
        entropy = max(0.0, -float(shares @ np.log2(shares)))
        evenness = entropy / math.log2(trials) if trials > 1 else math.nan
        cases.append(CaseScatter(str(case), trials, len(counts), float(shares.max()), entropy, evenness))
    repeated = [case for case in cases if case.trials > 1]
    most = math.log2(max((case.trials for case in repeated), default=2))
    return Scatter(
        cases=tuple(cases),
        largest=mean_interval([case.largest for case in repeated], level=level, within=(0.0, 1.0)),
        entropy=mean_interval([case.entropy for case in repeated], level=level, within=(0.0, most)),
        evenness=mean_interval([case.evenness for case in repeated], level=level, within=(0.0, 1.0)),
    )


def variance_split(outcomes: ArrayLike, test_cases: Sequence[str], *, level: float = 0.95) -> VarianceSplit:
    """One-way random effects by the ANOVA estimators: outcomes (T,), of any finite numbers, NaN where unscored.

    within = mean square within; between = (mean square between − within) / m₀, m₀ = (T − Σm²/T) / (n − 1), at least 0.
    Both are NaN without two test cases, or without two trials of any.
    Source: Searle, Casella & McCulloch 1992, Variance Components, sections 3.5 and 3.6.
    """
    y, names = np.asarray(outcomes, dtype=np.float64), np.asarray(test_cases, dtype=np.str_)
    if y.shape != names.shape or np.isinf(y).any():
        raise HcatError("every trial needs a finite outcome, or NaN, and the name of its test case")
    scored = ~np.isnan(y)
    cases, row = np.unique(names[scored], return_inverse=True)
    y = y[scored]
    m = np.bincount(row, minlength=len(cases)).astype(np.float64)
    n, total = len(cases), len(y)
    if n < 2 or total <= n:
        nothing = Estimate(math.nan, math.nan, math.nan, n, level, "ANOVA")
        return VarianceSplit(math.nan, math.nan, nothing, total, truncated=False)
    means = np.bincount(row, weights=y, minlength=n) / m
    within = float(np.sum((y - means[row]) ** 2)) / (total - n)
    between_square = float(m @ (means - y.mean()) ** 2) / (n - 1)
    m0 = (total - float(m @ m) / total) / (n - 1)
    raw = (between_square - within) / m0
    between = max(0.0, raw)
    return VarianceSplit(
        between=between,
        within=within,
        share=_share(between, within, between_square, m0, n=n, total=total, level=level),
        trials=total,
        truncated=raw < 0,
    )


def _share(
    between: float, within: float, between_square: float, m0: float, *, n: int, total: int, level: float
) -> Estimate:
    from scipy.special import fdtri

    if between + within == 0:
        return Estimate(math.nan, math.nan, math.nan, n, level, "ANOVA: no variance at all")
    value = between / (between + within)
    if within == 0:
        return Estimate(value, math.nan, math.nan, n, level, "ANOVA: no variance between trials")
    ratio = between_square / within
    ends = []
    for tail in ((1 + level) / 2, (1 - level) / 2):
        scaled = ratio / float(fdtri(n - 1, total - n, tail))
        ends.append(min(1.0, max(0.0, (scaled - 1) / (scaled + m0 - 1))))
    return Estimate(value, ends[0], ends[1], n, level, "ANOVA, Searle's F interval")
