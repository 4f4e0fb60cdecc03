"""p-values adjusted for multiple tests, since testing many slices finds some by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DRAWS = 10_000
_JUST_BELOW = 1e-9


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """Benjamini and Hochberg's q-values, shape (n,), in [0, 1]: 5 % of the slices with q ≤ 0.05 are false on average.

    NaN means that a slice was not tested: it stays NaN and is not counted. Benjamini & Hochberg 1995. The rate holds
    for independent slices and for positively dependent ones."""
    values = np.asarray(p, dtype=np.float64)
    tested = ~np.isnan(values)
    order = np.argsort(values[tested], kind="stable")
    ranked = values[tested][order]
    scaled = ranked * len(ranked) / np.arange(1, len(ranked) + 1)
    # A larger p may get a smaller q: the smallest one at or above each rank is used.
    monotone = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    adjusted = np.empty(len(ranked))
    adjusted[order] = monotone
    q = np.full(values.shape, np.nan)
    q[tested] = adjusted
    return q


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Holm's adjusted p-values, shape (n,): any test with p ≤ 0.05 is falsely significant at most 5 % of the time.

    NaN means not tested: it stays NaN and is not counted. Holm 1979. Valid under any dependence."""
    values = np.asarray(p, dtype=np.float64)
    tested = ~np.isnan(values)
    order = np.argsort(values[tested], kind="stable")
    ranked = values[tested][order]
    adjusted = np.empty(len(ranked))
    adjusted[order] = np.minimum(np.maximum.accumulate(ranked * (len(ranked) - np.arange(len(ranked)))), 1.0)
    result = np.full(values.shape, np.nan)
    result[tested] = adjusted
    return result


def holm_levels(p: ArrayLike, *, error: float = 0.05) -> NDArray[np.float64]:
    """The level, shape (n,), at which Holm's procedure tests each hypothesis.

    An interval of that level excludes 0 exactly if the test rejects, if interval and p are of one test. It is 1 −
    error/(remaining tests) for each rejection, in the order of p, and for all others the level at which the procedure
    stopped; 1 − error where p is NaN."""
    values = np.asarray(p, dtype=np.float64)
    passed = holm(values) <= error
    levels = np.full(values.shape, 1 - error)
    left = int((~np.isnan(values)).sum())
    for place in np.argsort(np.where(passed, values, np.inf), kind="stable")[: int(passed.sum())]:
        levels[place] = 1 - error / left
        left -= 1
    levels[~np.isnan(values) & ~passed] = 1 - error / max(left, 1)
    return levels


def independent_tests(correlation: ArrayLike, level: float) -> float:
    """The effective number of independent tests, in [1, K], for K normal statistics with this `correlation` (K, K).

    Each is tested one-sided at `level`; that many independent tests reject anything as often. It is K times the mean of
    1 / (number of rejections), where one of the K, chosen at random, is drawn from its own tail. So the probability of
    any rejection is known to about 1% however small it is. Source: Westfall & Young 1993, section 2.3 (max-T); Naiman &
    Priebe 2001, Computing scan statistic p values using importance sampling, for the draws."""
    from scipy.special import ndtri

    r = np.asarray(correlation, dtype=np.float64)
    if len(r) < 2:
        return float(len(r))
    rng, each = np.random.default_rng(len(r)), max(_DRAWS // len(r), 100)
    values, vectors = np.linalg.eigh(r)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    beyond = -float(ndtri(level)) - _JUST_BELOW
    total = 0.0
    for k in range(len(r)):
        z = rng.standard_normal((each, len(r))) @ root.T
        tail = -ndtri(level * rng.random(each))
        z += (tail - z[:, k])[:, None] * r[k]
        total += float(np.mean(1 / np.maximum((z >= beyond).sum(axis=1), 1)))
    return total
