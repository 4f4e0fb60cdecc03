"""Scores over repeated trials: how often answers are good, and how close that is to the expected rate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Bools, Floats
from hcat.core.errors import HcatError
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Key, Sentence
from hcat.core.statistics.effective_n import rate_interval, t_quantile
from hcat.core.types import Estimate

_NO_SPREAD = 1e-24


@dataclass(frozen=True, slots=True)
class CaseScore:
    """One test case: P(E=1|Q) over `trials` trials, people's expectation, and S_c, NaN without an expectation."""

    test_case: str
    trials: int
    probability: float
    expected: float
    agreement: float


@dataclass(frozen=True, slots=True)
class ProbabilisticScores:
    """S_u, S_c and S_t of one factor of relevance, with clustered intervals; n counts test cases.

    `unconditional` is over all test cases with a trial; `conditional` over those with an expectation by people, and
    NaN, as is `total`, without any; n of both counts those. `equal_trials` says whether every test case has the same
    number of trials: if not, S_u is the mean over trials, which weights test cases by them. `unscored` trials are left
    out. `attainable` is the S_c of a system that meets every H exactly, with as many trials: few trials make it
    smaller."""

    unconditional: Estimate
    conditional: Estimate
    total: Estimate
    cases: tuple[CaseScore, ...]
    trials: int
    unscored: int
    equal_trials: bool
    attainable: float = math.nan


DOCUMENT = Codec(
    {
        ProbabilisticScores: (
            *(Key("s_u", "unconditional"), Key("s_c", "conditional"), Key("s_t", "total")),
            *(Key("test_cases", "cases"), "trials", "unscored", "attainable", Sentence("note")),
        )
    }
)
"""The parts of `hcat trials --json`, without the sentence, which `hcat.core.wording` adds."""


def probabilistic_scores(
    outcomes: ArrayLike,
    test_cases: Sequence[str],
    *,
    expected: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> ProbabilisticScores:
    """S_u, S_c and S_t of trials of test cases. PROB 3.3.4, 3.4.1 to 3.4.3.

    `outcomes` (T,) are E ∈ {0, 1} of each trial, NaN if unscored; `test_cases` (T,) names the test case of each;
    `expected` maps a test case to H in [0, 1]. S_u = Σ E / T; S_c(Q) = 1 − |P(E=1|Q) − H(Q)|; S_t = (S_u + mean S_c) /
    2. Test cases are treated as a sample of those that could be asked: errors come from the spread between test cases,
    with the trials of one combined (linearised ratio, t on n − 1 degrees; S_u by Wilson at the effective n). S_c is for
    the given number of trials: if 0 < H < 1, few trials make |P − H| larger than it would be with many."""
    y, names = np.asarray(outcomes, dtype=np.float64), np.asarray(test_cases, dtype=np.str_)
    if y.shape != names.shape:
        raise HcatError("every trial needs the name of its test case")
    scored = ~np.isnan(y)
    if not np.isin(y[scored], (0.0, 1.0)).all():
        raise HcatError("an outcome must be 1 for good, 0 for bad, or NaN for unscored")
    cases, row = np.unique(names[scored], return_inverse=True)
    m = np.bincount(row, minlength=len(cases)).astype(np.float64)
    good = np.bincount(row, weights=y[scored], minlength=len(cases))
    h = _expectations(cases, expected or {})
    probability = good / m
    agreement = 1 - np.abs(probability - h)
    stated = ~np.isnan(h)
    trials, n = int(m.sum()), len(cases)
    rate = float(good.sum() / trials) if trials else math.nan
    mean = float(agreement[stated].mean()) if stated.any() else math.nan
    moved = (good - rate * m) / max(trials, 1)
    deviation = np.where(stated, agreement - mean, 0.0) / max(int(stated.sum()), 1)
    equal = n == 0 or float(m.min()) == float(m.max())
    return ProbabilisticScores(
        unconditional=_rate(rate, moved, trials=trials, cases=n, level=level),
        conditional=_mean(mean, deviation[stated], n=int(stated.sum()), level=level),
        total=_total(rate, mean, moved, deviation, stated, trials=trials, level=level),
        cases=tuple(
            CaseScore(str(name), int(times), float(p), float(wanted), float(near))
            for name, times, p, wanted, near in zip(cases, m, probability, h, agreement, strict=True)
        ),
        trials=trials,
        unscored=int(np.sum(~scored)),
        equal_trials=equal,
        attainable=_attainable(h[stated], m[stated]),
    )


def _attainable(h: Floats, m: Floats) -> float:
    """The mean of 1 − E|B/m − h| over test cases, with B binomial of m trials at h (De Moivre)."""
    from scipy.stats import binom

    if not len(h):
        return math.nan
    # E|B − mh| = 2 (1 − h) k C(m, k) h^k (1 − h)^(m − k) with k = ⌊mh⌋ + 1; the last two as probabilities of B.
    k = np.floor(m * h) + 1
    deviation = 2 * (1 - h) * k * binom.pmf(k, m, h)
    return float(np.mean(1 - deviation / m))


def _expectations(cases: NDArray[np.str_], expected: Mapping[str, float]) -> Floats:
    h = np.array([expected.get(str(case), math.nan) for case in cases], dtype=np.float64)
    if ((h < 0) | (h > 1)).any():
        raise HcatError("the expected rate of a test case must be a number from 0 to 1")
    return h


def _rate(rate: float, moved: Floats, *, trials: int, cases: int, level: float) -> Estimate:
    method = "clustered, Wilson at effective n"
    if cases < 2:
        return Estimate(rate, math.nan, math.nan, cases, level, method)
    variance = float(moved @ moved)
    if rate in (0.0, 1.0) or variance <= 1e-15:
        # Trials that all agree show no spread: each test case counts once, as if its trials were copies.
        return rate_interval(rate, float(cases), n=cases, level=level, method=method)
    effective = min(rate * (1 - rate) / variance, trials)
    few_cases = (t_quantile(level, math.inf) / t_quantile(level, cases - 1)) ** 2
    return rate_interval(rate, effective * few_cases, n=cases, level=level, method=method)


def _total(
    rate: float, mean: float, moved: Floats, deviation: Floats, stated: Bools, *, trials: int, level: float
) -> Estimate:
    """The mean of S_u and S_c. Its error is as uncertain as that of S_c, which fewer test cases may determine."""
    k, n = int(stated.sum()), len(stated)
    # `_mean` multiplies the variance by k / (k − 1), which is right for S_c; S_u rests on n test cases.
    once = moved * math.sqrt((k - 1) / k * n / (n - 1)) if k > 1 else moved
    if k > 1 and float(deviation @ deviation) <= _NO_SPREAD:
        # Then S_c has the width of a rate. S_u hangs together with it, so that half of either counts in full.
        own = rate_interval(mean, float(k), n=k, level=level, method="")
        other = _rate(rate, moved, trials=trials, cases=n, level=level)
        low, high = (own.low + other.low) / 2, (own.high + other.high) / 2
        return Estimate((rate + mean) / 2, low, high, k, level, "S_c without spread: the means of both bounds")
    together = (once + deviation) / 2 if k else deviation[stated]
    return _mean((rate + mean) / 2, together, n=k, level=level)


def _mean(value: float, moved: Floats, *, n: int, level: float) -> Estimate:
    method = "clustered, t"
    if n < 2 or moved.size < 2:
        return Estimate(value, math.nan, math.nan, n, level, method)
    error = math.sqrt(float(moved @ moved) * n / (n - 1))
    if error <= 1e-12:
        # No spread at all: a mean in [0, 1] varies no more than a rate, whose interval is used instead.
        return rate_interval(value, float(n), n=n, level=level, method="no spread, Wilson")
    half = t_quantile(level, n - 1) * error
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), n, level, method)
