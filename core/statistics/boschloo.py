"""Boschloo's test that one rate is lower than another: Fisher's p-value as a statistic, exact and without its waste."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hcat.core.arrays import Floats, Ints
from hcat.core.statistics.hypergeometric import hypergeometric_tails

LARGEST = 1_000_000
"""Up to this product of the two numbers; beyond, Fisher's own p-value is given, which hardly wastes anything there."""
_GRID = 501
_NEAR = 101
_ALIKE = 1e-9


@lru_cache(maxsize=4096)  # a page asks for the same again and again
def boschloo_p(hits: int, n: int, other_hits: int, other_n: int) -> float:
    """The largest chance, over all rates that the two could share, of a table at least as extreme as `hits` of n beside
    `other_hits` of other_n; one-sided, against the first rate being as high or higher. 1 where a side has none.

    Tables are ordered by Fisher's one-sided p-value, so that this p is never above Fisher's.
    Source: Boschloo 1970, Raised conditional level of significance for the 2×2 table when testing the equality of two
    probabilities; Mehrotra, Chan & Berger 2003 for its power.
    """
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
    """The chance of as few hits or fewer among the first, given all hits. Fisher 1935."""
    return hypergeometric_tails(hits, total=n + other_n, marked=hits + other_hits, drawn=n)[0]


def _most_hits(n: int, other_n: int, fisher: float) -> Ints:
    """For each number of hits of the other, the most hits of the first with a table as extreme, (other_n + 1,); −1 for
    none. It rises with the other's hits."""
    most, found = -1, []
    for other_hits in range(other_n + 1):
        while most < n and _fisher(most + 1, n, other_hits, other_n) <= fisher * (1 + _ALIKE):
            most += 1
        found.append(most)
    return np.array(found, dtype=np.intp)


def _chance(most: Ints, n: int, other_n: int, rates: Floats) -> Floats:
    """The chance of an extreme table at each rate that both share, (rates,)."""
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    hits = np.arange(other_n + 1)
    choose = gammaln(other_n + 1) - gammaln(hits + 1) - gammaln(other_n - hits + 1)
    mass = np.exp(choose + xlogy(hits, rates[:, None]) + xlog1py(other_n - hits, -rates[:, None]))
    few = np.where(most < 0, 0.0, bdtr(np.maximum(most, 0).astype(np.float64), n, rates[:, None]))
    return np.asarray((mass * few).sum(axis=1), dtype=np.float64)
