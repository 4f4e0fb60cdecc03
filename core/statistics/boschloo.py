"""Boschloo's exact test that one rate is lower than another: Fisher's p-value as a statistic, with more power."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hcat.core.arrays import Floats, Ints
from hcat.core.statistics.hypergeometric import hypergeometric_tails

LARGEST = 1_000_000
"""The largest product of the two sample sizes; beyond it Fisher's own p-value is given, which loses hardly any power
there."""
_GRID = 501
_NEAR = 101
_ALIKE = 1e-9


@lru_cache(maxsize=4096)  # a page asks for the same again and again
def boschloo_p(hits: int, n: int, other_hits: int, other_n: int) -> float:
    """The one-sided p-value of Boschloo's test that the first rate is lower: `hits` of n against `other_hits` of
    other_n.

    It is the largest probability, over all common rates, of a table at least as extreme; 1 if a sample is empty. Tables
    are ordered by Fisher's one-sided p-value, so that this p is never above Fisher's. Source: Boschloo 1970, Raised
    conditional level of significance for the 2×2 table when testing the equality of two probabilities; Mehrotra, Chan &
    Berger 2003 for its power."""
    if n == 0 or other_n == 0:
        return 1.0
    fisher = _fisher(hits, n, other_hits, other_n)
    if n * other_n > LARGEST:
        return fisher
    most = _most_hits(n, other_n, fisher)
    rates = np.linspace(0.0, 1.0, _GRID)
    chances = _chance(most, n, other_n, rates)
    step, best = 1 / (_GRID - 1), float(rates[np.argmax(chances)])
    near = np.linspace(max(best - step, 0.0), min(best + step, 1.0), _NEAR)
    largest = max(float(chances.max()), float(_chance(most, n, other_n, near).max()))
    return min(largest, fisher)


def _fisher(hits: int, n: int, other_hits: int, other_n: int) -> float:
    """The probability of at most this many hits in the first sample, given the total number of hits. Fisher 1935."""
    return hypergeometric_tails(hits, total=n + other_n, marked=hits + other_hits, drawn=n)[0]


def _most_hits(n: int, other_n: int, fisher: float) -> Ints:
    """The most hits of the first sample that are as extreme, for each number of hits of the other, (other_n + 1,).

    −1 for none. It increases with the hits of the other sample."""
    most, found = -1, []
    for other_hits in range(other_n + 1):
        while most < n and _fisher(most + 1, n, other_hits, other_n) <= fisher * (1 + _ALIKE):
            most += 1
        found.append(most)
    return np.array(found, dtype=np.intp)


def _chance(most: Ints, n: int, other_n: int, rates: Floats) -> Floats:
    """The probability of an extreme table at each common rate, (rates,)."""
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    hits = np.arange(other_n + 1)
    choose = gammaln(other_n + 1) - gammaln(hits + 1) - gammaln(other_n - hits + 1)
    mass = np.exp(choose + xlogy(hits, rates[:, None]) + xlog1py(other_n - hits, -rates[:, None]))
    few = np.where(most < 0, 0.0, bdtr(np.maximum(most, 0).astype(np.float64), n, rates[:, None]))
    return np.asarray((mass * few).sum(axis=1), dtype=np.float64)
